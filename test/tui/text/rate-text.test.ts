import {expect, test} from 'vitest';
import {draftSeries, emptySeries} from '../../../source/state/rate-series.ts';
import {countText, rateWords, sparkline, withoutBars} from '../../../source/tui/text/rate-text.ts';
import {drawUiGlyphs} from '../../../source/util/characters/ui-glyphs.ts';

const now = 1_700_000_000_000;

test.each([
	['fewer than came', 214, 3, '214 in the last minute, 3 failed'],
	['all that came', 214, 214, '214 in the last minute, 214 failed'],
	[
		'more than came, since some came earlier',
		214,
		1215,
		'214 in the last minute, 1,215 failed, earlier ones among them',
	],
	['of what came earlier alone', 0, 2, '0 in the last minute, 2 failed, earlier ones among them'],
])('where %s failed, the counts do not contradict each other', (_, came, failed, words) => {
	const draft = draftSeries(emptySeries);
	for (let index = 0; index < came; index++) {
		draft.add({time: now, count: 1, failed: 0});
	}

	for (let index = 0; index < failed; index++) {
		draft.add({time: now, count: 0, failed: 1});
	}

	expect(rateWords(draft.result(), now).split(' · ')[0]?.replaceAll('\u{E000}', '')).toContain(words);
});

const part = (count: number, failed = 0) => ({count, failed});
const drawn = (line: ReturnType<typeof sparkline>, charset: 'unicode' | 'ascii' = 'unicode') =>
	line.map(({text, tone}) => [drawUiGlyphs(text, charset), tone]);

test.each([
	['nothing', [part(0), part(0)], [['  ', 'normal']], [['  ', 'normal']]],
	['small counts, which do not fill a cell', [part(1), part(0), part(4)], [['▁ ▄', 'normal']], [['_ -', 'normal']]],
	['large counts, of which the largest does', [part(10), part(1000)], [['▁█', 'normal']], [['_#', 'normal']]],
	[
		'failures between successes',
		[part(30), part(30, 10), part(15, 15), part(30)],
		[
			['█', 'normal'],
			['▓', 'busy'],
			['▒', 'bad'],
			['█', 'normal'],
		],
		[
			['#', 'normal'],
			['%', 'busy'],
			['X', 'bad'],
			['#', 'normal'],
		],
	],
	['a failure that came later than what failed', [part(0, 1)], [['░', 'bad']], [['x', 'bad']]],
])('bars of %s', (_, parts, unicode, ascii) => {
	expect(drawn(sparkline(parts))).toEqual(unicode);
	expect(drawn(sparkline(parts), 'ascii')).toEqual(ascii);
});

test('a bar with failures has a sign that no other bar has, with and without ASCII, and none is read aloud', () => {
	for (const charset of ['unicode', 'ascii'] as const) {
		const signs = (failed: 0 | 1) =>
			[1, 2, 3, 4, 5, 6, 7, 8, 80, 800].map(
				count => drawn(sparkline([part(count, failed), part(8)]), charset)[0]?.[0]?.[0],
			);
		expect(signs(0).filter(sign => signs(1).includes(sign))).toEqual([]);
		expect(new Set(signs(1)).size).toBe(3);
	}

	const line = drawn(sparkline([part(9), part(9, 3), part(9, 9)])).map(([text]) => text);
	expect(withoutBars(`push ${line.join('')} 12`)).toBe('push   12');
});

test.each([
	[0, '0'],
	[9999, '9,999'],
	[12_345, '12k'],
	[999_499, '999k'],
])('%d is counted as %s', (count, text) => {
	expect(countText(count)).toBe(text);
});
