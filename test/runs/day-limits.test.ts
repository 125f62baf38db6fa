import {describe, expect, test} from 'vitest';
import {type LimitsConfig, noLimits} from '../../source/config/read/limits-config.ts';
import {type DayLimitRow, type SpendingRow} from '../../source/journal/rows/spending-rows.ts';
import {
	allDayLimits,
	clientLimit,
	dayLimitsOf,
	hasDayLimits,
	nearLimits,
	passedLimits,
	spendingParts,
	withheldBy,
} from '../../source/runs/day-limits.ts';

const limits: LimitsConfig = {
	...noLimits,
	day: {tokens: 1000, microUsd: 5_000_000},
	routes: new Map([['github', {tokens: 100, runs: 3}]]),
	jobs: new Map([['report', {runs: 1}]]),
	clients: new Map([['codex', 10]]),
};

const row = (changes: Partial<SpendingRow>): SpendingRow => ({
	scope: 'all',
	name: '',
	inputTokens: 0,
	outputTokens: 0,
	microUsd: 0,
	runs: 0,
	calls: 0,
	...changes,
});

const paths = (found: ReadonlyArray<{readonly path: string}>) => found.map(({path}) => path);

describe('the limits that apply', () => {
	test.each([
		['nothing in particular', {}, ['limits.day.tokens', 'limits.day.usd']],
		[
			'a route',
			{route: 'github'},
			['limits.day.tokens', 'limits.day.usd', 'limits.routes.github.day.tokens', 'limits.routes.github.day.runs'],
		],
		['another route', {route: 'gitlab'}, ['limits.day.tokens', 'limits.day.usd']],
		[
			'a job that a route fired',
			{route: 'gitlab', job: 'report'},
			['limits.day.tokens', 'limits.day.usd', 'limits.jobs.report.day.runs'],
		],
		['a name that every object has', {route: 'constructor'}, ['limits.day.tokens', 'limits.day.usd']],
	])('to %s', (_what, work, found) => {
		expect(paths(dayLimitsOf(limits, work))).toEqual(found);
	});

	test('to a client are those of its name', () => {
		expect(clientLimit(limits, 'codex')).toMatchObject({path: 'limits.clients.codex.day.calls', bound: 10});
		expect(clientLimit(limits, 'other')).toBeUndefined();
	});

	test('are all that there are', () => {
		expect(paths(allDayLimits(limits))).toEqual([
			'limits.day.tokens',
			'limits.day.usd',
			'limits.routes.github.day.tokens',
			'limits.routes.github.day.runs',
			'limits.jobs.report.day.runs',
			'limits.clients.codex.day.calls',
		]);
		expect([hasDayLimits(limits), hasDayLimits({...noLimits, run: {tokens: 1}}), hasDayLimits(noLimits)]).toEqual([
			true,
			false,
			false,
		]);
	});
});

test('a scope has all its bounds but those that are lifted, and all work comes first', () => {
	const parts = spendingParts(dayLimitsOf(limits, {route: 'github'}), ({path}) => path === 'limits.day.usd');
	expect(parts).toEqual([
		{scope: 'all', name: '', bounds: {tokens: 1000}},
		{scope: 'route', name: 'github', bounds: {tokens: 100, runs: 3}},
	]);
});

describe('a limit', () => {
	const some = dayLimitsOf(limits, {route: 'github'});
	const more = {inputTokens: 50, outputTokens: 51, microUsd: 0, runs: 0, calls: 0};

	test.each([
		['below it', 899, []],
		['up to it', 898, []],
		['beyond it', 900, ['limits.day.tokens']],
	])('is passed by amounts that lead %s', (_how, spent, passed) => {
		expect(paths(passedLimits(some, row({inputTokens: spent}), more))).toEqual(passed);
	});

	test('is not passed by what does not grow', () => {
		const full = row({scope: 'route', name: 'github', runs: 3});
		expect(paths(passedLimits(some, full, {...more, inputTokens: 1, outputTokens: 0}))).toEqual([]);
		expect(paths(passedLimits(some, full, {...more, inputTokens: 1, outputTokens: 0, runs: 1}))).toEqual([
			'limits.routes.github.day.runs',
		]);
	});

	test.each([
		[799, []],
		[800, ['limits.day.tokens']],
	])('is near at its share: %d of 1000 at 80 percent', (spent, near) => {
		expect(paths(nearLimits(some, row({outputTokens: spent}), 80))).toEqual(near);
	});
});

describe('runs are withheld', () => {
	const rowOf = (path: string, bound: number, state: DayLimitRow['state']): DayLimitRow => ({
		date: 20260131,
		path,
		bound,
		state,
	});

	test.each<[string, DayLimitRow[], ReturnType<typeof withheldBy>]>([
		['by nothing', [], {routes: [], jobs: []}],
		['by one of all work', [rowOf('limits.day.tokens', 1000, 'open')], 'all'],
		['by a denied one', [rowOf('limits.routes.github.day.runs', 3, 'denied')], {routes: ['github'], jobs: []}],
		['by one of a job', [rowOf('limits.jobs.report.day.runs', 1, 'open')], {routes: [], jobs: ['report']}],
		['by none that is lifted', [rowOf('limits.day.tokens', 1000, 'allowed')], {routes: [], jobs: []}],
		['by none that is near', [rowOf('limits.day.tokens', 1000, 'near')], {routes: [], jobs: []}],
		['by none that has another amount now', [rowOf('limits.day.tokens', 900, 'open')], {routes: [], jobs: []}],
		['by no client', [rowOf('limits.clients.codex.day.calls', 10, 'open')], {routes: [], jobs: []}],
	])('%s', (_what, rows, withheld) => {
		expect(withheldBy(allDayLimits(limits), rows)).toEqual(withheld);
	});
});
