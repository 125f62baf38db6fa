import {expect, test} from 'vitest';
import {type QuotaBlock, type QuotaQuery} from '../../../source/journal/operations/operation-values.ts';
import {createSharedRateLimit} from '../../../source/webhooks/http/shared-rate-limit.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

/** A limiter whose journal grants the next of these blocks, or throws the next of these errors; `asked` has what it was asked for. */
function openLimiter(...answers: ReadonlyArray<QuotaBlock | Error>) {
	const clock = createFakeClock();
	const asked: Array<readonly [string, QuotaQuery]> = [];
	const reported: unknown[] = [];
	const journal = {
		delay: 0,
		async takeQuotaBlock(...query: readonly [string, QuotaQuery]) {
			asked.push(query);
			const answer = answers[asked.length - 1] ?? new Error('asked once too often');
			await (journal.delay && new Promise<void>(resolve => clock.after(journal.delay, resolve)));
			if (answer instanceof Error) {
				throw answer;
			}

			return answer;
		},
	};
	const {takeQuota} = createSharedRateLimit({clock, journal, report: caught => reported.push(caught)});
	const take = (count: number, route = 'r', limit = 30) =>
		Promise.all(Array.from({length: count}, () => takeQuota(route, limit)));
	return {clock, journal, asked, reported, take};
}

const block = (granted: number, leftMilliseconds = 60_000): QuotaBlock => ({granted, leftMilliseconds});
const passed = undefined;
const limited = (retryAfterSeconds: number) => ({kind: 'rate-limited', retryAfterSeconds});

test('a block is counted down without asking, and what waits for the next one shares the question', async () => {
	const {asked, take} = openLimiter(block(3), block(4));
	expect(await take(5)).toEqual([passed, passed, passed, passed, passed]);
	expect(await take(2)).toEqual([passed, passed]);
	expect(
		asked.map(([route, {limit, wanted, windowMilliseconds}]) => [route, limit, wanted, windowMilliseconds]),
	).toEqual([
		['r', 30, 1, 60_000],
		['r', 30, 2, 60_000],
	]);
});

test('that nothing is left is asked once a window, and said with the whole seconds to its end', async () => {
	const {clock, asked, take} = openLimiter(block(1, 20_500), block(0, 20_100), block(3));
	expect(await take(3)).toEqual([passed, limited(21), limited(21)]);
	await clock.advance(20_099);
	expect(await take(100)).toEqual(Array.from({length: 100}, () => limited(1)));
	expect(asked).toHaveLength(2);
	await clock.advance(1);
	expect(await take(1)).toEqual([passed]);
});

test('what is left of a block ends with its window, counted from the question', async () => {
	const {clock, journal, asked, take} = openLimiter(block(10, 1000), block(10, 1000), block(10, 100), block(5));
	expect(await take(1)).toEqual([passed]);
	await clock.advance(999);
	expect(await take(1)).toEqual([passed]);
	await clock.advance(1);
	journal.delay = 400;
	const slow = take(1);
	await clock.advance(400);
	expect(await slow).toEqual([passed]);
	await clock.advance(599);
	expect([await take(1), asked.length]).toEqual([[passed], 2]);
	await clock.advance(1);
	// The answer to the third question is too late for its window.
	const late = take(1);
	await clock.advance(800);
	expect([await late, asked.length]).toEqual([[passed], 4]);
});

test('each route, and each limit, has a block of its own', async () => {
	const {asked, take} = openLimiter(block(3), block(3), block(0), block(3));
	await take(1, 'first', 30);
	await take(1, 'second', 30);
	expect(await take(1, 'first', 10)).toEqual([limited(60)]);
	expect(await take(1, 'first', 30)).toEqual([passed]);
	expect(asked.map(([route, {limit}]) => `${route} ${limit}`)).toEqual([
		'first 30',
		'second 30',
		'first 10',
		'first 30',
	]);
});

test('a journal that cannot be asked refuses all that wait with one report, and is asked again by the next', async () => {
	const {reported, take, clock} = openLimiter(block(1), new Error('away'), block(3));
	const unavailable = {kind: 'storage-unavailable'};
	expect(await take(4)).toEqual([passed, unavailable, unavailable, unavailable]);
	expect(reported).toEqual([new Error('away')]);
	await clock.settle();
	expect(await take(2)).toEqual([passed, passed]);
});
