import {assert, constantFrom, oneof, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {exactHead, exactLine, exactLines, exactText, isHead} from '../../source/util/exact-text.ts';
import {readExact} from '../helpers/read-back.ts';

/** Texts with everything in them that could be lost on the way to a screen. */
const anyText = oneof(
	string({unit: 'binary'}),
	string({unit: 'grapheme'}),
	string({
		unit: constantFrom(
			'‹',
			'›',
			'U+',
			'0041',
			'␛',
			'\u001B',
			'\uFE0F',
			'\u20E3',
			'e',
			'\u0301',
			'\uD83D',
			'\uDC4D',
			'\u{1F3FD}',
		),
	}),
);

describe('an exact text', () => {
	test('reads back to exactly what it shows', () => {
		assert(
			property(anyText, text => {
				expect(readExact(exactText(text))).toBe(text);
			}),
			{numRuns: 2000},
		);
	});

	test('holds nothing that moves the cursor, is invisible or joins its neighbours', () => {
		const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
		assert(
			property(anyText, text => {
				const shown = exactLine(text);
				expect(shown).not.toMatch(/[\p{C}\p{M}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
				expect(Array.from(segmenter.segment(shown)).length).toBe(Array.from(shown).length);
			}),
			{numRuns: 2000},
		);
	});

	test.each([
		['plain text', '/srv/a b', '/srv/a b'],
		['letters of other scripts', 'Größe 日本 Ж ש', 'Größe 日本 Ж ש'],
		['a base and its mark, which are not one letter', 'e\u0301', 'e‹U+0301›'],
		['a variation selector in a path', '/srv/a\uFE0Fb', '/srv/a‹U+FE0F›b'],
		['a keycap', '1\uFE0F\u20E3', '1‹U+FE0F›‹U+20E3›'],
		['a skin tone', '👍\u{1F3FD}', '👍‹U+1F3FD›'],
		['joined signs', '👩\u200D🚀', '👩‹U+200D›🚀'],
		['a flag', '\u{1F1E9}\u{1F1EA}', '‹U+1F1E9›‹U+1F1EA›'],
		['letters that join to one syllable', '\u1112\u1161', '‹U+1112›‹U+1161›'],
		['numbers that take one cell or two', '\u3248\u324F\u3250', '‹U+3248›‹U+324F›\u3250'],
		['blanks that are none', 'a\u00A0\u2003\u3000\u2800b', 'a‹U+00A0›‹U+2003›‹U+3000›‹U+2800›b'],
		['controls', 'a\u001B\u007F\u009Bb', 'a␛␡‹U+009B›b'],
		['what turns the direction', 'a\u202Eb', 'a‹U+202E›b'],
		['half a sign', 'a\uD83Db', 'a‹U+D83D›b'],
		['signs of ours', '‹U+202E› ␛', '‹U+2039›U+202E‹U+203A› ‹U+241B›'],
		['line feed and tab', 'a\n\tb', 'a\n\tb'],
	])('shows %s', (_, text, shown) => {
		expect(exactText(text)).toBe(shown);
	});

	test('keeps to its line where it has only one, and its tabs are pictures where it has several', () => {
		expect([exactLine('a\n\tb'), exactLines('a\n\tb')]).toEqual(['a␊␉b', 'a\n␉b']);
	});

	test('says how much of it is missing, in words that no text can hold', () => {
		const head = exactHead('👍'.repeat(5), 2, exactLine);
		expect(head).toBe('👍👍‹3 more›');
		expect([isHead(head), isHead(exactHead('👍👍', 2, exactLine)), isHead(exactLine('x‹3 more›'))]).toEqual([
			true,
			false,
			false,
		]);
	});
});
