import {describe, expect, test} from 'vitest';
import {reduce, reduceAll, ringLimits} from '../../source/state/reduce.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {
	approval,
	log,
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

	test('a batch of runs gives what its events give one by one, also for a run that has fallen out meanwhile', () => {
		const many = Array.from({length: ringLimits.runs + 1}, (_, index) => run(`r${index}`, {prompt: 'do it'}));
		const bodies = [...many, run('r0', {state: 'finished'}), run('r7', {state: 'finished'})];
		const events = stamp([...bodies, {type: 'run.text', runId: 'r7', text: 'a'}]);
		expect(reduceAll(emptySnapshot, events)).toEqual(events.reduce(reduce, emptySnapshot));
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

	test('only warnings and errors count as warnings', () => {
		const bodies = [log('a'), log('b', {level: 'warning'}), log('c', {level: 'error'}), log('d', {level: 'debug'})];
		expect(snapshotOf(bodies).counters.warnings).toBe(2);
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

	test('a stop is shown with its reason', () => {
		expect(snapshotOf([started(), {type: 'gateway.stopped', reason: 'asked'}]).gateway).toEqual({
			phase: 'stopped',
			reason: 'asked',
		});
	});
});
