import {describe, expect, test} from 'vitest';
import {type KeyPress} from '../../../source/tui/state/key-press.ts';
import {type TerminalReport} from '../../../source/tui/terminal/control-sequences.ts';
import {lossMilliseconds, restMilliseconds} from '../../../source/tui/terminal/terminal-input.ts';
import {createHandClock} from '../random-hands.ts';
import {openTypedInput} from '../slow-terminal.ts';

/** The real input, with the keys and reports that came of it. */
function openInput(awaited = false) {
	const hand = createHandClock();
	const typed: string[] = [];
	const reports: TerminalReport[] = [];
	const input = openTypedInput({
		clock: hand.clock,
		controller: {
			press: (presses: readonly KeyPress[]) => void typed.push(...presses.map(({name}) => name)),
			reported: () => undefined,
			answered: () => undefined,
			awaitsReply: () => awaited,
		},
		onReport: report => void reports.push(report),
	});
	return {...hand, ...input, typed, reports};
}

const light = {type: 'background', shade: 'light'} as const;
const dark = {type: 'background', shade: 'dark'} as const;

const known: ReadonlyArray<readonly [name: string, sequence: string, report: TerminalReport]> = [
	['focus in', '\u001B[I', {type: 'focus-in'}],
	['focus out', '\u001B[O', {type: 'focus-out'}],
	['the wheel up', '\u001B[<64;10;7M', {type: 'wheel', direction: 'up'}],
	['the wheel down', '\u001B[<65;10;7M', {type: 'wheel', direction: 'down'}],
	['a click', '\u001B[<0;10;7M', {type: 'click', column: 9, row: 6}],
	['dark colours', '\u001B[?997;1n', {type: 'color-scheme', shade: 'dark'}],
	['light colours', '\u001B[?997;2n', {type: 'color-scheme', shade: 'light'}],
	['a white background, ended by BEL', '\u001B]11;rgb:ffff/ffff/ffff\u0007', light],
	['a black background, ended by ST', '\u001B]11;rgb:0000/0000/0000\u001B\\', dark],
	['a background of two digits', '\u001B]11;rgb:fd/f6/e3\u0007', light],
	['a background with opacity', '\u001B]11;rgba:1111/1111/1111/ffff\u0007', dark],
	['blue, which is dark', '\u001B]11;rgb:0000/0000/ffff\u0007', dark],
];

const unknown: ReadonlyArray<readonly [name: string, sequence: string]> = [
	['a release of the mouse', '\u001B[<0;10;7m'],
	['a middle button', '\u001B[<1;10;7M'],
	['a click with a modifier', '\u001B[<16;10;7M'],
	['a click outside of the screen', '\u001B[<0;0;7M'],
	['a mouse report without mode 1006', '\u001B[Maaa'],
	['device attributes', '\u001B[?64;1;2c'],
	['a mode report', '\u001B[?2026;2$y'],
	['flags of the keyboard', '\u001B[?1u'],
	['a key with a private mark', '\u001B[>1;2a'],
	['garbage for a background', '\u001B]11;aaaa\u0007'],
	['a background with too many digits', '\u001B]11;rgb:aaaaa/aaaaa/aaaaa\u0007'],
	['the colour of the text', '\u001B]10;rgb:aaaa/aaaa/aaaa\u0007'],
	['a clipboard', '\u001B]52;c;YWFh\u001B\\'],
	['a device control string', '\u001BP>|aaa(1)\u001B\\'],
	['an application string', '\u001B_Gaaa\u001B\\'],
	['a privacy message', '\u001B^aaa\u001B\\'],
	['a start of string', '\u001BXaaa\u001B\\'],
	['a string that was cancelled', '\u001B]11;aaa\u0018'],
	['a string without an end', `\u001B]11;${'a'.repeat(10_000)}\u0007`],
];

test.each(known)('%s is a report and no key', (_, sequence, report) => {
	const {receive, typed, reports} = openInput();
	receive(`j${sequence}k`);
	expect([typed, reports]).toEqual([['j', 'k'], [report]]);
});

test.each(unknown)('%s is no key and no report', (_, sequence) => {
	const {receive, typed, reports} = openInput();
	receive(`j${sequence}k`);
	expect([typed, reports]).toEqual([['j', 'k'], []]);
});

/** Two pieces of each sequence, cut everywhere; of a very long one at its beginning and end. */
const cuts = [...known, ...unknown].flatMap(([name, sequence]) =>
	Array.from(sequence, (_, at) => at)
		.filter(at => at > 0 && (at < 40 || at > sequence.length - 5))
		.map(at => ({name, at, first: sequence.slice(0, at), second: sequence.slice(at)})),
);

describe.each([0, 20, 60, 150, 1990])('a sequence whose rest comes after %i ms', milliseconds => {
	test.each([true, false])('is no key, wherever it is cut (a reply is awaited: %s)', awaited => {
		for (const {name, at, first, second} of cuts) {
			const {receive, advance, typed} = openInput(awaited);
			receive(first);
			advance(milliseconds);
			receive(second);
			receive('k');
			// An escape that nothing follows for so long is a key.
			expect([name, at, typed.filter(key => key !== 'esc')]).toEqual([name, at, ['k']]);
		}
	});
});

test('a sequence whose rest comes much later is still no key, unless it was cut behind its escape', () => {
	for (const {name, at, first, second} of cuts.filter(({at}) => at > 1)) {
		const {receive, advance, typed} = openInput();
		receive(first);
		advance(restMilliseconds);
		advance(60_000);
		receive(second);
		receive('k');
		expect([name, at, typed]).toEqual([name, at, ['k']]);
	}
});

test('a sequence that never ends keeps the keyboard for two seconds and one more key', () => {
	const {receive, advance, typed} = openInput();
	receive('\u001B]11;rgb:');
	for (let key = 0; key < 4; key++) {
		advance(600);
		receive('j');
	}

	receive('k');
	expect(typed).toEqual(['k']);
});

test('what is typed after a sequence that came in part may be its rest, for ten seconds', () => {
	const {receive, advance, reports} = openInput();
	receive('\u001B[?997;');
	advance(restMilliseconds);
	receive('1n');
	receive('k');
	advance(lossMilliseconds);
	receive('k');
	expect(reports).toEqual([{type: 'color-scheme', shade: 'dark'}, {type: 'input-lost'}]);
});

test.each([
	['an arrow', '\u001B[A'],
	['a paste', '\u001B[200~ab\u001B[201~'],
	['a report', '\u001B[I'],
])('%s after a cut sequence is what it is without one', (_, second) => {
	const inputOf = (bytes: string) => {
		const {receive, typed, reports} = openInput();
		receive(bytes);
		return {typed, reports};
	};

	for (const first of ['\u001B[1;2', '\u001B]11;rgb:', '\u001BP', '\u001B[M', '\u001BO']) {
		expect(inputOf(first + second)).toEqual(inputOf(second));
	}
});

test('escape, and then a key that could begin a sequence, are two keys', () => {
	for (const key of [']', 'P', 'X', '^', '_', 'O', '[']) {
		const {receive, advance, typed} = openInput();
		receive('\u001B');
		advance(50);
		receive(key);
		advance(50);
		receive('n');
		expect(typed).toEqual(['esc', key, 'n']);
	}
});
