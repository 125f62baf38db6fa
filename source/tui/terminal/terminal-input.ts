import {type Clock, type Timer} from '../../util/clock.ts';
import {type TerminalReport} from './control-sequences.ts';
import {createInputParser} from './input-parser.ts';
import {type TerminalReply} from './position-reports.ts';
import {withMembers} from './with-members.ts';

/** The keyboard input of the dashboard, without the terminal's responses. */
export type TerminalInput = {
	/** For Ink: the terminal's input without its responses. */
	readonly stream: NodeJS.ReadStream;
	/** Leaves the input to another program: not a byte is read until `resume`. */
	readonly pause: () => void;
	readonly resume: () => void;
	readonly close: () => void;
};

/** An escape that may start a response or a report is held back so long: longer while a response is outstanding. */
export const escapeMilliseconds = {awaited: 100, unawaited: 50} as const;
/** The rest of a cut sequence, or of one whose escape was emitted as a key, is no key for so long. */
export const restMilliseconds = 2000;

/** After a sequence that came in part, what is typed may be its rest for so long. */
export const lossMilliseconds = 10_000;

/** Opens the input of a terminal. No response or report is taken for a key, however it is split into chunks. */
export function openTerminalInput(options: {
	readonly stdin: NodeJS.ReadStream;
	readonly clock: Clock;
	readonly awaitsReply: () => boolean;
	readonly onReply: (reply: TerminalReply) => void;
	/** Called before the keys of the same chunk are read. */
	readonly onReport: (report: TerminalReport) => void;
}): TerminalInput {
	const {stdin, clock, awaitsReply, onReply, onReport} = options;
	setRawMode(stdin);
	const parser = createInputParser();
	let released = '';
	let timer: Timer | undefined;
	let cutTimer: Timer | undefined;
	let lostUntil = 0;
	const lose = () => void (lostUntil = clock.elapsed() + lossMilliseconds);

	const releaseLater = () => {
		timer?.cancel();
		if (parser.holdsKey()) {
			timer = clock.after(escapeMilliseconds[awaitsReply() ? 'awaited' : 'unawaited'], () => {
				released += parser.release();
				if (awaitsReply()) {
					lose();
				}

				timer = clock.after(restMilliseconds, parser.forget);
				stdin.emit('readable');
			});
		}
	};

	/** Counts from the beginning of the cut sequence, or what a person types would keep it open. */
	const giveUpLater = () => {
		if (!parser.isCut()) {
			cutTimer?.cancel();
			cutTimer = undefined;
		} else if (!cutTimer) {
			cutTimer = clock.after(restMilliseconds, () => {
				cutTimer = undefined;
				lose();
				parser.forget();
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
			input.reports.forEach(onReport);
			if (text !== '' && clock.elapsed() < lostUntil) {
				onReport({type: 'input-lost'});
			}

			releaseLater();
			giveUpLater();
		}

		return text;
	};

	return {
		// Ink 8 has no hook for replies: it drops a sequence that is no key, and emits as typed text the pieces of one that
		// is not complete within 20 ms, as over a slow SSH connection. A proxy that filters `read` is the only place before it.
		stream: withMembers(stdin, {read}),
		pause: () => setReading(stdin, 'readStop'),
		resume: () => setReading(stdin, 'readStart'),
		close() {
			timer?.cancel();
			cutTimer?.cancel();
		},
	};
}

/** Ink does this only after the first frame: until then the terminal driver would echo the responses into it. */
function setRawMode(stdin: NodeJS.ReadStream): void {
	if (stdin.isTTY) {
		stdin.setRawMode(true);
	}
}

/** A stream without listeners goes on reading until its buffer is full. Node has no public API that stops it and keeps what is there. */
function setReading(stdin: NodeJS.ReadStream, method: 'readStop' | 'readStart'): void {
	const handle: unknown = Reflect.get(stdin, '_handle');
	const act: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, method) : undefined;
	if (typeof act === 'function') {
		Reflect.apply(act, handle, []);
	}
}
