import {PassThrough} from 'node:stream';
import * as fastCheck from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openTerminalInput} from '../../../source/tui/terminal/terminal-input.ts';
import {createInputParser} from '../../../source/tui/terminal/input-parser.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** The keys and replies in these chunks, while a reply is awaited or not. */
function readAll(chunks: readonly string[], awaited = true) {
	const parser = createInputParser();
	const read = chunks.map(chunk => parser.read(chunk, awaited));
	return {
		text: read.map(({text}) => text).join('|'),
		replies: read.flatMap(({replies}) => replies),
		holdsKey: parser.holdsKey(),
	};
}

const position = '\u001B[?24;80R';

describe('an reply of the terminal', () => {
	test.each([
		['with the mark', position, 'marked-position'],
		['without it', '\u001B[24;80R', 'position'],
		['with a page', '\u001B[?24;80;1R', 'marked-position'],
		['of one row', '\u001B[?1;1R', 'marked-position'],
		['of one row, without the mark', '\u001B[1;1R', 'position'],
	])('%s is taken out', (_name, chunk, reply) => {
		expect(readAll([chunk])).toEqual({text: '', replies: [reply], holdsKey: false});
	});

	test('glued to keys leaves the keys', () => {
		expect(readAll([`a${position}b${position}`])).toMatchObject({
			text: 'ab',
			replies: ['marked-position', 'marked-position'],
		});
	});

	test('about the status of the terminal is an reply of its own', () => {
		expect(readAll(['\u001B[0n'])).toMatchObject({text: '', replies: ['status']});
	});

	test.each(Array.from({length: position.length - 1}, (_, index) => index + 1))(
		'cut after %i characters is still one',
		at => {
			const {text, replies} = readAll([position.slice(0, at), `${position.slice(at)}x`]);
			expect([text, replies]).toEqual(['|x', ['marked-position']]);
		},
	);

	test('in single characters is still one', () => {
		const {text, replies} = readAll(Array.from(`q${position}d`));
		expect([text.replaceAll('|', ''), replies]).toEqual(['qd', ['marked-position']]);
	});

	test('whose escape was handed out already is still no key', () => {
		const parser = createInputParser();
		const first = parser.read('\u001B', true);
		const key = parser.release();
		const rest = ['[', '?24;', '80Rk'].map(chunk => parser.read(chunk, true));
		expect([first.text, key, rest.map(({text}) => text), rest.flatMap(({replies}) => replies)]).toEqual([
			'',
			'\u001B',
			['', '', 'k'],
			['marked-position'],
		]);
	});
});

describe('keys', () => {
	test.each([
		['an arrow', '\u001B[A'],
		['F3', '\u001BOR'],
		['F3 with shift', '\u001B[1;2R'],
		['an arrow with shift', '\u001B[1;2A'],
		['page down', '\u001B[6~'],
		['meta and a letter', '\u001Ba'],
		['a paste that looks like an reply', `\u001B[200~${position}\u001B[201~`],
	])('%s stays what it is', (_name, keys) => {
		expect(readAll([keys])).toEqual({text: keys, replies: [], holdsKey: false});
	});

	test.each([true, false])('an escape is held back, whether an reply is awaited or not (%s)', awaited => {
		expect(readAll(['\u001B'], awaited)).toMatchObject({text: '', holdsKey: true});
	});

	test('an escape that nothing follows is handed out once', () => {
		const parser = createInputParser();
		parser.read('\u001B', true);
		expect([parser.release(), parser.release(), parser.holdsKey(), parser.read('a', true).text]).toEqual([
			'\u001B',
			'',
			false,
			'a',
		]);
	});

	test('a paste may come in pieces, and what follows it is read again', () => {
		const {text, replies} = readAll(['\u001B[20', '0~a', `${position}\u001B[2`, `01~${position}`]);
		expect([text.replaceAll('|', ''), replies]).toEqual([`\u001B[200~a${position}\u001B[201~`, ['marked-position']]);
	});
});

test('whatever is typed between the replies comes through, wherever the stream is cut', () => {
	const typed = fastCheck.constantFrom(
		'a',
		'd',
		'\r',
		'é',
		'\u001B[A',
		'\u001BOP',
		'\u001B[200~text\u001B[201~',
		'\u0003',
	);
	const reply = fastCheck.constantFrom(position, '\u001B[24;80R', '\u001B[?24;80;1R');
	fastCheck.assert(
		fastCheck.property(
			fastCheck.array(fastCheck.oneof(typed, reply), {maxLength: 12}),
			fastCheck.array(fastCheck.nat(8), {maxLength: 40}),
			(parts, cuts) => {
				const stream = parts.join('');
				const chunks: string[] = [];
				let at = 0;
				for (const cut of cuts) {
					chunks.push(stream.slice(at, at + cut));
					at += cut;
				}

				chunks.push(stream.slice(at));
				const {text, replies} = readAll(chunks);
				const isReply = (part: string) => part.endsWith('R');
				expect(text.replaceAll('|', '')).toBe(parts.filter(part => !isReply(part)).join(''));
				expect(replies).toHaveLength(parts.filter(isReply).length);
			},
		),
		{numRuns: 2000},
	);
});

test.each([
	['a terminal is raw before the first frame, so that the system writes no reply into it', true, [true]],
	['input that is no terminal is left as it is', false, []],
] as const)('%s', (_, isTTY, modes) => {
	const set: boolean[] = [];
	const stdin = Object.assign(new PassThrough(), {isTTY, setRawMode: (mode: boolean) => void set.push(mode)});
	openTerminalInput({
		// Only what is used of a terminal.
		stdin: stdin as unknown as NodeJS.ReadStream,
		clock: createFakeClock(),
		awaitsReply: () => false,
		onReply() {},
		onReport() {},
	}).close();
	expect(set).toEqual(modes);
});
