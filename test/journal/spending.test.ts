import {describe, expect, test} from 'vitest';
import {type SpendingBounds, type SpentAmounts} from '../../source/journal/rows/spending-rows.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines, newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';

const date = 20260131;
const nothing: SpentAmounts = {inputTokens: 0, outputTokens: 0, microUsd: 0, runs: 0, calls: 0};
const all = (bounds: SpendingBounds = {}) => ({scope: 'all', name: '', bounds}) as const;
const route = (bounds: SpendingBounds = {}) => ({scope: 'route', name: 'github', bounds}) as const;
const limit = {date, path: 'limits.day.tokens', bound: 100};
const origin = {kind: 'run', runId: 'r', route: 'github', deliveryId: 'd'} as const;

describe.each(journalEngines)('on $engine', ({open, newPlace, leftOf}) => {
	test('amounts are counted for each scope, apart for each day', async () => {
		const journal = await open({clock: createFakeClock()});
		const amounts = {...nothing, inputTokens: 5, outputTokens: 6, microUsd: 7, runs: 1};
		await journal.reserveSpending({date, parts: [all(), route()], amounts});
		expect(await journal.reserveSpending({date, parts: [all()], amounts})).toEqual({
			kind: 'reserved',
			rows: [{scope: 'all', name: '', inputTokens: 10, outputTokens: 12, microUsd: 14, runs: 2, calls: 0}],
		});
		const {spending} = await journal.listSpending(date);
		expect(spending.toSorted((one, other) => one.scope.localeCompare(other.scope))).toEqual([
			{scope: 'all', name: '', inputTokens: 10, outputTokens: 12, microUsd: 14, runs: 2, calls: 0},
			{scope: 'route', name: 'github', inputTokens: 5, outputTokens: 6, microUsd: 7, runs: 1, calls: 0},
		]);
		expect(await journal.listSpending(date + 1)).toEqual({spending: [], limits: []});
	});

	test.each<[string, SpendingBounds, Partial<SpentAmounts>]>([
		['tokens', {tokens: 10}, {inputTokens: 6, outputTokens: 4}],
		['dollars', {microUsd: 10}, {microUsd: 10}],
		['runs', {runs: 1}, {runs: 1}],
		['calls', {calls: 1}, {calls: 1}],
	])('a bound of %s is reached exactly, and passed by nothing', async (_what, bounds, more) => {
		const journal = await open({clock: createFakeClock()});
		const amounts = {...nothing, ...more};
		expect(await journal.reserveSpending({date, parts: [all(bounds)], amounts})).toMatchObject({kind: 'reserved'});
		expect(await journal.reserveSpending({date, parts: [all(bounds)], amounts})).toMatchObject({
			kind: 'reached',
			row: more,
		});
		// An amount that does not grow passes no bound.
		const others = {...nothing, inputTokens: 1, ...('inputTokens' in more && {inputTokens: 0, runs: 1})};
		expect(await journal.reserveSpending({date, parts: [all(bounds)], amounts: others})).toMatchObject({
			kind: 'reserved',
		});
	});

	test('amounts that one scope refuses are counted for none', async () => {
		const journal = await open({clock: createFakeClock()});
		const amounts = {...nothing, inputTokens: 5};
		const parts = [all({tokens: 100}), route({tokens: 4})];
		expect(await journal.reserveSpending({date, parts, amounts})).toMatchObject({
			kind: 'reached',
			row: {scope: 'route', name: 'github', inputTokens: 0},
		});
		expect((await journal.listSpending(date)).spending).toMatchObject([
			{scope: 'all', inputTokens: 0},
			{scope: 'route', inputTokens: 0},
		]);
	});

	test('a reservation is corrected to what was spent, whatever the bounds', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.reserveSpending({
			date,
			parts: [all({tokens: 10})],
			amounts: {...nothing, inputTokens: 6, outputTokens: 4},
		});
		const amounts = {...nothing, inputTokens: -2, outputTokens: 100};
		expect(await journal.correctSpending({date, names: [all()], amounts})).toMatchObject([
			{scope: 'all', inputTokens: 4, outputTokens: 104},
		]);
	});

	test('reservations at the same time never pass a bound together', async () => {
		const journal = await open({clock: createFakeClock()});
		const amounts = {...nothing, inputTokens: 10};
		const outcomes = await Promise.all(
			Array.from({length: 20}, async () =>
				journal.reserveSpending({date, parts: [all({tokens: 75}), route()], amounts}),
			),
		);
		expect(outcomes.filter(({kind}) => kind === 'reserved')).toHaveLength(7);
		const {spending} = await journal.listSpending(date);
		expect(spending.map(({inputTokens}) => inputTokens)).toEqual([70, 70]);
	});

	test('a limit is noted once near and once open, and lifted for the day whatever its amount', async () => {
		const journal = await open({clock: createFakeClock()});
		const mark = (state: 'near' | 'open', bound = 100) => journal.markLimit({...limit, bound, state, origin});
		expect([await mark('near'), await mark('near'), await mark('open'), await mark('open')]).toEqual([
			true,
			false,
			true,
			false,
		]);
		expect((await journal.listSpending(date)).limits).toEqual([{...limit, state: 'open', origin}]);
		expect(await mark('near')).toBe(false);
		expect([await mark('near', 200), await mark('open', 200)]).toEqual([true, true]);
		expect(await journal.endLimit(limit, {state: 'allowed', by: 'cli'})).toBe(false);
		const now = {...limit, bound: 200};
		expect(await journal.endLimit(now, {state: 'allowed', by: 'cli'})).toBe(true);
		expect(await journal.endLimit(now, {state: 'denied', by: 'cli'})).toBe(false);
		expect([await mark('open', 200), await mark('open', 300)]).toEqual([false, false]);
		expect((await journal.listSpending(date)).limits).toEqual([{...now, state: 'allowed', origin, by: 'cli'}]);
	});

	test('amounts and limits are there after a hard kill', async () => {
		const place = await newPlace();
		const journal = await open({clock: createFakeClock(), place});
		await journal.reserveSpending({date, parts: [all()], amounts: {...nothing, inputTokens: 5}});
		await journal.markLimit({...limit, state: 'open'});
		await journal.endLimit(limit, {state: 'allowed', by: 'console:1'});
		const before = await journal.listSpending(date);
		const left = await open({clock: createFakeClock(), place: leftOf(place)});
		expect(await left.listSpending(date)).toEqual(before);
		expect(before).toMatchObject({spending: [{inputTokens: 5}], limits: [{state: 'allowed'}]});
	});

	test('spending of days that are too old goes, and that of the day and those next to it stays', async () => {
		// 2023-11-14, 22:13 UTC.
		const clock = createFakeClock();
		const journal = await open({clock, maxAgeDays: 3});
		const dates = [20231108, 20231113, 20231114, 20231115];
		for (const of of dates) {
			await journal.reserveSpending({date: of, parts: [all()], amounts: {...nothing, inputTokens: 5}});
			await journal.markLimit({...limit, date: of, state: 'open'});
		}

		const kept = async () => {
			const days = await Promise.all(dates.map(of => journal.listSpending(of)));
			return dates.filter((_, index) => (days[index]?.spending.length ?? 0) + (days[index]?.limits.length ?? 0) > 0);
		};
		expect(await kept()).toEqual(dates);
		journal.prune();
		await expect.poll(kept).toEqual(dates.slice(1));
	});
});

describe.skipIf(!hasPostgres)('two gateways on one database', () => {
	test('pass no bound together, and one of them asks', async () => {
		const place = await newPostgresPlace();
		const [one, two] = [await openNode(place, 'web-1'), await openNode(place, 'web-2')];
		const amounts = {...nothing, inputTokens: 10};
		const outcomes = await Promise.all(
			[one, two].flatMap(({journal}) =>
				Array.from({length: 10}, async () =>
					journal.reserveSpending({date, parts: [all({tokens: 75}), route()], amounts}),
				),
			),
		);
		expect(outcomes.filter(({kind}) => kind === 'reserved')).toHaveLength(7);
		const marks = await Promise.all([one, two].map(({journal}) => journal.markLimit({...limit, state: 'open'})));
		expect(marks.filter(Boolean)).toHaveLength(1);
		expect(await one.journal.claimLimit(limit)).toBe(true);
		expect([await two.journal.claimLimit(limit), await one.journal.claimLimit(limit)]).toEqual([false, true]);
		await one.journal.close();
		expect(await two.journal.claimLimit(limit)).toBe(true);
	});
});
