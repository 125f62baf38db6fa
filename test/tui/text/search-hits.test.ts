import {expect, test} from 'vitest';
import {foundFrom, foundText, hitRows, withHit} from '../../../source/tui/text/search-hits.ts';
import {uiText} from '../../../source/util/characters/ui-glyphs.ts';
import {type Line, span} from '../../../source/tui/text/span.ts';

const lines: readonly Line[] = [
	[span(' label   ', 'dim'), span('The first')],
	[span(' wrapped at a')],
	[span(' blank')],
	[span('  '), span('split any'), span(uiText`…`, 'dim')],
	[span(' '), span(uiText`…`, 'dim'), span('where. A (first) one')],
];

test.each([
	['of both cases', 'the FIRST', [0]],
	['several', 'first', [0, 4]],
	['over pieces of one line', 'label the', [0]],
	['that a line break divides at a blank', 'at a blank', [1]],
	['that a line break divides within a word', 'anywhere', [3]],
	['with characters of patterns', '(first)', [4]],
	['that are not there', 'second', []],
	['of nothing but a pattern', '.*', []],
])('words are found: %s', (_, words, rows) => {
	expect(hitRows(words, lines)).toEqual(rows);
});

test('a search begins at what is on the screen, goes on, and around', () => {
	const text = {words: 'first', lines};
	const first = foundFrom(text, {scroll: 1});
	expect(foundText(first)).toBe('2 of 2 first');
	const next = foundFrom(text, {last: first, distance: 1});
	expect(foundText(next)).toBe('1 of 2 first');
	expect(foundText(foundFrom(text, {last: next, distance: -1}))).toBe('2 of 2 first');
});

test('rows that came meanwhile are searched too', () => {
	const first = foundFrom({words: 'first', lines}, {scroll: 0});
	const more = [[span('first of all')], ...lines];
	expect(foundFrom({words: 'first', lines: more}, {last: first, distance: 1})).toMatchObject({rows: [0, 1, 5], at: 1});
});

test('only the hit that was jumped to stands out', () => {
	const found = {words: 'first', rows: [0, 4], at: 1};
	const shown = withHit(lines.slice(3), 3, found);
	expect(shown[0]).toBe(lines[3]);
	expect(shown[1]?.every(({tone}) => tone === 'selected')).toBe(true);
});

test('a text of a megabyte is searched within a key press', () => {
	const long = Array.from({length: 20_000}, (_, row): Line => [span(`${'a'.repeat(50)} ${row}`)]);
	const before = process.cpuUsage().user;
	expect(hitRows(`${'a'.repeat(100)}b`, long)).toEqual([]);
	expect((process.cpuUsage().user - before) / 1000).toBeLessThan(2000);
});
