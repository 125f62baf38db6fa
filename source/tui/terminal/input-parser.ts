import {sequenceAt, type TerminalReport} from './control-sequences.ts';
import {type TerminalReply} from './position-reports.ts';

/** The keys, the responses and the reports in a chunk of the terminal's input. */
export type ReadInput = {
	/** The input without responses, reports and sequences that are no keys, for the keyboard. */
	readonly text: string;
	readonly replies: readonly TerminalReply[];
	readonly reports: readonly TerminalReport[];
};

/** Separates the terminal's responses and reports from its input, even in pieces or between keys. */
export type InputParser = {
	/** Reads a chunk. `awaited`: a response is outstanding, so that what looks like a key may be one. */
	readonly read: (chunk: string, awaited: boolean) => ReadInput;
	/** True while an escape is held back that may have been a key. */
	readonly holdsKey: () => boolean;
	/** Emits that key. If the rest of a response follows after all, it is still not taken for a key. */
	readonly release: () => string;
	/** True while a sequence is held back that has not come to its end. */
	readonly isCut: () => boolean;
	/** Ends the wait: text after an emitted key is typed, and of a cut sequence at most one more chunk is taken for its rest. */
	readonly forget: () => void;
};

const escape = '\u001B';
const pasteEnd = `${escape}[201~`;
/** A longer sequence is none that we asked for: its beginning is dropped, and it is ignored to its end. */
const longestHeld = 4096;

/** Creates a parser for one stream of input. */
export function createInputParser(): InputParser {
	let held = '';
	/** Number of characters of `held` that were already emitted as keys. */
	let released = 0;
	let isPaste = false;
	/** The sequence in `held` was given up: its rest may come in one more chunk. */
	let isGivenUp = false;

	const read = (chunk: string, awaited: boolean): ReadInput => {
		if (released > 0 && released === held.length && !isContinued(held, chunk, awaited)) {
			held = '';
			released = 0;
		}

		const input = held + chunk;
		const taken = takeAll(input, {awaited, isPaste, released});
		const isStillCut = isGivenUp && taken.end === 0;
		held = isStillCut ? '' : shortened(input.slice(taken.end));
		released = isStillCut ? 0 : Math.max(0, released - taken.end);
		isPaste = taken.isPaste;
		isGivenUp = false;
		return taken;
	};

	const holdsKey = () =>
		!isPaste && released < held.length && (held === escape || (released === 1 && held.length === 2));
	return {
		read,
		holdsKey,
		release() {
			const text = held.slice(released);
			released = held.length;
			return text;
		},
		isCut: () => !isPaste && held.length > Math.max(1, released) && !holdsKey(),
		forget() {
			if (held.length > released) {
				isGivenUp = true;
			} else {
				held = '';
				released = 0;
			}
		},
	};
}

type ParserState = {readonly awaited: boolean; readonly isPaste: boolean; readonly released: number};

type Taken = ReadInput & {
	readonly isPaste: boolean;
	/** The index from which input is held back. */
	readonly end: number;
};

/** Takes the input up to a sequence that is not complete. */
function takeAll(input: string, {awaited, released, ...state}: ParserState): Taken {
	const replies: TerminalReply[] = [];
	const reports: TerminalReport[] = [];
	let {isPaste} = state;
	let text = '';
	let at = 0;
	const pass = (end: number) => {
		text += input.slice(Math.max(at, released), Math.max(end, released));
		at = end;
	};

	for (;;) {
		const next = input.indexOf(isPaste ? pasteEnd : escape, at);
		if (next === -1) {
			pass(input.length - (isPaste ? beginningLength(input.slice(at), pasteEnd) : 0));
			return {text, replies, reports, isPaste, end: at};
		}

		if (isPaste) {
			pass(next + pasteEnd.length);
			isPaste = false;
			continue;
		}

		pass(next);
		const sequence = sequenceAt(input, at, awaited);
		switch (sequence.kind) {
			case 'cut':
				return {text, replies, reports, isPaste, end: at};
			case 'reply':
				replies.push(sequence.reply);
				at += sequence.length;
				break;
			case 'report':
				reports.push(sequence.report);
				at += sequence.length;
				break;
			case 'ignored':
				at += sequence.length;
				break;
			case 'paste':
				isPaste = true;
				pass(at + sequence.length);
				break;
			case 'key':
				// The rest of a key whose escape was emitted would be typed.
				if (at === 0 && released === 1 && sequence.length > 1) {
					at = sequence.length;
				} else {
					pass(at + sequence.length);
				}
		}
	}
}

/** True if a chunk goes on with a sequence whose escape was emitted as a key: no person types so many characters at once. */
function isContinued(held: string, chunk: string, awaited: boolean): boolean {
	if (held !== escape) {
		return chunk.length > 1;
	}

	const isBeginning = chunk.startsWith('[') || /^[\]PX^_O]./su.test(chunk);
	return isBeginning || (awaited && chunk === ']');
}

function shortened(held: string): string {
	// A question mark makes it one that nobody knows.
	return held.length > longestHeld ? `${held.slice(0, 2)}?` : held;
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
