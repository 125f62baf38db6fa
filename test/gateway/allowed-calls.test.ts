import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {connectTo} from '../control/control-fixture.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const program = fileURLToPath(new URL('../fixtures/mcp-changing.ts', import.meta.url));
const signal = neverAborted();

/** A gateway whose server offers other tools after a reconnection, and a call of its first tool that waits for a person. */
async function openWaitingCall() {
	const odd = {command: process.execPath, args: [program, join(temporaryDirectory(), 'starts')], trust: 'untrusted'};
	const {paths, eventWhere} = await runGateway(
		JSON.stringify({gateway: {endpoint: {port: 0}}, approvals: {unattended: 'hold'}, mcp_servers: {odd}}),
	);
	const [caller, client] = await Promise.all([connectTo(paths.controlSocket), connectTo(paths.controlSocket)]);
	await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const called = caller.call('mcp.call', {name: 'mcp__odd__old', arguments: {}, approve: false}, {signal});
	await eventWhere(event => event.type === 'approval.requested');
	const [request] = await client.call('approvals.list', {}, {signal});
	const allow = {id: request?.id ?? '', scope: 'once', arguments_hash: request?.arguments_hash ?? ''} as const;
	return {client, called, allow: () => client.call('approvals.allow', allow, {signal})};
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
