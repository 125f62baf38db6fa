import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {nextTurns, originName, readOriginName, type RunningCount} from '../../source/journal/rows/run-turns.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, sampleRun} from '../helpers/journal-records.ts';
import {journalEngines, newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode} from '../helpers/journal-nodes.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';

const ofRoute = (route: string) => originName({profile: 'default', route});
const waitingOf = (...routes: readonly string[]) =>
	routes.map((route, index) => ({origin: ofRoute(route), first: index + 1}));
const runningOf = (counts: Readonly<Record<string, number>>, slot: RunningCount['slot'] = 'held') =>
	Object.entries(counts).map(([route, count]) => ({origin: ofRoute(route), slot, count}));
const routesOf = (turns: readonly string[]) => turns.map(turn => readOriginName(turn).route).join(' ');

describe('the next turns', () => {
	const waiting = waitingOf('a', 'b', 'c');

	test.each<[string, Parameters<typeof nextTurns>[0], Parameters<typeof nextTurns>[1], string]>([
		['go round', {waiting, running: []}, {limit: 5}, 'a b c a b'],
		[
			'begin with the origin that has the fewest runs',
			{waiting, running: runningOf({a: 2, b: 1})},
			{limit: 4},
			'c b c a',
		],
		['do not count runs that wait for a person', {waiting, running: runningOf({a: 9}, 'waiting')}, {limit: 3}, 'a b c'],
		['count runs that want their slot back', {waiting, running: runningOf({a: 1}, 'returning')}, {limit: 2}, 'b c'],
		[
			'go to the origin whose turn was the longest ago',
			{waiting, running: []},
			{limit: 3, served: [ofRoute('b'), ofRoute('a'), ofRoute('c')]},
			'b a c',
		],
		[
			'go to an origin that had none before',
			{waiting, running: []},
			{limit: 3, served: [ofRoute('a'), ofRoute('b')]},
			'c a b',
		],
		[
			'leave out a route without a slot',
			{waiting, running: runningOf({a: 1})},
			{
				limit: 4,
				maxRuns: new Map([
					['a', 1],
					['b', 2],
				]),
			},
			'b c b c',
		],
		[
			'leave out withheld routes',
			{waiting, running: []},
			{limit: 3, withheld: {routes: ['a', 'c'], jobs: []}},
			'b b b',
		],
		['are none when nothing may be taken', {waiting, running: []}, {limit: 3, withoutProfiles: ['default']}, ''],
	])('%s', (_title, queue, query, expected) => {
		expect(routesOf(nextTurns(queue, query))).toBe(expected);
	});

	test('leave out withheld jobs, and count the runs of a job that a route fires for the route', () => {
		const job = originName({profile: 'default', route: 'a', job: 'report'});
		const queue = {
			waiting: [{origin: job, first: 1}, ...waiting],
			running: [{origin: job, slot: 'held' as const, count: 1}],
		};
		expect(nextTurns(queue, {limit: 1, withheld: {routes: [], jobs: ['report']}})).toEqual([ofRoute('a')]);
		expect(routesOf(nextTurns(queue, {limit: 2, maxRuns: new Map([['a', 1]])}))).toBe('b c');
		expect(
			nextTurns(queue, {limit: 9, maxRuns: new Map([['a', 3]])}).filter(turn => readOriginName(turn).route === 'a'),
		).toHaveLength(2);
	});

	test('read a name of an origin as it was written, and any other text as none', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), fc.string(), (profile, route, job) => {
				expect(readOriginName(originName({profile, route, job}))).toEqual({profile, route, job});
			}),
		);
		expect(['', 'x', '[]', '{"a":1}'].map(readOriginName)).toEqual(
			Array.from({length: 4}, () => ({profile: '', route: '', job: ''})),
		);
	});
});

describe.each(journalEngines)('the queue of $engine', ({open}) => {
	const fill = async (counts: Readonly<Record<string, number>>) => {
		const journal = await open({clock: createFakeClock()});
		for (const [route, count] of Object.entries(counts)) {
			for (let index = 0; index < count; index++) {
				await acceptRun(journal, sampleRun({id: `${route}${index}`, route}));
			}
		}

		return journal;
	};

	const ids = (runs: ReadonlyArray<{readonly id: string}>) => runs.map(({id}) => id).join(' ');

	test('gives turns to routes, and the runs of one as they came', async () => {
		const journal = await fill({flood: 5, few: 2});
		expect(ids(await journal.nextQueuedRuns(6))).toBe('flood0 few0 flood1 few1 flood2');
		await journal.moveQueuedRuns(['flood0', 'flood1'], {state: 'running'});
		expect(ids(await journal.nextQueuedRuns(3))).toBe('few0 few1 flood2');
		await journal.requeueRun('flood0', 'once more');
		expect(ids(await journal.nextQueuedRuns(4, {served: [ofRoute('flood')]}))).toBe('few0 flood0 few1 flood2');
	});

	test('leaves withheld origins waiting', async () => {
		const journal = await fill({flood: 2, few: 1});
		await journal.queueRun(sampleRun({id: 'job', eventId: '', route: '', job: 'report'}));
		const next = async (routes: readonly string[], jobs: readonly string[]) =>
			ids(await journal.nextQueuedRuns(9, {withheld: {routes, jobs}}));
		expect(
			await Promise.all([next([], []), next(['flood'], []), next([], ['report']), next(['few', 'flood'], ['report'])]),
		).toEqual(['flood0 few0 job flood1', 'few0 job', 'flood0 few0 flood1', '']);
	});

	test('begins no more runs of a route than it may have, also of those that were read before', async () => {
		const journal = await fill({flood: 3, few: 2});
		const maxRuns = new Map([['flood', 2]]);
		const move = (...moved: readonly string[]) => journal.moveQueuedRuns(moved, {state: 'running'}, maxRuns);
		expect(await move('flood0', 'flood1', 'flood2', 'few0', 'few1')).toEqual(
			new Set(['flood0', 'flood1', 'few0', 'few1']),
		);
		expect(await move('flood2')).toEqual(new Set());
		expect(ids(await journal.nextQueuedRuns(9, {maxRuns}))).toBe('');
		await journal.finishRun('flood1', {state: 'finished', result: {}});
		expect(ids(await journal.nextQueuedRuns(9, {maxRuns}))).toBe('flood2');
		expect(await move('flood2')).toEqual(new Set(['flood2']));
	});

	test('has a run that waited for a person go on before a queued one', async () => {
		const journal = await fill({flood: 3});
		const maxRuns = new Map([['flood', 1]]);
		const limit = {route: 'flood', maxRuns: 1};
		const move = (id: string) => journal.moveQueuedRuns([id], {state: 'running'}, maxRuns);
		await move('flood0');
		journal.giveRunSlotBack('flood0');
		expect([...(await move('flood1'))]).toEqual(['flood1']);
		expect(await journal.takeRunSlotBack('flood0', limit)).toBe(false);
		await journal.finishRun('flood1', {state: 'finished', result: {}});
		expect([...(await move('flood2'))]).toEqual([]);
		expect(await journal.takeRunSlotBack('flood0', limit)).toBe(true);
		expect(await journal.takeRunSlotBack('flood0', limit)).toBe(true);
		expect([...(await move('flood2'))]).toEqual([]);
		await journal.requeueRun('flood0', 'once more');
		expect([...(await move('flood0'))]).toEqual(['flood0']);
		journal.giveRunSlotBack('flood0');
		expect(await journal.takeRunSlotBack('flood0')).toBe(true);
	});
});

test.skipIf(!hasPostgres)('two gateways that take at once have no more runs of a route than it may have', async () => {
	const place = await newPostgresPlace();
	const nodes = [await openNode(place, 'web-1'), await openNode(place, 'web-2')] as const;
	const [{journal: first}, {journal: second}] = nodes;
	const all = Array.from({length: 40}, (_, index) => `run-${index}`);
	for (const id of all) {
		await first.queueRun(sampleRun({id, eventId: '', route: 'slow'}));
	}

	const maxRuns = new Map([['slow', 3]]);
	const running = new Set<string>();
	for (let round = 0; round < 10; round++) {
		const offers = await Promise.all(nodes.map(({journal}) => journal.nextQueuedRuns(5, {maxRuns: new Map()})));
		const moved = await Promise.all(
			nodes.map(({journal}, index) =>
				journal.moveQueuedRuns(
					(offers[index] ?? []).toReversed().map(({id}) => id),
					{state: 'running'},
					maxRuns,
				),
			),
		);
		moved.flatMap(ids => [...ids]).forEach(id => running.add(id));
		const stored = await second.listRuns({states: ['running'], limit: 50});
		expect(stored.map(({id}) => id).toSorted()).toEqual([...running].toSorted());
		expect(running.size).toBe(3);
		const [done = ''] = running;
		running.delete(done);
		await Promise.all(nodes.map(({journal}) => journal.finishRun(done, {state: 'finished', result: {}})));
	}
});
