import {createServer} from 'node:http';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {aroundEach, describe, expect, test, vi} from 'vitest';
import {listen} from '../helpers/loopback.ts';
import {inOwnContext, onTestFinished, openForAll} from '../helpers/on-test-finished.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {program, sluice, stateDirectory} from '../helpers/sluice.ts';
import {answerJson} from '../mcp/fixture-servers.ts';

const everything = {
	command: process.execPath,
	args: [
		join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
		'stdio',
	],
	trust: 'full',
};

aroundEach(inOwnContext);

/** A server that takes requests and never answers, and one that answers. */
async function startServers() {
	let silentRequests = 0;
	const silent = createServer(() => void silentRequests++);
	const tools = [{name: 'echo', inputSchema: {type: 'object'}, annotations: {readOnlyHint: true}}];
	const healthy = createServer((request, response) => {
		void answerJson(request, response, {results: {'tools/list': {tools}}});
	});
	return {
		silent: {url: await listen(silent, '/mcp'), trust: 'full'},
		healthy: {url: await listen(healthy, '/mcp'), trust: 'full'},
		silentRequests: () => silentRequests,
	};
}

const notAnswered = /^sluice: The tool server silent did not answer within 10 seconds.*$/mu;

/** A client of `mcp serve`, what that says on stderr, and what its client gets: the list, and the answer of the healthy server. */
async function useServe(home: string) {
	const args = ['--disable-warning=ExperimentalWarning', program, 'mcp', 'serve', '--home', home];
	const transport = new StdioClientTransport({command: process.execPath, args, stderr: 'pipe'});
	let stderr = '';
	transport.stderr?.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
	const client = new Client({name: 'an agent', version: '1.0.0'});
	onTestFinished(() => client.close());
	await client.connect(transport);
	// The first list waits for the slow, as it is not asked for again; by then the tool is there.
	const {tools} = await client.listTools();
	const {content} = await client.callTool({name: 'mcp__healthy__echo', arguments: {}});
	await vi.waitFor(() => expect(stderr).toMatch(notAnswered), {timeout: 25_000});
	return {tools: tools.map(({name}) => name), content};
}

/** A command beside a server that never answers. */
async function beside<Ending>(
	run: (home: string) => Promise<Ending>,
	[first, second]: readonly [string, string] = ['silent', 'healthy'],
) {
	const {silent, healthy, silentRequests} = await startServers();
	const ending = await run(stateDirectory({mcp_servers: {[first]: silent, [second]: healthy}}));
	return {...ending, silentRequests: silentRequests()};
}

const unreachable = {url: 'http://127.0.0.1:9/mcp'};
const callGone = (entry: object) =>
	runSluice({home: stateDirectory({mcp_servers: {gone: entry}})}, 'mcp', 'call', 'mcp__gone__x', '--json');

// These commands wait for the bound on a server's silence and on attempts to reach it, all at the same time.
const waited = openForAll(async () => {
	const [list, tools, doctor, serve, call, callUnreachable, listUnreachable] = await Promise.all([
		beside(home => sluice({home}, 'mcp', 'list', '--json')),
		beside(home => runSluice({home}, 'mcp', 'tools', '--json')),
		beside(home => runSluice({home}, 'doctor', '--json')),
		beside(useServe),
		beside(home => sluice({home}, 'mcp', 'call', 'mcp__a__b__echo'), ['a', 'a__b']),
		callGone(unreachable),
		runSluice({home: stateDirectory({mcp_servers: {nobody: unreachable}})}, 'mcp', 'list', '--json'),
	]);
	return {list, tools, doctor, serve, call, callUnreachable, listUnreachable};
});

describe('beside a server that never answers', () => {
	test('a call connects its own server alone', async () => {
		const {silent, silentRequests} = await startServers();
		const home = stateDirectory({mcp_servers: {silent, everything}});
		const ending = await sluice({home}, 'mcp', 'call', 'mcp__everything__echo', '--args', '{"message":"hello"}');
		// On a busy machine the program says that it waits for the other one.
		expect(ending).toEqual({code: 0, stdout: 'Echo: hello\n', stderr: expect.not.stringContaining('silent')});
		expect(silentRequests()).toBe(0);
	});

	test('the tools of one server are listed without the other', async () => {
		const {silent, healthy, silentRequests} = await startServers();
		const home = stateDirectory({mcp_servers: {silent, healthy}});
		const {code, stdout, stderr} = await runSluice({home}, 'mcp', 'tools', 'healthy', '--json');
		expect([code, stderr, silentRequests()]).toEqual([0, '', 0]);
		expect(JSON.parse(stdout)).toMatchObject([{name: 'mcp__healthy__echo'}]);
	});

	test.each([
		{
			command: 'list',
			rows: [
				{name: 'silent', state: 'connecting'},
				{name: 'healthy', state: 'connected'},
			],
		},
		{command: 'tools', rows: [{name: 'mcp__healthy__echo'}]},
	] as const)('`mcp $command` names the missing server', ({command, rows}) => {
		const {code, stdout, stderr, silentRequests} = waited()[command];
		expect([code, stderr]).toEqual([0, expect.stringMatching(notAnswered)]);
		expect(notAnswered.exec(stderr)?.[0]).not.toContain('healthy');
		expect(stderr).toContain('Waiting for the tool server silent');
		expect(JSON.parse(stdout)).toMatchObject(rows);
		expect(silentRequests).toBeGreaterThan(0);
	});

	test('doctor names the missing server', () => {
		const {code, stdout} = waited().doctor;
		const findings = JSON.parse(stdout) as ReadonlyArray<{check: string}>;
		expect(code).toBe(1);
		expect(findings.filter(({check}) => check.startsWith('server '))).toMatchObject([
			{check: 'server silent', level: 'error', message: expect.stringContaining('did not answer within 10 seconds')},
			{check: 'server healthy', level: 'ok'},
		]);
	});

	test('a client of `mcp serve` calls the tool of another server, and stderr names the missing one', () => {
		expect(waited().serve).toMatchObject({tools: ['mcp__healthy__echo'], content: [{type: 'text', text: 'done'}]});
	});

	test('a tool name that fits both servers goes to the connected one', () => {
		const {code, stdout, stderr, silentRequests} = waited().call;
		expect([code, stdout, stderr]).toEqual([0, 'done\n', expect.stringContaining('Waiting for the tool server a ')]);
		expect(silentRequests).toBeGreaterThan(0);
	});
});

test('a tool name that two servers have belongs to the first one in the configuration', async () => {
	const answers = (name: string, text: string) =>
		listen(
			createServer((request, response) => {
				const tools = [{name, inputSchema: {type: 'object'}, annotations: {readOnlyHint: true}}];
				const results = {'tools/list': {tools}, 'tools/call': {content: [{type: 'text', text}]}};
				void answerJson(request, response, {results});
			}),
			'/mcp',
		);
	const short = {url: await answers('b__echo', 'of a'), trust: 'full'};
	const long = {url: await answers('echo', 'of a__b'), trust: 'full'};
	const call = async (servers: object) =>
		(await runSluice({home: stateDirectory({mcp_servers: servers})}, 'mcp', 'call', 'mcp__a__b__echo')).stdout;
	expect(await call({a: short, a__b: long})).toBe('of a\n');
	expect(await call({a__b: long, a: short})).toBe('of a__b\n');
});

test.each([
	{ending: () => waited().callUnreachable, message: 'is not connected: The server cannot be reached'},
	{
		ending: () => callGone({command: 'no-such-program-anywhere'}),
		message: 'cannot be used: The command no-such-program-anywhere was not found',
	},
	{
		ending: () => callGone({command: 'true', enabled: false}),
		message: 'is disabled; `sluice mcp enable gone`',
	},
])('a call of a server that is not connected says $message', async ({ending, message}) => {
	const {code, stdout} = await ending();
	expect([code, JSON.parse(stdout)]).toEqual([
		1,
		{error: {code: 'server_unavailable', message: expect.stringContaining(message), server: 'gone'}},
	]);
});

test('a listing waits for a server that is tried again, and then says why it is not connected', () => {
	const {code, stdout, stderr} = waited().listUnreachable;
	expect([code, stderr]).toEqual([0, expect.stringMatching(/^(sluice: Waiting for the tool server nobody .*\n)+$/u)]);
	expect(JSON.parse(stdout)).toEqual([expect.objectContaining({name: 'nobody', state: 'waiting', tools: 0})]);
});

test('a tool that no configured server can have is unknown at once', async () => {
	const {silent, silentRequests} = await startServers();
	const home = stateDirectory({mcp_servers: {silent}});
	const {code, stdout} = await runSluice({home}, 'mcp', 'call', 'mcp__other__x', '--json');
	expect([code, JSON.parse(stdout), silentRequests()]).toEqual([
		1,
		{error: expect.objectContaining({code: 'unknown_tool'})},
		0,
	]);
});
