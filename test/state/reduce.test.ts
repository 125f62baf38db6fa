import {describe, expect, test} from 'vitest';
import {reduce, reduceAll, ringLimits} from '../../source/state/reduce.ts';
import {type GatewayEvent, type GatewayEventBody} from '../../source/state/event.ts';
import {emptySeries, lastHour, lastMinute} from '../../source/state/rate-series.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';
import {
	approval,
	finished,
	log,
	route,
	run,
	sampleTime,
	server,
	settled,
	snapshotOf,
	stamp,
	started,
	webhook,
} from '../tui/sample-events.ts';

describe('the reducer', () => {
	test('a batch gives what its events give one by one', () => {
		const events = stamp([started(), server('a'), approval('1'), webhook('r'), log('x'), settled('1'), run('9')]);
		expect(reduceAll(emptySnapshot, events)).toEqual(events.reduce(reduce, emptySnapshot));
	});

	test('a batch of more runs than are kept leaves the newest, and inbox items before all others', () => {
		const parked = Array.from({length: 3}, (_, index) => `parked${index}`);
		const many = Array.from({length: ringLimits.runs * 2}, (_, index) => `r${index}`);
		const bodies = [...parked.map(id => run(id, {state: 'inbox'})), ...many.map(id => run(id))];
		const {runs} = reduceAll(emptySnapshot, stamp([...bodies, run('r0', {state: 'finished'})]));
		const ids = [...parked, ...many.slice(parked.length - ringLimits.runs)];
		expect(runs.map(({runId}) => runId)).toEqual(ids);
	});

	test('where every run is an inbox item, the newest are kept', () => {
		const many = Array.from({length: ringLimits.runs + 2}, (_, index) => run(`r${index}`, {state: 'inbox'}));
		const rows = reduceAll(emptySnapshot, stamp(many)).runs;
		expect([rows.length, rows[0]?.runId]).toEqual([ringLimits.runs, 'r2']);
	});

	test('a snapshot that was handed out never changes', () => {
		const before = snapshotOf([server('a'), approval('1'), webhook('r')]);
		const copy = structuredClone(before);
		reduceAll(before, stamp([server('a', {state: 'failed'}), settled('1'), webhook('r'), log('x')], 10));
		expect(before).toEqual(copy);
	});

	test.each([
		['events', ringLimits.events, webhook('r')],
		['log', ringLimits.log, log('x')],
		['decisions', ringLimits.decisions, settled('1')],
	] as const)('the ring of %s keeps its newest rows only', (ring, limit, body) => {
		const events = stamp(Array.from({length: limit + 3}, () => body));
		const rows = reduceAll(emptySnapshot, events)[ring];
		expect([rows.length, rows[0]?.seq, rows.at(-1)?.seq]).toEqual([limit, 4, limit + 3]);
	});

	test('the ring of runs keeps its newest rows only', () => {
		const rows = snapshotOf(Array.from({length: ringLimits.runs + 2}, (_, index) => run(`r${index}`))).runs;
		expect([rows.length, rows[0]?.runId]).toEqual([ringLimits.runs, 'r2']);
	});

	test('counters go on when rows have fallen out', () => {
		const many = Array.from({length: ringLimits.events + 10}, () => webhook('r', {outcome: 'rejected', status: 401}));
		expect(snapshotOf(many).counters).toMatchObject({
			webhooks: ringLimits.events + 10,
			webhooksRejected: ringLimits.events + 10,
		});
	});
});

describe('servers', () => {
	test('a server keeps its place when it changes', () => {
		const rows = snapshotOf([server('a'), server('b'), server('a', {state: 'failed', reason: 'gone'})]).servers;
		expect(rows.map(row => `${row.server} ${row.state}`)).toEqual(['a failed', 'b connected']);
	});

	test('what the new state does not say is gone', () => {
		const rows = snapshotOf([server('a', {state: 'failed', reason: 'gone'}), server('a')]).servers;
		expect(rows[0]?.reason).toBeUndefined();
	});

	test('a server of the same name in another profile is another server', () => {
		const [first, second] = stamp([server('a'), server('a')]);
		const rows = [first, {...second, profile: 'work'}].reduce(
			(snapshot, event) => reduce(snapshot, event as typeof first & object),
			emptySnapshot,
		).servers;
		expect(rows).toHaveLength(2);
	});

	test('a removed server leaves', () => {
		expect(snapshotOf([server('a'), {type: 'server.removed', server: 'a'}]).servers).toEqual([]);
	});

	test('the time of a change stays while the state stays', () => {
		const [first, again] = stamp([server('a'), server('a', {tools: 9})]);
		const rows = reduce(reduce(emptySnapshot, first!), {...again!, time: sampleTime + 5000}).servers;
		expect(rows[0]?.changedAt).toBe(sampleTime);
	});
});

describe('approvals', () => {
	test('they wait in the order of their requests', () => {
		expect(snapshotOf([approval('1'), approval('2')]).approvals.map(row => row.id)).toEqual(['1', '2']);
	});

	test('a settled one leaves the queue and becomes a decision and an event', () => {
		const snapshot = snapshotOf([approval('1'), approval('2'), settled('1', {outcome: 'denied'})]);
		expect([snapshot.approvals.map(row => row.id), snapshot.decisions[0]?.outcome, snapshot.events[0]?.type]).toEqual([
			['2'],
			'denied',
			'approval.settled',
		]);
	});

	test('a request that is published twice waits once', () => {
		expect(snapshotOf([approval('1'), approval('1')]).approvals).toHaveLength(1);
	});
});

describe('runs', () => {
	test('a run keeps the prompt of its first event', () => {
		const rows = snapshotOf([run('1', {prompt: 'do it'}), run('1', {state: 'running'})]).runs;
		expect(rows).toMatchObject([{state: 'running', prompt: 'do it'}]);
	});

	test('a reason belongs to its state alone', () => {
		const rows = snapshotOf([run('1', {state: 'inbox', reason: 'no model'}), run('1', {state: 'finished'})]).runs;
		expect(rows[0]?.reason).toBe('');
	});
});

describe('the gateway', () => {
	test('a start names the listener when no state of it was published yet', () => {
		expect(snapshotOf([started({webhookUrl: 'http://127.0.0.1:8644'})]).webhook).toMatchObject({
			state: 'listening',
			url: 'http://127.0.0.1:8644',
		});
	});

	test('a listener that failed stays failed when the start is published', () => {
		const failed = {type: 'webhook.state', state: 'failed', routes: 0, reason: 'port taken'} as const;
		expect(snapshotOf([failed, started({webhookUrl: 'http://127.0.0.1:8644'})]).webhook).toEqual({
			state: 'failed',
			reason: 'port taken',
		});
	});

	test('an unusable file stands until a read one comes', () => {
		const unusable = {type: 'config.state', state: 'unusable', reason: 'line 2'} as const;
		expect(snapshotOf([unusable, started()]).config).toEqual({state: 'unusable', reason: 'line 2'});
		expect(snapshotOf([unusable, {type: 'config.state', state: 'read'}]).config).toEqual({state: 'read'});
	});

	test('a stop that refuses nothing yet is shown with the time until which that is so', () => {
		const draining = {type: 'gateway.draining', reason: 'SIGTERM', until: 5} as const;
		expect(snapshotOf([started(), draining]).gateway).toMatchObject({phase: 'running', drainingUntil: 5});
		expect(snapshotOf([draining]).gateway).toEqual({phase: 'starting'});
	});

	test('a stop is shown with its reason', () => {
		expect(snapshotOf([started(), {type: 'gateway.stopped', reason: 'asked'}]).gateway).toEqual({
			phase: 'stopped',
			reason: 'asked',
		});
	});
});

describe('rates', () => {
	const late = (seconds: number, body: GatewayEventBody, seq = 1): GatewayEvent => ({
		...stamp([body], seq)[0]!,
		time: sampleTime + seconds * 1000,
	});
	const minuteOf = (snapshot: Snapshot, of: 'routes' | 'servers', key: string) =>
		lastMinute(snapshot.rates[of][key] ?? emptySeries, sampleTime + 30_000);
	const settledTo = (outcome: 'delivered' | 'failed'): GatewayEventBody => ({
		type: 'delivery.settled',
		delivery: 'd1',
		route: 'push',
		target: 'telegram',
		outcome,
	});

	test.each([
		['an accepted request', [webhook('push')], {count: 1, failed: 0}],
		['a refused one', [webhook('push', {outcome: 'rejected', status: 401})], {count: 1, failed: 1}],
		['a delivery that arrived', [webhook('push'), settledTo('delivered')], {count: 1, failed: 0}],
		['one that failed', [webhook('push'), settledTo('failed')], {count: 1, failed: 1}],
		[
			'one that failed while its sender waited',
			[webhook('push', {outcome: 'delivery_failed', status: 502}), settledTo('failed')],
			{count: 1, failed: 1},
		],
		['a request that no route is for', [webhook('x'.repeat(4000))], {count: 0, failed: 0}],
	] as const)('of a route: %s', (_, bodies, totals) => {
		const snapshot = snapshotOf([route('push'), ...bodies]);
		expect(minuteOf(snapshot, 'routes', 'default/push')).toEqual(totals);
		expect(Object.keys(snapshot.rates.routes).length).toBeLessThan(2);
	});

	test.each([
		['ok', {count: 1, failed: 0}],
		['tool_error', {count: 1, failed: 1}],
		['failed', {count: 1, failed: 1}],
		['outcome_uncertain', {count: 1, failed: 1}],
		['denied', {count: 0, failed: 0}],
	] as const)('of a server: a call that was %s', (outcome, totals) => {
		expect(minuteOf(snapshotOf([server('github'), finished('c', {outcome})]), 'servers', 'default/github')).toEqual(
			totals,
		);
	});

	test('a route of another profile is another route', () => {
		const events = stamp([route('push'), webhook('push')]).concat(
			stamp([route('push', {servedBy: 'work'}), webhook('push')]).map(event => ({...event, profile: 'work'})),
		);
		expect(Object.keys(reduceAll(emptySnapshot, events).rates.routes)).toEqual(['default/push', 'work/push']);
	});

	test('a delivery counts for the route that its profile serves', () => {
		const delivery = {...stamp([settledTo('failed')])[0]!, profile: 'work'};
		const snapshot = reduceAll(emptySnapshot, [...stamp([route('push', {servedBy: 'work'})]), delivery]);
		expect(minuteOf(snapshot, 'routes', 'default/push').failed).toBe(1);
	});

	test('the time is that of the events, whenever they are taken in', () => {
		const events = [late(0, route('push')), late(0, webhook('push')), late(90, webhook('push'))];
		const series = reduceAll(emptySnapshot, events).rates.routes['default/push'] ?? emptySeries;
		expect([lastMinute(series, sampleTime + 90_000).count, lastHour(series, sampleTime + 90_000).count]).toEqual([
			1, 2,
		]);
		expect(series.lastAt).toBe(sampleTime + 90_000);
	});

	test('a batch gives what its events give one by one, whatever comes and goes in it', () => {
		const bodies = [
			webhook('push'),
			route('push'),
			webhook('push'),
			finished('c'),
			server('github'),
			finished('c'),
			{type: 'route.removed', route: 'push'} as const,
			webhook('push'),
			route('push'),
			webhook('push'),
			{type: 'server.removed', server: 'github'} as const,
		];
		const events = bodies.map((body, index) => late(index, body, index));
		const {rates} = reduceAll(emptySnapshot, events);
		expect(rates).toEqual(events.reduce(reduce, emptySnapshot).rates);
		expect([Object.keys(rates.routes), rates.servers]).toEqual([['default/push'], {}]);
	});

	test('what was before a restart is added, and nothing is changed by other events', () => {
		const past = reduceAll(emptySnapshot, [late(-600, route('push')), late(-600, webhook('push'))]).rates.routes;
		const series = past['default/push'] ?? emptySeries;
		const restored = {type: 'rates.restored', of: 'route', name: 'push', series} as const;
		const before = snapshotOf([route('push'), webhook('push'), restored]);
		expect(lastHour(before.rates.routes['default/push'] ?? emptySeries, sampleTime).count).toBe(2);
		expect(reduceAll(before, stamp([log('x'), server('a')])).rates).toBe(before.rates);
	});

	test('any number of routes has a bounded number of series', () => {
		const bodies = Array.from({length: 1500}, (_, index) => [route(`r${index}`), webhook(`r${index}`)]).flat();
		expect(Object.keys(snapshotOf(bodies).rates.routes)).toHaveLength(1000);
	});
});
