import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openForAll} from '../helpers/on-test-finished.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {
	callForText,
	httpTransport,
	openConnections,
	readForText,
	serverConfig,
	startListening,
	stdioFixture,
} from './fixture-servers.ts';

/** A server for the calls that change nothing of it. */
const shared = openForAll(async () => {
	const opened = openConnections([serverConfig(stdioFixture('mcp-both-eras.ts', 'stdio'))]);
	await opened.connections.settled(neverAborted());
	return opened;
});

test('a call past its timeout ends with call_timeout: one that changes something may have taken effect, one that was not sent or only reads has not', async () => {
	const config = serverConfig(stdioFixture('mcp-both-eras.ts', 'stdio'), {timeoutSeconds: 0.3});
	const {connections} = openConnections([config]);
	await connections.settled(neverAborted());
	const slow = {steps: 1, ms: 5000};
	const sent = callForText(connections, 'slow', slow);
	const leaving = new AbortController();
	const request = {kind: 'tool', tool: 'slow', arguments: slow, readOnly: false} as const;
	const queued = connections.find('fixture')?.request(request, {signal: leaving.signal});
	leaving.abort();
	await expect(queued).rejects.toMatchObject({code: 'cancelled', isOutcomeUncertain: false});
	await expect(sent).rejects.toMatchObject({
		code: 'call_timeout',
		isOutcomeUncertain: true,
		message: expect.stringMatching(/^The call took longer than 0\.3 s; the call may have taken effect/u),
	});
	await expect(readForText(connections, 'slow', slow)).rejects.toMatchObject({
		code: 'call_timeout',
		isOutcomeUncertain: false,
	});
});

test('progress keeps a call alive', async () => {
	const config = serverConfig(stdioFixture('mcp-both-eras.ts', 'stdio'), {timeoutSeconds: 0.4});
	const {connections} = openConnections([config]);
	await connections.settled(neverAborted());
	expect(await callForText(connections, 'slow', {steps: 8, ms: 150})).toBe('slow and steady');
});

describe('a call that is called off', () => {
	test.each([
		{name: 'legacy stdio', protocol: 'auto', http: false},
		{name: 'stateless HTTP', protocol: 'stateless', http: true},
	] as const)('is cancelled at the server over $name', async ({protocol, http}) => {
		const file = join(temporaryDirectory(), 'marks');
		const transport = http
			? httpTransport((await startListening('mcp-both-eras.ts', 'http')).url)
			: stdioFixture('mcp-both-eras.ts', 'stdio');
		const {connections} = openConnections([serverConfig(transport, {protocol})]);
		await connections.settled(neverAborted());
		const controller = new AbortController();
		const call = connections
			.find('fixture')
			?.request(
				{kind: 'tool', tool: 'slow', arguments: {steps: 100, ms: 50, file}, readOnly: false},
				{signal: controller.signal, onProgress: () => controller.abort()},
			);
		await expect(call).rejects.toMatchObject({code: 'cancelled', isOutcomeUncertain: true});
		await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('cancelled');
	});
});

test('calls of one server run one after the other', async () => {
	const {connections} = shared();
	const ends: string[] = [];
	await Promise.all([
		callForText(connections, 'slow', {steps: 1, ms: 200}).then(() => ends.push('slow')),
		callForText(connections, 'echo', {text: 'x'}).then(() => ends.push('echo')),
	]);
	expect(ends).toEqual(['slow', 'echo']);
});

test('calls run side by side where the entry allows it', async () => {
	const config = serverConfig(stdioFixture('mcp-both-eras.ts', 'stdio'), {calls: 'parallel'});
	const {connections} = openConnections([config]);
	await connections.settled(neverAborted());
	const ends: string[] = [];
	await Promise.all([
		callForText(connections, 'slow', {steps: 1, ms: 400}).then(() => ends.push('slow')),
		callForText(connections, 'echo', {text: 'x'}).then(() => ends.push('echo')),
	]);
	expect(ends).toEqual(['echo', 'slow']);
});

test('an answer that is an error of the protocol is call_failed with its text', async () => {
	const {connections} = shared();
	const request = connections
		.find('fixture')
		?.request({kind: 'get-prompt', name: 'none', arguments: {}}, {signal: neverAborted()});
	await expect(request).rejects.toMatchObject({code: 'call_failed', message: expect.stringContaining('none')});
});

test.each([
	[{kind: 'list-resources'}, 'note://one'],
	[{kind: 'read-resource', uri: 'note://one'}, 'remember'],
	[{kind: 'list-prompts'}, 'greet'],
	[{kind: 'get-prompt', name: 'greet', arguments: {name: 'Ada'}}, 'Hello Ada'],
] as const)('%j is answered', async (request, text) => {
	const {connections} = shared();
	const answer = await connections.find('fixture')?.request(request, {signal: neverAborted()});
	expect(JSON.stringify(answer?.content)).toContain(text);
});

test('a server that is not connected says why', async () => {
	const transport = {kind: 'stdio', command: 'no-such-program', args: [], env: {}} as const;
	const {connections} = openConnections([serverConfig(transport)]);
	await connections.settled(neverAborted());
	await expect(callForText(connections, 'echo', {text: 'x'})).rejects.toMatchObject({
		code: 'server_unavailable',
		message: expect.stringContaining('no-such-program was not found'),
	});
});

test('a message of more than 10 MiB ends the connection, not the gateway', async () => {
	const {connections} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'huge'))]);
	await connections.settled(neverAborted());
	await expect(callForText(connections, 'huge', {})).rejects.toMatchObject({code: 'outcome_uncertain'});
});

describe('a changed list of tools is registered again', () => {
	test.each([
		{name: 'legacy stdio', protocol: 'auto', http: false},
		{name: 'stateless stdio', protocol: 'stateless', http: false},
		{name: 'stateless HTTP', protocol: 'stateless', http: true},
	] as const)('over $name', async ({protocol, http}) => {
		const transport = http
			? httpTransport((await startListening('mcp-both-eras.ts', 'http')).url)
			: stdioFixture('mcp-both-eras.ts', 'stdio');
		const {connections, offers, until} = openConnections([serverConfig(transport, {protocol})]);
		await connections.settled(neverAborted());
		const {tools} = await until(({state}) => state === 'connected');
		await callForText(connections, 'grow', {});
		await until(state => state.tools === tools + 1);
		expect(offers.get('fixture')?.tools.map(({name}) => name)).toContain('extra');
	});
});

test('nothing of a server or of the SDK reaches the screen', async () => {
	const writes = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
	const lines = (['log', 'info', 'warn', 'error', 'debug'] as const).map(level => vi.spyOn(console, level));
	const {connections} = openConnections([
		serverConfig(stdioFixture('mcp-misbehaving.ts', 'flood'), {name: 'flood'}),
		serverConfig(stdioFixture('mcp-both-eras.ts', 'stdio'), {name: 'modern', protocol: 'stateless'}),
	]);
	await connections.settled(neverAborted());
	await connections.stop();
	const said = [...writes, ...lines].flatMap(spy => spy.mock.calls);
	vi.restoreAllMocks();
	expect(said).toEqual([]);
});
