import {mkdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {decisionCall, type GatewayCall, withVersion} from '../../source/state/gateway-call.ts';
import {type Verdict} from '../../source/state/person-answers.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {attach, connect, quiet} from './attached-window.ts';

test.each([
	['work', 'work'],
	[undefined, 'default'],
])('commands of a window that was attached for the profile %s are for the profile %s', async (asked, profile) => {
	const root = temporaryDirectory();
	mkdirSync(`${root}/profiles/work`, {recursive: true});
	const running = await runGateway('gateway: {multiplex_profiles: true}\n', root);
	const window = await attach(running, asked);
	window.send({method: 'rules.view', params: {}});
	await expect.poll(() => window.events.find(event => event.type === 'view.rules')).toMatchObject({profile});
	window.send({method: 'runs.start', params: {prompt: 'Look'}});
	expect(await running.eventWhere(event => event.type === 'run.state')).toMatchObject({profile});
});

test('an answer that does not say what was shown of its request does nothing', async () => {
	const running = await runGateway('');
	const window = await attach(running);
	await expect.poll(() => window.shown().gateway.phase).toBe('running');
	const link = `sluice://mcp/install?name=docs&config=${Buffer.from('{"command":"/no/such"}').toString('base64url')}`;
	const end = (await connect(running)).call('mcp.install', {link}, {signal: neverAborted()});
	await expect.poll(() => window.shown().proposals).toHaveLength(1);
	const [{id} = {id: ''}] = window.shown().proposals;
	const params = {id, answer: {kind: 'cancel'}} as const;
	const cancel: GatewayCall = {method: 'proposals.answer', params};
	for (const answer of [params, {...params, request_version: 'something else'}]) {
		window.send({method: 'proposals.answer', params: answer});
	}

	const refusals = () =>
		running.events.filter(event => event.type === 'log' && event.text.includes('nothing was done'));
	await expect.poll(refusals).toHaveLength(2);
	expect(window.shown().proposals).toHaveLength(1);
	window.send(withVersion(cancel, window.shown()));
	expect(await end).toEqual({outcome: 'cancelled'});
});

test('a console whose window does not read is nobody who can be asked, until it reads again', async () => {
	const running = await runGateway(quiet);
	const console = running.gateway.openConsole({mode: 'deciding'});
	const link = `sluice://mcp/install?name=docs&config=${Buffer.from('{"command":"/no/such"}').toString('base64url')}`;
	const install = async () => (await connect(running)).call('mcp.install', {link}, {signal: neverAborted()});
	console.setPresence('absent');
	expect(await install()).toEqual({outcome: 'unattended'});
	console.setPresence('present');
	const asked = install();
	await running.eventWhere(event => event.type === 'proposal.asked');
	await running.gateway.stop('enough');
	expect(await asked).toEqual({outcome: 'withdrawn'});
});

test('an answer that comes too late says by whom the question was answered before', async () => {
	const asking = {command: process.execPath, args: fixtureArguments('mcp-asking.ts'), trust: 'full'};
	const running = await runGateway(JSON.stringify({gateway: {endpoint: {port: 0}}, mcp_servers: {asking}}));
	const window = await attach(running);
	await expect.poll(() => window.shown().servers).toMatchObject([{state: 'connected'}]);
	const form = {
		method: 'elicitation/create',
		params: {mode: 'form', message: 'Where to?', requestedSchema: {type: 'object', properties: {}}},
	};
	window.send({
		method: 'mcp.call',
		params: {name: 'mcp__asking__ask', arguments: form, approve: false},
		requestId: 'r',
	});
	await expect.poll(() => window.shown().questions).toHaveLength(1);
	const [{id} = {id: ''}] = window.shown().questions;
	const decline: GatewayCall = {method: 'questions.answer', params: {id, answer: {kind: 'decline'}}};
	const answer = withVersion(decline, window.shown());
	window.send(answer);
	window.send(answer);
	const refused = () => running.events.find(event => event.type === 'log' && event.text.includes('too late'));
	await expect.poll(refused).toMatchObject({text: expect.stringContaining('was already declined by console:1')});
});

test('an uncertain call is seen and decided about in an attached window', async () => {
	const peer = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'};
	const running = await runGateway(JSON.stringify({gateway: {endpoint: {port: 0}}, mcp_servers: {peer}}));
	const window = await attach(running);
	await expect.poll(() => window.shown().servers).toMatchObject([{state: 'connected'}]);
	window.send({method: 'mcp.call', params: {name: 'mcp__peer__die', arguments: {}, approve: false}, requestId: 'r'});
	await expect.poll(() => window.shown().uncertain).toMatchObject([{server: 'peer', tool: 'die'}]);
	const [{callId} = {callId: ''}] = window.shown().uncertain;
	const resolve: GatewayCall = {method: 'uncertain.resolve', params: {id: callId, resolution: 'not_done'}};
	window.send(withVersion(resolve, window.shown()));
	await expect.poll(() => window.shown().uncertain).toEqual([]);
	expect(window.shown().answered).toMatchObject([{callId, resolution: 'not_done', by: 'console:1'}]);
});

test('an answer that reaches further than its request offers does nothing, and the window gets a message', async () => {
	const peer = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
	const running = await runGateway(`${quiet}mcp_servers: ${JSON.stringify({peer})}\n`);
	const window = await attach(running);
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const call = {name: 'mcp__peer__die', arguments: {}, approve: false};
	const ended = (await connect(running)).call('mcp.call', call, {signal: neverAborted()});
	await expect.poll(() => window.shown().approvals).toHaveLength(1);
	const [{id, argumentsHash} = {id: '', argumentsHash: ''}] = window.shown().approvals;
	const answer = (verdict: Verdict) =>
		window.send(withVersion(decisionCall({id, argumentsHash, profile: 'default'}, verdict), window.shown()));
	// It comes from no run.
	answer({kind: 'approve', scope: 'run'});
	await expect
		.poll(() => window.events.flatMap(event => (event.type === 'log' && event.area === 'commands' ? [event.text] : [])))
		.toEqual(['console:1 answered a request for longer than it can be allowed; nothing was allowed']);
	expect(window.shown().approvals).toHaveLength(1);
	answer({kind: 'deny'});
	expect(await ended).toMatchObject({error: {code: 'denied'}});
});
