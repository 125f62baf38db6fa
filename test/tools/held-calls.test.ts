import {describe, expect, test} from 'vitest';
import {type Hold} from '../../source/approvals/hold.ts';
import {done, openCallFixture} from './call-fixture.ts';
import {openTestHold} from '../helpers/open-hold.ts';

async function release(hold: Hold): Promise<void> {
	await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
}

/** A hold that holds, and the calls behind it. */
async function openHeld(options: Parameters<typeof openCallFixture>[0] = {}) {
	const hold = openTestHold();
	await hold.hold({by: 'cli', reason: 'looks odd'});
	return {hold, ...openCallFixture({hold, ...options})};
}

describe('a call that comes while everything is held', () => {
	test('waits, and is sent after the release', async () => {
		const {hold, call, requests, calls, clock} = await openHeld();
		const reading = call('read');
		await clock.settle();
		expect(requests).toEqual([]);
		expect(calls).toEqual([]);
		expect(hold.waiting()).toEqual([
			{kind: 'call', server: 'files', tool: 'read', origin: {kind: 'command-line'}, arguments: {}},
		]);
		await release(hold);
		expect(await reading).toMatchObject({kind: 'result'});
		expect(requests).toHaveLength(1);
		expect(hold.waiting()).toEqual([]);
	});

	test('is put before a person, whose yes sends it after the release, and is not asked for again', async () => {
		const {hold, call, answer, requests, approvals, ofType, clock, decisions} = await openHeld();
		const writing = call('write');
		await answer({kind: 'approve', scope: 'once'});
		await clock.settle();
		expect(requests).toEqual([]);
		await release(hold);
		expect(await writing).toMatchObject({kind: 'result'});
		expect(approvals.pending()).toEqual([]);
		expect(ofType('approval.requested')).toHaveLength(1);
		expect(decisions).toHaveLength(1);
	});

	test('is denied by a person, or given up by its caller, without waiting for the release', async () => {
		const {hold, call, answer, clock} = await openHeld();
		const denied = call('write');
		await answer({kind: 'deny'});
		expect(await denied).toMatchObject({error: {code: 'denied'}});
		const caller = new AbortController();
		const reading = call('read', {}, caller.signal);
		await clock.settle();
		caller.abort();
		expect(await reading).toMatchObject({error: {code: 'cancelled'}});
		expect(hold.waiting()).toEqual([]);
	});

	test('tells its caller that it waits, and that it does no more', async () => {
		const {hold, callTool, clock} = await openHeld();
		const told: boolean[] = [];
		const {signal} = new AbortController();
		const call = {name: 'mcp__files__read', arguments: {}, origin: {kind: 'command-line'}} as const;
		const reading = callTool(call, {signal, onHeld: isHeld => told.push(isHeld)});
		await clock.settle();
		expect(told).toEqual([true]);
		await release(hold);
		await reading;
		expect(told).toEqual([true, false]);
	});
});

describe('a call that waited is evaluated again:', () => {
	test('a remembered approval that was revoked meanwhile allows nothing', async () => {
		const hold = openTestHold();
		const {call, answer, rules, requests, approvals, clock, ofType} = openCallFixture({hold});
		await Promise.all([call('write'), answer({kind: 'approve', scope: 'session'})]);
		await hold.hold({by: 'cli', reason: ''});
		const writing = call('write');
		await clock.settle();
		expect(approvals.pending()).toEqual([]);
		for (const {id} of rules.list()) {
			await rules.revoke(id);
		}

		await release(hold);
		await answer({kind: 'deny'});
		expect(await writing).toMatchObject({error: {code: 'denied'}});
		expect(requests).toHaveLength(1);
		expect(ofType('approval.requested')).toHaveLength(2);
	});

	test('one that is remembered still is sent, and noted once', async () => {
		const hold = openTestHold();
		const {call, answer, decisions, requests, clock} = openCallFixture({hold});
		await Promise.all([call('write'), answer({kind: 'approve', scope: 'session'})]);
		await hold.hold({by: 'cli', reason: ''});
		const writing = call('write');
		await clock.settle();
		await release(hold);
		expect(await writing).toMatchObject({kind: 'result'});
		expect(requests).toHaveLength(2);
		expect(decisions).toMatchObject([{by: 'console:1'}, {by: 'remembered rule'}]);
	});

	test('a yes for longer than once that was revoked meanwhile allows nothing', async () => {
		const {hold, call, answer, rules, requests, clock} = await openHeld();
		const writing = call('write');
		await answer({kind: 'approve', scope: 'session'});
		await clock.settle();
		for (const {id} of rules.list()) {
			await rules.revoke(id);
		}

		await release(hold);
		await answer({kind: 'deny'});
		expect(await writing).toMatchObject({error: {code: 'denied'}});
		expect(requests).toEqual([]);
	});

	test('a server that came back as another is asked about again', async () => {
		const {hold, call, answer, connections, config, requests, clock, ofType} = await openHeld();
		const writing = call('write');
		await answer({kind: 'approve', scope: 'once'});
		await clock.settle();
		connections.set('files', {config, request: async () => done});
		await release(hold);
		await answer({kind: 'approve', scope: 'once'});
		expect(await writing).toMatchObject({kind: 'result'});
		expect(ofType('approval.requested')).toHaveLength(2);
		// The old connection got nothing.
		expect(requests).toEqual([]);
	});

	test('one that still waited for its turn at the server when the hold began', async () => {
		const hold = openTestHold();
		const turn = Promise.withResolvers<void>();
		const sent: string[] = [];
		let attempts = 0;
		const {call, answer, calls, ends, ofType, clock} = openCallFixture({
			hold,
			async respond(_, {beforeSend}) {
				attempts++;
				await turn.promise;
				beforeSend?.();
				sent.push('sent');
				return done;
			},
		});
		const writing = call('write');
		await answer({kind: 'approve', scope: 'once'});
		await clock.settle();
		await hold.hold({by: 'cli', reason: ''});
		turn.resolve();
		await clock.settle();
		expect(attempts).toBe(1);
		expect(sent).toEqual([]);
		expect(hold.waiting()).toHaveLength(1);
		await release(hold);
		expect(await writing).toMatchObject({kind: 'result'});
		expect(sent).toEqual(['sent']);
		// One call, one row, one question.
		expect([calls.length, ends.length, ofType('approval.requested').length]).toEqual([1, 1, 1]);
	});
});

test('a call that was sent already goes on', async () => {
	const hold = openTestHold();
	const answer = Promise.withResolvers<typeof done>();
	const {call, clock} = openCallFixture({hold, respond: () => answer.promise});
	const reading = call('read');
	await clock.settle();
	await hold.hold({by: 'cli', reason: ''});
	answer.resolve(done);
	expect(await reading).toMatchObject({kind: 'result'});
	expect(hold.waiting()).toEqual([]);
});
