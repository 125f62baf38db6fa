import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import * as fastCheck from 'fast-check';
import {rolldown} from 'rolldown';
import {beforeAll, expect, test} from 'vitest';
import {inkPlugins} from '../../build/ink-plugins.js';
import {ownGlyphs, glyphPlaceholders} from '../../source/tui/text/own-glyphs.ts';

type Output = {
	readonly write: (...at: readonly [number, number, string, {readonly transformers: readonly unknown[]}]) => void;
	readonly clip: (clip: object) => void;
	readonly unclip: () => void;
	readonly get: () => {readonly output: string; readonly height: number};
};

/** The files of Ink that are changed in the build, by what they export. */
type Ink = {
	readonly output: new (options: typeof size) => Output;
	readonly 'sanitize-ansi': (text: string) => string;
	readonly 'line-update': (previous: string, next: string, columns: number) => string;
	readonly 'measure-text': (text: string) => {readonly width: number; readonly height: number};
};

const size = {width: 24, height: 3};
const files = ['output', 'sanitize-ansi', 'line-update', 'measure-text'] as const;
const ink = fileURLToPath(new URL('.', import.meta.resolve('ink')));
let asPublished: Ink;
let asBuilt: Ink;

beforeAll(async () => {
	const directory = mkdtempSync(join(tmpdir(), 'sluice-ink-'));
	const bundle = await rolldown({
		input: Object.fromEntries(files.map(name => [name, join(ink, `${name}.js`)])),
		platform: 'node',
		plugins: inkPlugins,
	});
	await bundle.write({dir: directory});
	await bundle.close();
	asPublished = await load(ink);
	asBuilt = await load(directory);
	return () => rmSync(directory, {recursive: true});
});

async function load(directory: string): Promise<Ink> {
	const modules = await Promise.all(files.map(async name => import(join(directory, `${name}.js`))));
	return Object.fromEntries(files.map((name, index) => [name, modules[index].default])) as Ink;
}

const escape = '\u001B';
const word = fastCheck.string({
	unit: fastCheck.constantFrom(...Array.from(`ab  1[m${ownGlyphs}${glyphPlaceholders}`)),
	minLength: 1,
	maxLength: 6,
});
const foreign = fastCheck.constantFrom('古い', '👩‍💻', 'é', '\u200B', 'ﷺ');
const style = fastCheck.constantFrom(
	`${escape}[1m`,
	`${escape}[22m`,
	`${escape}[0m`,
	`${escape}[38;5;9m`,
	`${escape}[7m`,
);
const styled = fastCheck
	.tuple(word, fastCheck.constantFrom([1, 22], [2, 22], [31, 39], [93, 39], [44, 49], [101, 49], [7, 27]))
	.map(([text, [start, end]]) => `${escape}[${start}m${text}${escape}[${end}m`);
const line = fastCheck
	.array(
		fastCheck.oneof(
			{weight: 6, arbitrary: word},
			{weight: 6, arbitrary: styled},
			{weight: 4, arbitrary: foreign},
			{weight: 1, arbitrary: style},
		),
		{maxLength: 5},
	)
	.map(pieces => pieces.join(''));
const text = fastCheck.array(line, {maxLength: 4}).map(lines => lines.join('\n'));

const write = fastCheck.record({
	x: fastCheck.oneof(fastCheck.constant(0), fastCheck.integer({min: -1, max: 12})),
	y: fastCheck.integer({min: -1, max: 3}),
	text,
	clip: fastCheck.option(fastCheck.constant({x1: 0, x2: 9, y1: 0, y2: 3}), {freq: 9}),
	transformers: fastCheck.constantFrom(
		[],
		[],
		[(shown: string) => shown.replaceAll('a', `${escape}[4mA${escape}[24m`)],
	),
});

type Write = {
	readonly x: number;
	readonly y: number;
	readonly text: string;
	readonly clip?: object | null;
	readonly transformers?: ReadonlyArray<(shown: string) => string>;
};

const apart: fastCheck.Arbitrary<readonly Write[]> = fastCheck.array(write, {minLength: 1, maxLength: 5});
const beside: fastCheck.Arbitrary<readonly Write[]> = fastCheck
	.tuple(line, fastCheck.integer({min: 3, max: 14}), line)
	.map(([left, x, right]) => [
		{x: 0, y: 1, text: left},
		{x, y: 1, text: right},
	]);

/** What stands on the screen after these writes, in the one way in which Ink would write it. */
function frame({output: Frame}: Ink, writes: readonly Write[]) {
	const output = new Frame(size);
	for (const {x, y, text: written, clip, transformers = []} of writes) {
		if (clip) {
			output.clip(clip);
		}

		output.write(x, y, written, {transformers});
		if (clip) {
			output.unclip();
		}
	}

	const drawn = output.get();
	const again = new asPublished.output(size);
	again.write(0, 0, drawn.output, {transformers: []});
	return {height: drawn.height, rows: again.get().output.split('\n')};
}

test('a frame of the built program shows what a frame of Ink shows', () => {
	fastCheck.assert(
		fastCheck.property(fastCheck.oneof(apart, beside), writes => {
			expect(frame(asBuilt, writes)).toEqual(frame(asPublished, writes));
		}),
		{numRuns: 1000},
	);
});

test('the built program takes the same escapes out of a text', () => {
	const harmful = fastCheck.constantFrom(
		`${escape}[2J`,
		'\u0007',
		'\r',
		'\u009B2J',
		`${escape}[4:3m`,
		`${escape}]8;;x\u0007`,
	);
	fastCheck.assert(
		fastCheck.property(fastCheck.array(fastCheck.oneof(text, harmful), {maxLength: 4}), pieces => {
			const given = pieces.join('');
			expect(asBuilt['sanitize-ansi'](given)).toBe(asPublished['sanitize-ansi'](given));
		}),
		{numRuns: 1000},
	);
});

test('the built program measures a text as Ink does', () => {
	fastCheck.assert(
		fastCheck.property(text, given => {
			expect(asBuilt['measure-text'](given)).toEqual(asPublished['measure-text'](given));
		}),
		{numRuns: 1000},
	);
});

test('the built program writes the same change of a line', () => {
	fastCheck.assert(
		fastCheck.property(line, line, line, (start, before, after) => {
			const change = [start + before, start + after, size.width] as const;
			expect(asBuilt['line-update'](...change)).toBe(asPublished['line-update'](...change));
		}),
		{numRuns: 1000},
	);
});
