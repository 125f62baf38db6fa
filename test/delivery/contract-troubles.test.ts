import {describe, expect, test, vi} from 'vitest';
import {delivered, failed, names, openRow, seen, uncertain, where} from './contract-rows.ts';

describe.each(names)('%s', name => {
	test.each(['rejected', 'server-error', 'hidden-error'] as const)(
		'fails when the platform answers: %s',
		async kind => {
			const {deliver, simulator, row} = await openRow(name);
			simulator.plan({kind});
			const expected = kind === 'server-error' && row.serverError === 'uncertain' ? uncertain : failed;
			expect(await deliver('lost')).toMatchObject(expected);
			expect({received: simulator.received, requests: simulator.requests()}).toEqual({received: [], requests: 1});
		},
	);

	test('writes what the platform said to the log and nowhere else', async () => {
		const {deliver, simulator, ofType, row} = await openRow(name);
		simulator.plan({kind: 'rejected'});
		await deliver('lost');
		expect(ofType('log')).toMatchObject([
			{level: 'error', text: expect.stringMatching(new RegExp(`^${row.target}: .{5}`, 'u'))},
		]);
		expect(ofType('delivery.settled')).toMatchObject([{outcome: 'failed', code: 'delivery_failed'}]);
	});

	test('keeps its secrets to itself, whatever goes wrong', async () => {
		const {deliver, simulator, events, clock, learnt} = await openRow(name);
		const results: unknown[] = [];
		for (const kind of ['rejected', 'server-error', 'hidden-error', 'hang-up-after-taking'] as const) {
			simulator.plan({kind});
			results.push(await deliver('lost'));
		}

		await simulator.close();
		const last = deliver('lost');
		await clock.advance(30_000);
		results.push(await last);
		const texts = JSON.stringify([events, results.map(result => textOf(result))]);
		expect([...learnt].filter(secret => secret.length > 5 && texts.includes(secret))).toEqual([]);
	});

	test('fails immediately and for certain when nothing listens', async () => {
		const {deliver, simulator} = await openRow(name);
		await simulator.close();
		expect(await deliver('lost')).toMatchObject(failed);
	});

	test('does not wait for a platform that asks for an hour', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'rate-limited', waitSeconds: 3600}, {kind: 'rate-limited', waitSeconds: 3600});
		const waiting = deliver('too fast');
		await seen(simulator, 1);
		await clock.advance(25_000);
		expect(await waiting).toMatchObject(failed);
	});
});

describe.each(where(row => row.waits))('%s, when it is too fast for the platform', name => {
	test('waits once as long as it is asked to', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'rate-limited', waitSeconds: 2});
		const result = deliver('patient');
		await seen(simulator, 1);
		await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(1), {interval: 1});
		await clock.advance(1900);
		expect(simulator.requests()).toBe(1);
		await clock.advance(200);
		expect(await result).toMatchObject(delivered);
		expect(simulator.requests()).toBe(2);
	});

	test('gives up the second time', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'rate-limited', waitSeconds: 1}, {kind: 'rate-limited', waitSeconds: 1});
		const result = deliver('too fast');
		await seen(simulator, 1);
		await vi.waitFor(() => expect(clock.open()).toBeGreaterThan(1), {interval: 1});
		await clock.advance(2000);
		expect(await result).toMatchObject(failed);
		expect(simulator.requests()).toBe(2);
	});
});

describe.each(where(row => row.repeat === 'safe'))('%s, which knows repeated messages by a key', name => {
	test('repeats once when the connection breaks, and the message arrives once', async () => {
		const {deliver, simulator} = await openRow(name);
		simulator.plan({kind: 'hang-up-after-taking'});
		expect(await deliver('once')).toMatchObject(delivered);
		expect({received: simulator.received.length, requests: simulator.requests()}).toEqual({received: 1, requests: 2});
	});

	test('is uncertain when the second attempt breaks too', async () => {
		const {deliver, simulator} = await openRow(name);
		simulator.plan({kind: 'hang-up-after-taking'}, {kind: 'hang-up-after-taking'});
		expect(await deliver('perhaps')).toMatchObject(uncertain);
		expect(simulator.requests()).toBe(2);
	});

	test('repeats when the platform is silent for twelve seconds', async () => {
		const {deliver, simulator, clock} = await openRow(name);
		simulator.plan({kind: 'silence'});
		const result = deliver('once');
		await seen(simulator, 1);
		await clock.advance(12_000);
		expect(await result).toMatchObject(delivered);
		expect(simulator.received).toHaveLength(1);
	});
});

describe.each(where(row => row.repeat === 'unsafe'))('%s, which knows no repeated messages', name => {
	test('is uncertain when the connection breaks, and does not repeat', async () => {
		const {deliver, simulator, ofType} = await openRow(name);
		simulator.plan({kind: 'hang-up-after-taking'});
		expect(await deliver('perhaps')).toMatchObject(uncertain);
		expect(simulator.requests()).toBe(1);
		expect(ofType('delivery.settled')).toMatchObject([{outcome: 'outcome_uncertain', code: 'outcome_uncertain'}]);
	});

	test('is uncertain when the platform is silent for thirty seconds, not before', async () => {
		const {deliver, simulator, clock, ofType} = await openRow(name);
		simulator.plan({kind: 'silence'});
		const result = deliver('perhaps');
		await seen(simulator, 1);
		await clock.advance(29_999);
		expect(ofType('delivery.settled')).toEqual([]);
		await clock.advance(1);
		expect(await result).toMatchObject(uncertain);
	});
});

function textOf(result: unknown): unknown {
	return result instanceof Object && 'problem' in result
		? Object.entries(Object(result).problem as object).concat([['message', String(Object(result).problem)]])
		: result;
}
