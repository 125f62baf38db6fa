import {describe, expect, test} from 'vitest';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {openTwo} from './open-node.ts';

const argumentsHash = 'hash-of-a';
const deny = {argumentsHash, verdict: {kind: 'deny'}, by: 'console:1'} as const;

/** One row of each, as gateways that read it see the time. */
const rows = 'SELECT state, left_milliseconds, expires_at - requested_at AS limit FROM requests';

describe.skipIf(!hasPostgres)('a request of another gateway that is held', () => {
	test('has no deadline at any gateway, is answered however long that takes, and goes on with what was left', async () => {
		const {one, two, sql} = await openTwo();
		const [denied, left] = [await one.ask(), await one.ask()];
		await two.look();
		await one.clock.advance(100_000);
		one.time.suspend();
		await expect.poll(() => sql(rows)).toMatchObject([{left_milliseconds: '200000'}, {left_milliseconds: '200000'}]);
		// By the clock of the database its time would be over long since.
		await sql('UPDATE requests SET expires_at = 1');
		await two.look();
		const stands = {expiresAt: null, left: 200_000};
		expect(two.requests.approvals()).toMatchObject([stands, stands]);
		expect(two.ofType('approval.deadline')).toMatchObject([
			{id: denied.id, ...stands},
			{id: left.id, ...stands},
		]);
		expect(await two.requests.answerApproval({...deny, id: denied.id})).toBe('resolved');
		await one.look();
		expect(await denied.outcome).toEqual({kind: 'denied', by: 'console:1 on web-2'});
		one.time.resume();
		await expect.poll(() => sql(rows)).toMatchObject([{state: 'settled'}, {state: 'pending', left_milliseconds: null}]);
		await two.look();
		const [shown] = two.requests.approvals();
		expect(Math.abs((shown?.expiresAt ?? 0) - two.clock.now() - 200_000)).toBeLessThan(10_000);
		expect(two.ofType('approval.deadline')).toMatchObject([{}, {}, {id: left.id, expiresAt: shown?.expiresAt}]);
		await two.look();
		expect(two.ofType('approval.deadline')).toHaveLength(3);
		await one.clock.advance(202_000);
		expect(await left.outcome).toEqual({kind: 'timed_out'});
	});

	test('that is asked during the hold is shown so from the first moment, and a call that it allows can be claimed after it', async () => {
		const {one, two, sql} = await openTwo();
		one.time.suspend();
		const {id} = await one.ask();
		expect(await sql(rows)).toMatchObject([{left_milliseconds: '300000'}]);
		await sql('UPDATE requests SET expires_at = 1');
		await two.look();
		expect(two.requests.approvals()).toMatchObject([{id, expiresAt: null, left: 300_000}]);
		expect(two.ofType('approval.deadline')).toEqual([]);
		const allow = {id, argumentsHash, verdict: {kind: 'approve', scope: 'once'}, by: 'cli'} as const;
		expect(await two.requests.answerApproval(allow)).toBe('resolved');
		const documents = [{profile: 'default', name: 'approval-rules', version: 0}];
		expect(await one.journal.claimCall({callId: 'c1', documents, request: {id, argumentsHash}})).toBe('claimed');
	});
});
