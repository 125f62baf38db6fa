import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {pagePart, partCharacters, type FullPage} from '../../../source/gateway/pages/page-part.ts';

const page = (...texts: readonly string[]): FullPage => ({
	subject: {kind: 'call', callId: 'c1'},
	title: 'Call c1',
	sections: texts.map((text, index) => ({title: `Section ${index}`, text})),
});

function allParts(whole: FullPage) {
	const first = pagePart(whole);
	const count = first.part?.of ?? 1;
	return [first, ...Array.from({length: count - 1}, (_, index) => pagePart(whole, index + 2))];
}

test('a short page is whole and has no parts', () => {
	expect(pagePart(page('one', 'two'))).toEqual({type: 'view.page', ...page('one', 'two')});
});

test('a long page comes in parts that are bounded and leave nothing out', () => {
	const line = `${'x'.repeat(99)}\n`;
	const parts = allParts(page('head', line.repeat(500), 'tail'));
	expect(parts.map(({part}) => part)).toEqual([1, 2, 3].map(number => ({number, of: 3})));
	const sections = parts.flatMap(part => part.sections);
	expect(sections.map(({title}) => title)).toEqual([
		'Section 0',
		'Section 1',
		'Section 1 (continued)',
		'Section 1 (continued)',
		'Section 2',
	]);
	const body = sections.filter(({title}) => title.startsWith('Section 1')).map(({text}) => text);
	expect(body.join('\n')).toBe(line.repeat(500));
});

test('whatever the texts, no part is too long and the characters are all there', () => {
	const texts = fc.array(
		fc.string({unit: fc.constantFrom('a', '\n', '\u{1F642}', 'bcdefgh'), maxLength: 3 * partCharacters}),
		{
			maxLength: 4,
			size: 'max',
		},
	);
	fc.assert(
		fc.property(texts, given => {
			const parts = allParts(page(...given));
			const shown = parts.map(({sections}) => sections.map(({text}) => text).join(''));
			expect(Math.max(0, ...shown.map(text => text.length))).toBeLessThanOrEqual(partCharacters);
			expect(shown.join('').replaceAll('\n', '')).toBe(given.join('').replaceAll('\n', ''));
		}),
		{numRuns: 20},
	);
});

test('a number that is too high is the last part, and texts are made harmless', () => {
	const long = page('x'.repeat(partCharacters + 1));
	expect(pagePart(long, 99).part).toEqual({number: 2, of: 2});
	expect(pagePart(page('\u001B[2J\u202E')).sections[0]?.text).toBe('␛[2J‹U+202E›');
});
