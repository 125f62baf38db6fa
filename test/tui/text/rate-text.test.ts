import {expect, test} from 'vitest';
import {draftSeries, emptySeries} from '../../../source/state/rate-series.ts';
import {rateWords} from '../../../source/tui/text/rate-text.ts';

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
