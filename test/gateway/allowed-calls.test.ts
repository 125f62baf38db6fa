import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {type Clock} from '../../source/util/clock.ts';
import {connectTo} from '../control/control-fixture.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const program = fileURLToPath(new URL('../fixtures/mcp-changing.ts', import.meta.url));
const signal = neverAborted();

/** A gateway whose server offers other tools after a reconnection, and a call of its first tool that waits for a person. */
async function openWaitingCall(clock?: Clock) {
	const odd = {command: process.execPath, args: [program, join(temporaryDirectory(), 'starts')], trust: 'untrusted'};
	const {paths, eventWhere} = await runGateway(
		JSON.stringify({gateway: {endpoint: {port: 0}}, approvals: {unattended: 'hold'}, mcp_servers: {odd}}),
		temporaryDirectory(),
		clock && {clock},
	);
	const [caller, client] = await Promise.all([connectTo(paths.controlSocket), connectTo(paths.controlSocket)]);
	await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const called = caller.call('mcp.call', {name: 'mcp__odd__old', arguments: {}, approve: false}, {signal});
	await eventWhere(event => event.type === 'approval.requested');
	const [request] = await client.call('approvals.list', {}, {signal});
	const allow = {id: request?.id ?? '', scope: 'once', arguments_hash: request?.arguments_hash ?? ''} as const;
	return {client, caller, called, eventWhere, allow: () => client.call('approvals.allow', allow, {signal})};
}

test('a command that allows a call learns that it was not sent, because the server no longer offers the tool', async () => {
	const {client, called, allow} = await openWaitingCall();
	await client.call('mcp.reconnect', {server: 'odd'}, {signal});
	await expect
		.poll(async () => (await client.call('mcp.tools', {}, {signal})).map(({name}) => name))
		.toEqual(['mcp__odd__sly']);
	expect(await allow()).toEqual({
		answer: 'resolved',
		end: {outcome: 'cancelled', scope: null, by: null, message: expect.stringContaining('no longer offers')},
	});
	expect(await called).toMatchObject({error: {code: 'unknown_tool'}});
});

test('a command that allows a call whose tool is still offered learns of no such end', async () => {
	const {called, allow} = await openWaitingCall();
	expect([await allow(), await called]).toMatchObject([{answer: 'resolved', end: null}, {result: ''}]);
});

describe('a command that allows a call which a hold keeps waiting', () => {
	async function openHeldCall() {
		const clock = createFakeClock();
		const waiting = await openWaitingCall(clock);
		await waiting.client.call('hold', {}, {signal});
		let settled: 'pending' | 'settled' = 'pending';
		const allowed = waiting.allow().finally(() => (settled = 'settled'));
		await waiting.eventWhere(({type}) => type === 'approval.settled');
		return {...waiting, clock, allowed, settled: () => settled};
	}

	test('learns that the call was cancelled meanwhile', async () => {
		const {caller, called, clock, allowed, settled} = await openHeldCall();
		await clock.advance(20_000);
		expect(settled()).toBe('pending');
		called.catch(() => undefined);
		caller.close();
		expect(await allowed).toMatchObject({answer: 'resolved', end: {outcome: 'cancelled'}});
	});

	test('learns after 30 s that the call still waits for its turn', async () => {
		const {called, clock, allowed} = await openHeldCall();
		// The call is still held when the test ends.
		called.catch(() => undefined);
		await clock.advance(30_000);
		expect(await allowed).toEqual({answer: 'resolved', end: null, call: 'waiting'});
	});
});
