import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isVisible, safeText} from '../../source/util/safe-text.ts';

/** Any UTF-16 text, lone surrogates and all, with a taste for what is dangerous. */
const anyText = fc
	.array(
		fc.oneof(
			fc.integer({min: 0, max: 0xff_ff}),
			fc.constantFrom(
				0x1b,
				0x9b,
				0x07,
				0x0d,
				0x0a,
				0x09,
				0x20_2e,
				0x20_0b,
				0xfe_0f,
				0x20_e3,
				0x03_01,
				0xd8_3c,
				0xdf_fb,
			),
		),
	)
	.map(units => String.fromCharCode(...units));

describe('safeText', () => {
	test.each([
		['a sequence that clears the screen', '\u{1B}[2J', '␛[2J'],
		['a C1 control', '\u{9B}31m', '‹U+009B›31m'],
		['a carriage return that would overwrite', 'safe\rEVIL', 'safe␍EVIL'],
		['a line break', 'a\nb', 'a␊b'],
		['a tab', 'a\tb', 'a␉b'],
		['a null', 'a\0b', 'a␀b'],
		['a delete', 'a\u{7F}b', 'a␡b'],
		['a direction override', 'a\u{202E}b', 'a‹U+202E›b'],
		['a space of no width', 'a\u{200B}b', 'a‹U+200B›b'],
		['a tag character', 'a\u{E0041}b', 'a‹U+E0041›b'],
		['a line separator', 'a\u{2028}b', 'a‹U+2028›b'],
		['a lone surrogate', 'a\uD800b', 'a‹U+D800›b'],
		['a private character', 'a\u{E000}b', 'a‹U+E000›b'],
		['a pile of marks', `a${'\u{0332}'.repeat(5)}b`, `a${'\u{0332}'.repeat(3)}‹2 marks›b`],
		['a skin tone', '👍🏽', '👍'],
		['a decomposed letter', 'e\u{0301}', 'é'],
		['a decomposed letter with a selector inside', 'e\u{FE0F}\u{0301}', 'é'],
		['plain words', 'naïve 日本 🙂', 'naïve 日本 🙂'],
	])('shows %s', (_, text, shown) => {
		expect(safeText(text)).toBe(shown);
	});

	test('a character that would join with whatever comes after it is escaped, so that a text is as wide beside others as alone', () => {
		expect(safeText('\u{11A84} \u0600')).toBe('‹U+11A84› ‹U+0600›');
	});

	test('keeps line breaks and widens tabs where several lines are allowed', () => {
		expect(safeText('a\n\tb\r', {multiline: true})).toBe('a\n  b␍');
	});

	test.each(['single', 'multiline'])('leaves no control character in, in %s texts', kind => {
		const allowed = kind === 'multiline' ? /[\0-\t\v-\u{1F}\u{7F}-\u{9F}]/u : /[\0-\u{1F}\u{7F}-\u{9F}]/u;
		fc.assert(fc.property(anyText, text => !allowed.test(safeText(text, {multiline: kind === 'multiline'}))));
	});

	test('leaves nothing invisible or reordering in', () => {
		const hidden = /[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
		const visibleFormat = /[\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}\u{FFF9}-\u{FFFB}\u{110BD}\u{110CD}]/gu;
		fc.assert(fc.property(anyText, text => !hidden.test(safeText(text).replaceAll(visibleFormat, ''))));
	});

	test('halves of a sign do not meet when what is between them goes', () => {
		expect(safeText('\uD83C\uFE0F\uDFFB')).toBe('‹U+D83C›‹U+DFFB›');
	});

	test('changes nothing the second time', () => {
		fc.assert(
			fc.property(anyText, fc.boolean(), (text, multiline) => {
				const once = safeText(text, {multiline});
				expect(safeText(once, {multiline})).toBe(once);
			}),
		);
	});

	test('says how much was cut, in code points', () => {
		expect(safeText('🙂'.repeat(12), {maximumCharacters: 10})).toBe(`${'🙂'.repeat(10)}… 2 more`);
	});

	test('does not cut a text of just the allowed length', () => {
		expect(safeText('🙂'.repeat(10), {maximumCharacters: 10})).toBe('🙂'.repeat(10));
	});

	test('bounds its work on a huge text', () => {
		const shown = safeText('x'.repeat(5_000_000), {maximumCharacters: 10});
		expect(shown).toBe(`${'x'.repeat(10)}… 4,999,990 more`);
	});
});

test.each([
	['garden', true],
	['日本 🙂 naïve', true],
	['docs ❤\uFE0F', true],
	['a\u001Bb', false],
	['a\u009Bb', false],
	['a\u202Eb', false],
	['a\u200Bb', false],
	['日\nb', false],
])('that all of %j can be seen is %j', (text, expected) => {
	expect([isVisible(text), isVisible(text)]).toEqual([expected, expected]);
});
