import {type Clock, type Timer} from '../../util/clock.ts';
import {type TerminalReply} from './position-reports.ts';
import {withMembers} from './with-members.ts';

/** The keyboard input of the dashboard, without the terminal's responses. */
export type TerminalInput = {
	/** For Ink: the terminal's input without its responses. */
	readonly stream: NodeJS.ReadStream;
	readonly close: () => void;
};

/** The terminal's report that its window got or lost the keyboard, while that is switched on (DECSET 1004). */
export type FocusReport = 'focus-in' | 'focus-out';

/** An escape that may start a response or a report is held back so long: longer while a response is outstanding. */
export const escapeMilliseconds = {awaited: 100, unawaited: 50} as const;
/** The rest of a sequence whose escape was emitted as a key is no key for so long. */
const lateMilliseconds = 2000;

/** Opens the input of a terminal. No response or report is taken for a key, however it is split into chunks. */
export function openTerminalInput(options: {
	readonly stdin: NodeJS.ReadStream;
	readonly clock: Clock;
	readonly awaitsReply: () => boolean;
	readonly onReply: (reply: TerminalReply) => void;
	/** Called before the keys of the same chunk are read. */
	readonly onFocus: (report: FocusReport) => void;
}): TerminalInput {
	const {stdin, clock, awaitsReply, onReply, onFocus} = options;
	// Ink does this only after the first frame: until then the terminal driver would echo the responses into it.
	if (stdin.isTTY) {
		stdin.setRawMode(true);
	}

	const parser = createReplyParser();
	let released = '';
	let timer: Timer | undefined;

	const releaseLater = () => {
		timer?.cancel();
		if (parser.holdsKey()) {
			timer = clock.after(escapeMilliseconds[awaitsReply() ? 'awaited' : 'unawaited'], () => {
				released += parser.release();
				timer = clock.after(lateMilliseconds, parser.forget);
				stdin.emit('readable');
			});
		}
	};

	const read = (): string | null => {
		let text = released;
		released = '';
		while (text === '') {
			// Ink has set an encoding, so chunks are text.
			const chunk: unknown = stdin.read();
			if (typeof chunk !== 'string') {
				return null;
			}

			const input = parser.read(chunk, awaitsReply());
			text = input.text;
			input.replies.forEach(onReply);
			input.reports.forEach(onFocus);
			releaseLater();
		}

		return text;
	};

	return {
		// Ink 8 has no hook for replies: it drops a sequence that is no key, and emits as typed text the pieces of one that
		// is not complete within 20 ms, as over a slow SSH connection. A proxy that filters `read` is the only place before it.
		stream: withMembers(stdin, {read}),
		close: () => timer?.cancel(),
	};
}

/** The keys, the responses and the reports in a chunk of the terminal's input. */
type ReadInput = {
	/** The input without responses and reports, for the keyboard. */
	readonly text: string;
	readonly replies: readonly TerminalReply[];
	readonly reports: readonly FocusReport[];
};

/** Separates the terminal's responses and reports from its input, even in pieces or between keys. */
type ReplyParser = {
	/** Reads a chunk. `awaited`: whether a response is outstanding, so that what looks like a key may be one. */
	readonly read: (chunk: string, awaited: boolean) => ReadInput;
	/** True while an escape is held back that may have been a key. */
	readonly holdsKey: () => boolean;
	/** Emits that key. If the rest of a response follows after all, it is still not taken for a key. */
	readonly release: () => string;
	/** Text after an emitted key is typed. */
	readonly forget: () => void;
};

const escape = '\u001B';
const pasteStart = '\u001B[200~';
const pasteEnd = '\u001B[201~';
/** The response to DECXCPR is `CSI ? row ; column [; page] R`, on some terminals without the `?`; that to DSR is `CSI 0 n`. */
const replyPattern = /\u001B\[(?:(?<mark>\??)(?<row>\d{1,5});(?<column>\d{1,5})(?:;\d{1,5})?R|0n)/uy;
/** Focus in and out are `CSI I` and `CSI O`. */
const reportOf: ReadonlyMap<string, FocusReport> = new Map([
	['\u001B[I', 'focus-in'],
	['\u001B[O', 'focus-out'],
]);
const reportLength = 3;
/** The beginning of a response, a report or a paste. */
const beginningPattern = /^\u001B(?:\[(?:\??(?:\d{1,5}(?:;\d{0,5}){0,2})?)?)?$/u;
/** F3 with a modifier is `CSI 1 ; 2 R` and on. A frame never ends in the first row, so this is the key. */
const largestModifier = 16;

/** Creates a parser for one stream of input. */
export function createReplyParser(): ReplyParser {
	let held = '';
	/** Number of characters of `held` that were already emitted. */
	let released = 0;
	let isPaste = false;

	const read = (chunk: string, awaited: boolean): ReadInput => {
		const input = held + chunk;
		const replies: TerminalReply[] = [];
		const reports: FocusReport[] = [];
		let text = '';
		let at = 0;
		const pass = (end: number) => {
			text += input.slice(Math.max(at, released), Math.max(end, released));
			at = end;
		};

		while (at < input.length) {
			const next = input.indexOf(isPaste ? pasteEnd : escape, at);
			if (next === -1) {
				break;
			}

			if (isPaste) {
				pass(next + pasteEnd.length);
				isPaste = false;
				continue;
			}

			pass(next);
			const reply = replyAt(input, at, awaited);
			const report = reportOf.get(input.slice(at, at + reportLength));
			if (report) {
				reports.push(report);
				at += reportLength;
			} else if (reply) {
				replies.push(...reply.replies);
				at += reply.length;
			} else if (input.startsWith(pasteStart, at)) {
				pass(at + pasteStart.length);
				isPaste = true;
			} else if (isPartial(input.slice(at))) {
				break;
			} else {
				pass(at + 1);
			}
		}

		const end = isPaste ? input.length - beginningLength(input.slice(at), pasteEnd) : endOf(input, at);
		pass(end);
		released = Math.max(0, released - end);
		held = input.slice(end);
		return {text, replies, reports};
	};

	return {
		read,
		holdsKey: () => !isPaste && released < held.length && (held === escape || held === `${escape}[` || released > 1),
		release() {
			const text = held.slice(released);
			released = held.length;
			return text;
		},
		forget() {
			held = held.slice(released);
			released = 0;
		},
	};
}

function replyAt(input: string, at: number, awaited: boolean) {
	replyPattern.lastIndex = at;
	const found = replyPattern.exec(input);
	if (!found) {
		return undefined;
	}

	const {mark, row, column} = found.groups ?? {};
	if (row === undefined) {
		return {length: found[0].length, replies: ['status'] as const};
	}

	const modifier = Number(column);
	const isMarked = mark === '?';
	const isKey = !isMarked && (!awaited || (row === '1' && modifier > 1 && modifier <= largestModifier));
	return isKey
		? undefined
		: {length: found[0].length, replies: [isMarked ? ('marked-position' as const) : ('position' as const)]};
}

/** True if the rest is held back until more input arrives. */
function isPartial(rest: string): boolean {
	return beginningPattern.test(rest);
}

/** The index from which input is held back. */
function endOf(input: string, at: number): number {
	return isPartial(input.slice(at)) ? at : input.length;
}

/** Number of characters at the end of a text that may begin a mark. */
function beginningLength(text: string, mark: string): number {
	for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
		if (mark.startsWith(text.slice(-length))) {
			return length;
		}
	}

	return 0;
}
