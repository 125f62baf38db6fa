import {describe, expect, test} from 'vitest';
import {
	totalsByPart,
	draftSeries,
	emptySeries,
	failedShare,
	lastHour,
	lastMinute,
	medianMilliseconds,
	type RateSample,
	type RateSeries,
	seriesSpan,
} from '../../source/state/rate-series.ts';

const start = 1_700_000_000_000;
const second = 1000;
const minute = 60_000;

function sample(after: number, change: Partial<RateSample> = {}): RateSample {
	return {time: start + after, count: 1, failed: 0, ...change};
}

function seriesOf(samples: readonly RateSample[], series: RateSeries = emptySeries): RateSeries {
	const draft = draftSeries(series);
	samples.forEach(draft.add);
	return draft.result();
}

/** A sequence that looks random and is the same in every run. */
function* numbers(seed: number) {
	for (let value = seed; ; ) {
		value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
		yield value;
	}
}

const many = (seed: number, count: number): RateSample[] => {
	const next = numbers(seed);
	let after = 0;
	return Array.from({length: count}, () => {
		const value = next.next().value ?? 0;
		// Most in order, some a little late, some after a long silence.
		after += value % 97 === 0 ? minute * (value % 90) : value % 2500;
		return sample(after - (value % 7 === 0 ? 3 * second : 0), {
			failed: value % 5 === 0 ? 1 : 0,
			count: value % 11 === 0 ? 0 : 1,
			...(value % 3 !== 0 && {ms: value % 5000}),
		});
	});
};

describe('a series', () => {
	test.each([
		['nothing', [], {count: 0, failed: 0}, {count: 0, failed: 0}, undefined],
		['one', [sample(0)], {count: 1, failed: 0}, {count: 1, failed: 0}, 0],
		['one that failed', [sample(0, {failed: 1})], {count: 1, failed: 1}, {count: 1, failed: 1}, 1],
		['one that failed later', [sample(0, {count: 0, failed: 1})], {count: 0, failed: 1}, {count: 0, failed: 1}, 1],
		[
			'some, half a minute and half an hour ago',
			[sample(-30 * minute, {failed: 1}), sample(-30 * second), sample(0)],
			{count: 2, failed: 0},
			{count: 3, failed: 1},
			0,
		],
		[
			'nothing in the last minute',
			[sample(-30 * minute, {failed: 1}), sample(-20 * minute)],
			{count: 0, failed: 0},
			{count: 2, failed: 1},
			0.5,
		],
		[
			'what is too old',
			[sample(-61 * minute), sample(-61 * second), sample(0)],
			{count: 1, failed: 0},
			{count: 2, failed: 0},
			0,
		],
	] as const)('of %s', (_, samples, ...[inMinute, inHour, share]) => {
		const series = seriesOf(samples);
		expect([lastMinute(series, start), lastHour(series, start), failedShare(series, start)]).toEqual([
			inMinute,
			inHour,
			share,
		]);
	});

	test('moves on with the time at which it is read, without a timer', () => {
		const series = seriesOf([sample(0), sample(0)]);
		expect([59, 60, 61].map(after => lastMinute(series, start + after * second).count)).toEqual([2, 0, 0]);
		expect([59, 60].map(after => lastHour(series, start + after * minute).count)).toEqual([2, 0]);
	});

	test('is unchanged for a holder of the former one', () => {
		const before = seriesOf([sample(0, {ms: 4})]);
		const copy = structuredClone(before);
		seriesOf([sample(0, {ms: 4}), sample(5000)], before);
		expect(before).toEqual(copy);
	});

	test.each([1, 2, 3])('is the same from many at once and one by one (%d)', seed => {
		const samples = many(seed, 3000);
		const oneByOne = samples.reduce((series, one) => seriesOf([one], series), emptySeries);
		expect(seriesOf(samples)).toEqual(oneByOne);
		expect(JSON.parse(JSON.stringify(oneByOne))).toEqual(oneByOne);
	});

	test.each([1, 2, 3])('counts what a list of all would count, and stays small (%d)', seed => {
		const samples = many(seed, 3000);
		const series = seriesOf(samples);
		const now = Math.max(...samples.map(({time}) => time));
		const since = (Math.floor(now / minute) - 59) * minute;
		const recent = samples.filter(({time}) => time >= since);
		expect(lastHour(series, now)).toEqual({
			count: recent.filter(({count}) => count === 1).length,
			failed: recent.filter(({failed}) => failed === 1).length,
		});
		expect(Math.max(series.seconds.length, series.minutes.length)).toBeLessThanOrEqual(seriesSpan);
		expect(series.durations.length).toBeLessThan(201);
		expect(JSON.stringify(series).length).toBeLessThan(6000);
	});

	test('goes on after the clock was set back', () => {
		const series = seriesOf([sample(0), sample(-3 * 60 * minute), sample(-3 * 60 * minute + second)]);
		expect(lastMinute(series, start - 3 * 60 * minute + second)).toEqual({count: 2, failed: 0});
	});

	test('takes in what was counted before a restart', () => {
		const draft = draftSeries(seriesOf([sample(0, {ms: 10})]));
		draft.join(seriesOf([sample(-2 * minute, {ms: 10}), sample(-10 * minute, {failed: 1})]));
		expect(draft.result()).toEqual(
			seriesOf([sample(-10 * minute, {failed: 1}), sample(-2 * minute, {ms: 10}), sample(0, {ms: 10})]),
		);
	});
});

describe('the median', () => {
	test.each([
		[[], undefined],
		[[1], 1],
		[[38], 38],
		[[300], 300],
		[[2, 4, 500], 4],
		[[0], 0],
		[[90_000, 90_000, 1], 90_000],
		[[Number.NaN, Number.POSITIVE_INFINITY, 7], 7],
	] as const)('of %j is %d to 5 %%', (durations, median) => {
		const found = medianMilliseconds(seriesOf(durations.map(ms => sample(0, {ms}))));
		if (median === undefined) {
			expect(found).toBeUndefined();
		} else {
			expect(Math.abs((found ?? Number.NaN) - median)).toBeLessThanOrEqual(median > 64 ? median * 0.05 : 0);
		}
	});

	test('follows the latest thousand', () => {
		const slow = Array.from({length: 5000}, () => sample(0, {ms: 900}));
		const fast = Array.from({length: 1200}, () => sample(0, {ms: 3}));
		expect(Math.round(medianMilliseconds(seriesOf([...slow, ...fast])) ?? 0)).toBe(3);
	});
});

describe('the parts of a span', () => {
	const slots = [
		[100, 1, 0],
		[118, 2, 0],
		[119, 3, 1],
	] as const;

	test.each([
		[
			60,
			119,
			[
				[40, 1],
				[58, 2],
				[59, 3],
			],
		],
		[
			15,
			119,
			[
				[10, 1],
				[14, 5],
			],
		],
		// The newest part has just begun, and the others keep their numbers.
		[
			15,
			120,
			[
				[9, 1],
				[13, 5],
			],
		],
		[
			10,
			119,
			[
				[6, 1],
				[9, 5],
			],
		],
		[5, 1000, []],
	] as const)('%d cells up to %d', (cells, last, filled) => {
		const totals = totalsByPart(slots, {last, cells});
		expect(totals).toHaveLength(cells);
		expect([...totals.entries()].filter(([, {count}]) => count > 0).map(([cell, {count}]) => [cell, count])).toEqual(
			filled,
		);
	});
});
