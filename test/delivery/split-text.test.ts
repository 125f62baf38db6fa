import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {fenceAfter, splitText, type TextLimit, type TextUnit} from '../../source/delivery/split-text.ts';

const measures: Readonly<Record<TextUnit, (text: string) => number>> = {
	utf16: text => text.length,
	'code-points': text => Array.from(text).length,
	bytes: text => Buffer.byteLength(text),
};
const units: readonly TextUnit[] = ['utf16', 'code-points', 'bytes'];
const utf16 = (maximum: number): TextLimit => ({unit: 'utf16', maximum});

/** Texts in which everything that makes cutting hard comes near. */
const texts = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				'\n',
				'\n\n',
				'```ts\n',
				'```\n',
				'~~~~\n',
				' ',
				'word',
				'👨‍👩‍👧‍👦',
				'é',
				'漢',
				'😀',
				'\u0301',
				'x'.repeat(40),
			),
			fc.string({unit: 'grapheme', maxLength: 20}),
		),
		{maxLength: 120},
	)
	.map(pieces => pieces.join(''));

describe.each(units)('in %s', unit => {
	test('no part is longer than the limit', () => {
		fc.assert(
			fc.property(texts, fc.integer({min: 120, max: 300}), (text, maximum) => {
				const sizes = splitText(text, {unit, maximum}).map(measures[unit]);
				expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(maximum);
			}),
		);
	});

	test('no part cuts a character in two', () => {
		fc.assert(
			fc.property(texts, text => {
				expect(splitText(text, {unit, maximum: 150}).filter(part => !part.isWellFormed())).toEqual([]);
			}),
		);
	});
});

test('every part but the last closes the fence it opens', () => {
	fc.assert(
		fc.property(texts, text => {
			const parts = splitText(text, utf16(150)).slice(0, -1);
			expect(parts.filter(part => fenceAfter(part, undefined))).toEqual([]);
		}),
	);
});

test('nothing but line breaks and fence lines is lost or added', () => {
	const bare = (text: string) => text.replaceAll(/^ {0,3}(`{3,}|~{3,}).*$/gmu, '').replaceAll(/[\n ]/gu, '');
	fc.assert(
		fc.property(fc.array(fc.lorem({maxCount: 8}), {maxLength: 40}), lines => {
			const text = lines.join('\n');
			expect(bare(splitText(text, utf16(120)).join('\n'))).toBe(bare(text));
		}),
	);
});

test('a text that fits is one part, as it was written', () => {
	expect(splitText('a\n\n```\nb\n```\n', utf16(100))).toEqual(['a\n\n```\nb\n```\n']);
});

test('no text is no part', () => {
	expect(splitText('', utf16(100))).toEqual([]);
});

describe('the cut', () => {
	test.each([
		{where: 'between paragraphs', text: `${'a '.repeat(30)}\n\n${'b '.repeat(30)}`, first: 'a '.repeat(30)},
		{where: 'between lines', text: `${'a '.repeat(30)}\n${'b '.repeat(30)}`, first: 'a '.repeat(30)},
		{where: 'between words', text: 'word '.repeat(30), first: 'word '.repeat(20)},
	])('is $where', ({text, first}) => {
		expect(splitText(text, utf16(101))[0]).toBe(first);
	});

	test('does not go through a family', () => {
		const family = '👨‍👩‍👧‍👦';
		const [first = '', second = ''] = splitText(`${'x'.repeat(95)}${family}y`, utf16(100));
		expect([first, second]).toEqual(['x'.repeat(95), `${family}y`]);
	});
});

test('a fence that is cut is closed and opened again', () => {
	const code = Array.from({length: 10}, (_, line) => `let a${line} = ${line};`).join('\n');
	const parts = splitText(`\`\`\`ts\n${code}\n\`\`\``, utf16(80));
	expect(parts.map(part => [part.split('\n')[0], part.split('\n').at(-1)])).toEqual(parts.map(() => ['```ts', '```']));
	expect(parts.length).toBeGreaterThan(1);
});

test('a text of a million characters is twenty parts, and the last says what is missing', () => {
	const parts = splitText('word '.repeat(200_000), utf16(1600));
	expect(parts).toHaveLength(20);
	expect(parts.at(-1)).toMatch(/… 9\d\d,\d{3} more characters left out$/u);
	expect(parts.at(-1)?.length).toBeLessThanOrEqual(1600);
});

test('a hostile text is cut in time', () => {
	const start = performance.now();
	splitText('\u0301'.repeat(500_000), {unit: 'bytes', maximum: 2000});
	splitText('```\n'.repeat(200_000), utf16(2000));
	expect(performance.now() - start).toBeLessThan(3000);
});
