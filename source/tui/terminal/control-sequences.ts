import {type TerminalReply} from './position-reports.ts';

/** The shade of the terminal's background. */
export type Shade = 'dark' | 'light';

/** A report of the terminal: its focus (DECSET 1004), its colours (OSC 11, mode 2031) or its mouse (modes 1000 and 1006). Cells count from 0. */
export type TerminalReport =
	| {readonly type: 'focus-in' | 'focus-out'}
	/** The reply to a request for the background. */
	| {readonly type: 'background'; readonly shade: Shade}
	/** The terminal has changed its colours. */
	| {readonly type: 'color-scheme'; readonly shade: Shade}
	| {readonly type: 'wheel'; readonly direction: 'up' | 'down'}
	| {readonly type: 'click'; readonly column: number; readonly row: number}
	/** A sequence came in part: the keys that follow may be its rest. */
	| {readonly type: 'input-lost'};

/** The beginning of a text that starts with an escape. `cut`: more of the sequence has to come. `ignored`: not a key, and of no use. */
export type Sequence =
	| {readonly kind: 'key' | 'paste' | 'ignored'; readonly length: number}
	| {readonly kind: 'reply'; readonly reply: TerminalReply; readonly length: number}
	| {readonly kind: 'report'; readonly report: TerminalReport; readonly length: number}
	| {readonly kind: 'cut'};

const escape = '\u001B';
const pasteStart = `${escape}[200~`;

/** CSI, ECMA-48 5.4: parameters, intermediates, final; and the function keys of the Linux console, `CSI [ A`. */
const csiPattern = /\u001B\[\[?[0-?]*[ -/]*(?<final>[@-~])?/uy;
/** Mouse reports of terminals without mode 1006: three characters follow the final one. */
const oldMousePattern = /\u001B\[M[^\u001B]{0,3}/uy;
const oldMouseLength = 6;
/** Shifted editing keys of rxvt end with an intermediate character. */
const rxvtKeyPattern = /\u001B\[[235678]\$/uy;
const ss3Pattern = /\u001BO[\d;]*(?<final>[@-~])?/uy;
/** OSC, DCS, SOS, PM and APC, up to BEL, ST, CAN or SUB (ECMA-48 8.3; xterm, Operating System Commands). */
const stringPattern =
	/\u001B[\]PX^_](?<text>[^\u0007\u0018\u001A\u001B\u009C]*)(?<end>[\u0007\u0018\u001A\u009C]|\u001B\\)?/uy;

/** Sequences that Ink knows as keys: no private marks and no intermediates. */
const keyPattern = /^\u001B\[\[?[\d;:]*[~A-HPQRSZa-eu^]$/u;
/** The response to DECXCPR is `CSI ? row ; column [; page] R`, on some terminals without the `?`; that to DSR is `CSI 0 n`. */
const positionPattern = /^\u001B\[(?<mark>\??)(?<row>\d{1,5});(?<column>\d{1,5})(?:;\d{1,5})?R$/u;
const statusReply = `${escape}[0n`;
/** F3 with a modifier is `CSI 1 ; 2 R` and on. A frame never ends in the first row, so this is the key. */
const largestModifier = 16;
/** Mode 1006: `CSI < button ; column ; row M`, with `m` for a release. */
const mousePattern = /^\u001B\[<(?<button>\d{1,5});(?<column>[1-9]\d{0,4});(?<row>[1-9]\d{0,4})M$/u;
const leftButton = '0';
const wheelDirections: Readonly<Record<string, 'up' | 'down'>> = {64: 'up', 65: 'down'};
const fixedReports: ReadonlyMap<string, TerminalReport> = new Map([
	[`${escape}[I`, {type: 'focus-in'}],
	[`${escape}[O`, {type: 'focus-out'}],
	[`${escape}[?997;1n`, {type: 'color-scheme', shade: 'dark'}],
	[`${escape}[?997;2n`, {type: 'color-scheme', shade: 'light'}],
]);

/** The sequence at an escape. `awaited`: a response is outstanding, so that what looks like a key may be one. */
export function sequenceAt(input: string, at: number, awaited: boolean): Sequence {
	switch (input[at + 1]) {
		case undefined:
			return {kind: 'cut'};
		case '[':
			return csiAt(input, at, awaited);
		case 'O':
			return endedAt(input, at, ss3Pattern) ?? {kind: 'key', length: lengthAt(input, at, ss3Pattern)};
		case ']':
		case 'P':
		case 'X':
		case '^':
		case '_':
			return stringAt(input, at);
		default:
			// A character with Alt. The escape is passed on by itself: another one may follow it.
			return {kind: 'key', length: 1};
	}
}

function csiAt(input: string, at: number, awaited: boolean): Sequence {
	if (input.startsWith(pasteStart, at)) {
		return {kind: 'paste', length: pasteStart.length};
	}

	if (matchAt(input, at, rxvtKeyPattern)) {
		return {kind: 'key', length: lengthAt(input, at, rxvtKeyPattern)};
	}

	const oldMouse = lengthAt(input, at, oldMousePattern);
	if (oldMouse > 0) {
		return oldMouse < oldMouseLength && at + oldMouse === input.length
			? {kind: 'cut'}
			: {kind: 'ignored', length: oldMouse};
	}

	return endedAt(input, at, csiPattern) ?? csiMeaning(input.slice(at, at + lengthAt(input, at, csiPattern)), awaited);
}

/** The meaning of a whole sequence. */
function csiMeaning(sequence: string, awaited: boolean): Sequence {
	const {length} = sequence;
	const report = fixedReports.get(sequence) ?? mouseReport(sequence);
	if (report) {
		return {kind: 'report', report, length};
	}

	const reply = sequence === statusReply ? 'status' : positionReply(sequence, awaited);
	if (reply) {
		return {kind: 'reply', reply, length};
	}

	return {kind: keyPattern.test(sequence) ? 'key' : 'ignored', length};
}

function positionReply(sequence: string, awaited: boolean): TerminalReply | undefined {
	const {mark, row, column} = positionPattern.exec(sequence)?.groups ?? {};
	const modifier = Number(column);
	if (mark === undefined || mark === '?') {
		return mark && 'marked-position';
	}

	return !awaited || (row === '1' && modifier > 1 && modifier <= largestModifier) ? undefined : 'position';
}

function mouseReport(sequence: string): TerminalReport | undefined {
	const {button = '', column, row} = mousePattern.exec(sequence)?.groups ?? {};
	const direction = wheelDirections[button];
	if (direction) {
		return {type: 'wheel', direction};
	}

	return button === leftButton ? {type: 'click', column: Number(column) - 1, row: Number(row) - 1} : undefined;
}

function stringAt(input: string, at: number): Sequence {
	const {text = '', end} = matchAt(input, at, stringPattern)?.groups ?? {};
	const length = lengthAt(input, at, stringPattern);
	if (end === undefined) {
		const rest = input.slice(at + length);
		return rest === '' || rest === escape ? {kind: 'cut'} : {kind: 'ignored', length};
	}

	const shade = input[at + 1] === ']' ? backgroundShade(text) : undefined;
	return shade ? {kind: 'report', report: {type: 'background', shade}, length} : {kind: 'ignored', length};
}

/** The reply to OSC 11 is `11;rgb:r/g/b`, each of one to four hexadecimal digits (XParseColor); some terminals add the opacity. */
const backgroundPattern =
	/^11;rgba?:(?<red>[\da-f]{1,4})\/(?<green>[\da-f]{1,4})\/(?<blue>[\da-f]{1,4})(?:\/[\da-f]{1,4})?$/iu;

/** The shade of a colour, by its luma (ITU-R BT.709). */
function backgroundShade(text: string): Shade | undefined {
	const found = backgroundPattern.exec(text)?.groups;
	if (!found) {
		return undefined;
	}

	const share = (digits = '') => Number.parseInt(digits, 16) / (16 ** digits.length - 1);
	const luma = 0.2126 * share(found['red']) + 0.7152 * share(found['green']) + 0.0722 * share(found['blue']);
	return luma > 0.5 ? 'light' : 'dark';
}

/** A sequence without its final character: more has to come, or a character that cannot be part of it has ended it. */
function endedAt(input: string, at: number, pattern: RegExp): Sequence | undefined {
	const found = matchAt(input, at, pattern);
	if (found?.groups?.['final'] !== undefined) {
		return undefined;
	}

	const length = found?.[0].length ?? 1;
	return at + length === input.length ? {kind: 'cut'} : {kind: 'ignored', length};
}

function matchAt(input: string, at: number, pattern: RegExp): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(input);
}

function lengthAt(input: string, at: number, pattern: RegExp): number {
	return matchAt(input, at, pattern)?.[0].length ?? 0;
}
