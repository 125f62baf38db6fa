import {createFakeClock} from '../helpers/fake-clock.ts';
import {describe, expect, test} from 'vitest';
import {type TransportConfig} from '../../source/config/servers/server-transport.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {actionKeys} from '../../source/state/next-action.ts';
import {callForText, readForText, openConnections, serverConfig} from './fixture-servers.ts';

/** A stdio server that answers each method with these results; `huge` stands for a text of 11 MiB, and other methods for an error. */
function answering(results: Readonly<Record<string, unknown>>): TransportConfig {
	const program = `
		const results = ${JSON.stringify(results)};
		require('node:readline').createInterface({input: process.stdin}).on('line', line => {
			const {id, method} = JSON.parse(line);
			if (id === undefined) return;
			const result = results[method];
			if (result?.huge) result.huge = 'x'.repeat(11 * 1024 * 1024);
			const error = {code: -32000, message: 'no luck, Bearer abcdefghijkl'};
			console.log(JSON.stringify({jsonrpc: '2.0', id, ...(result ? {result} : {error})}));
		});`;
	return {kind: 'stdio', command: process.execPath, args: ['-e', program], env: {}};
}

const initialize = {protocolVersion: '2025-06-18', capabilities: {tools: {}}, serverInfo: {name: 'x', version: '1'}};
const tools = [{name: 'echo', inputSchema: {type: 'object'}}];

describe('a stdio server that breaks the protocol gets no advice about its network', () => {
	const noCapabilities = {...initialize, capabilities: undefined};
	test.each([
		[
			'null capabilities',
			{initialize: {...initialize, capabilities: null}},
			/initialize is not valid: `capabilities` is/u,
		],
		['no capabilities', {initialize: noCapabilities}, /initialize is not valid: `capabilities` is/u],
		['an unknown revision', {initialize: {...initialize, protocolVersion: '1999-01-01'}}, /the revision "1999-01-01"/u],
		['no revision', {initialize: {...initialize, protocolVersion: null}}, /not valid: `protocolVersion` is missing/u],
		[
			'a list of tools that is too large',
			{initialize, 'tools/list': {tools, huge: true}},
			/of more than 10485760 bytes/u,
		],
		['a handshake that is too large', {initialize: {...initialize, huge: true}}, /of more than 10485760 bytes/u],
		['a list of tools that is none', {initialize, 'tools/list': {tools: null}}, /list of tools cannot be read/u],
		['an error', {}, /refused the handshake: no luck, Bearer ‹redacted 12 chars›/u],
	])('%s', async (_, results, reason) => {
		const clock = createFakeClock();
		const {until} = openConnections([serverConfig(answering(results))], {clock});
		for (let attempt = 1; attempt < 4; attempt++) {
			const pausing = await until(
				state => state.retryAt !== undefined && state.reason?.includes(`attempt ${attempt + 1}`) === true,
			);
			expect(pausing.reason).toMatch(reason);
			// Past the next try, and not near the time limit of its handshake: the server is a real one.
			await clock.advance(5000);
		}

		const {nextActions} = await until(({state}) => state === 'waiting');
		expect(actionKeys(nextActions)).toBe('Update the server, or report it to its author; r to try now');
	});
});

test('a list of tools with a cursor that is null is complete', async () => {
	const {connections, until} = openConnections([
		serverConfig(answering({initialize, 'tools/list': {tools, nextCursor: null}})),
	]);
	await connections.settled(neverAborted());
	expect(await until(({state}) => state === 'connected')).toMatchObject({tools: 1});
});

test.each([
	{readOnly: true, code: 'call_failed'},
	{readOnly: false, code: 'outcome_uncertain'},
])('an answer to a call that is too large is named: $code', async ({readOnly, code}) => {
	const {connections} = openConnections([
		serverConfig(answering({initialize, 'tools/list': {tools}, 'tools/call': {huge: true}})),
	]);
	await connections.settled(neverAborted());
	const call = (readOnly ? readForText : callForText)(connections, 'echo', {});
	await expect(call).rejects.toMatchObject({code, message: expect.stringContaining('more than 10485760 bytes')});
});
