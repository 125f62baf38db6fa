import {type ChildProcess, spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {freePort} from '../helpers/free-port.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {type Refusal, startForgetful} from '../simulators/forgetful-server.ts';
import {callForText, httpTransport, openConnections, readForText, serverConfig} from './fixture-servers.ts';

/** The answers by which servers say that they do not know a session any more. */
const refusals: readonly Refusal[] = [
	{status: 404, code: -32_001, message: 'Session not found'},
	{status: 400, code: -32_000, message: 'Bad Request: No valid session ID provided'},
	{status: 400, code: -32_000, message: 'Bad Request: Server not initialized'},
	{status: 400, code: -32_600, message: 'Invalid session'},
	{status: 400, message: 'Invalid or missing session ID', plain: true},
	{status: 410, message: '{"error":"Session expired"}', plain: true},
	{status: 200, code: -32_000, message: 'Session expired'},
	{status: 200, code: -32_001, message: 'Session terminated'},
	{status: 200, code: -32_603, message: 'Invalid or expired session'},
	{status: 200, code: -32_602, message: 'Invalid or expired session'},
	{status: 400, code: -32_602, message: 'Invalid or expired session'},
	{status: 200, code: -32_602, message: 'Session not found'},
	{status: 400, code: -32_602, message: 'Unknown or terminated session ID'},
];

async function connectTo(
	refusal: Refusal,
	options: Parameters<typeof startForgetful>[1] & {readonly keepaliveSeconds?: number} = {},
) {
	const server = await startForgetful(refusal, options);
	const clock = createFakeClock();
	const {keepaliveSeconds} = options;
	const config = serverConfig(httpTransport(server.url), keepaliveSeconds === undefined ? {} : {keepaliveSeconds});
	const opened = openConnections([config], {clock});
	await opened.connections.settled(neverAborted());
	return {server, clock, ...opened, state: () => opened.connections.find('fixture')?.state()};
}

describe.each(refusals)('a server that forgot the session and answers $status, $code, "$message"', refusal => {
	test('gets a read-only call once more, in a new session', async () => {
		const {server, connections} = await connectTo(refusal);
		server.forget();
		expect(await readForText(connections, 'echo', {})).toBe('done');
		expect([server.asked('tools/call'), server.done('tools/call'), server.done('initialize')]).toEqual([2, 1, 2]);
	});

	test('gets any other call once, whose outcome is uncertain, and the next one in a new session', async () => {
		const {server, connections} = await connectTo(refusal);
		server.forget();
		await expect(callForText(connections, 'echo', {})).rejects.toMatchObject({code: 'outcome_uncertain'});
		expect([server.asked('tools/call'), server.done('tools/call')]).toEqual([1, 0]);
		expect(await callForText(connections, 'echo', {})).toBe('done');
		expect(server.done('initialize')).toBe(2);
	});

	test('is connected again when it refuses the keepalive so', async () => {
		const {server, clock} = await connectTo(refusal, {keepaliveSeconds: 5});
		server.forget();
		await clock.advance(5000);
		await expect.poll(() => server.done('tools/list')).toBe(2);
		expect([server.asked('ping'), server.done('ping'), server.done('initialize')]).toEqual([1, 0, 2]);
	});
});

describe('in a session that was lost', () => {
	const refusal: Refusal = {status: 200, message: 'Session expired'};

	test.each([
		{kind: 'list-resources', member: 'resources'},
		{kind: 'list-prompts', member: 'prompts'},
	] as const)('$kind is answered all the same', async ({kind, member}) => {
		const {server, connections} = await connectTo(refusal);
		server.forget();
		const answer = await connections.find('fixture')?.request({kind}, {signal: neverAborted()});
		expect(answer?.content[0]?.['text']).toContain(member);
		expect(server.done('initialize')).toBe(2);
	});

	test('a list of tools that is refused opens another one', async () => {
		const {server, clock} = await connectTo(refusal, {streams: true});
		await expect.poll(() => server.asked('GET')).toBe(1);
		server.report();
		await expect.poll(() => clock.open()).toBe(1);
		await clock.advance(250);
		await expect.poll(() => server.done('tools/list')).toBe(2);
		await expect.poll(() => clock.open()).toBe(0);
		server.forget();
		server.report();
		await expect.poll(() => clock.open()).toBe(1);
		await clock.advance(250);
		await expect.poll(() => server.done('tools/list')).toBe(3);
		expect([server.asked('tools/list'), server.done('initialize')]).toEqual([4, 2]);
	});

	test('nothing is reported when it is closed, whatever the server answers', async () => {
		const {server, connections} = await connectTo(refusal);
		server.forget();
		await connections.stop();
		expect(server.asked('DELETE')).toBe(1);
	});
});

describe('no lost session is', () => {
	const gone = {status: 200, message: 'Session expired'} as const;

	test('a result in which the tool itself says that a session has expired', async () => {
		const results = {'tools/call': {content: [{type: 'text', text: 'Session expired'}], isError: true}};
		const {server, connections} = await connectTo(gone, {results});
		expect(await callForText(connections, 'echo', {})).toBe('Session expired');
		expect(server.done('initialize')).toBe(1);
	});

	test('an error of a server whose sessions have no id', async () => {
		const {server, connections} = await connectTo(gone, {withoutIds: true, alwaysRefuses: 'tools/call'});
		await expect(callForText(connections, 'echo', {})).rejects.toMatchObject({code: 'call_failed'});
		expect([server.done('initialize'), server.asked('tools/call')]).toEqual([1, 1]);
	});

	test('a server that refuses every listening stream with such words', async () => {
		const refusal: Refusal = {status: 400, message: 'Bad Request: Invalid session'};
		const {server, connections} = await connectTo(refusal, {alwaysRefuses: 'GET'});
		await expect.poll(() => server.asked('GET')).toBe(1);
		expect(await callForText(connections, 'echo', {})).toBe('done');
		expect(server.done('initialize')).toBe(1);
	});

	test.each<Refusal>([
		{status: 400, code: -32_602, message: 'Invalid arguments for tool echo: session must be a string'},
		{status: 200, code: -32_602, message: 'Invalid session ID'},
		{status: 200, code: -32_602, message: 'Session tab-7 not found'},
		{status: 200, code: -32_602, message: 'Session expired: open the browser with browser_open first'},
		{status: 200, code: -32_601, message: 'Invalid or expired session'},
		{status: 200, code: -32_603, message: 'The browser session has expired'},
		{status: 200, code: -32_001, message: 'Request timed out'},
		{status: 422, code: -32_000, message: 'Too many requests in this session'},
	])('the refusal of one call: $status, $code, "$message"', async refusal => {
		const {server, connections} = await connectTo(refusal, {alwaysRefuses: 'tools/call'});
		await expect(readForText(connections, 'echo', {})).rejects.toMatchObject({code: 'call_failed'});
		expect([server.done('initialize'), server.asked('tools/call')]).toEqual([1, 1]);
	});
});

test('a server that loses its session at every call is given up: the budget of reconnects ends', async () => {
	const {server, connections, state} = await connectTo(
		{status: 200, message: 'Session expired'},
		{alwaysRefuses: 'tools/call'},
	);
	for (let calls = 0; calls < 20; calls++) {
		await expect(readForText(connections, 'echo', {})).rejects.toMatchObject({code: 'server_unavailable'});
	}

	expect(state()).toMatchObject({kind: 'waiting', reconnectsLeft: 0});
	expect([server.done('initialize'), server.asked('tools/call')]).toEqual([6, 6]);
});

/** Starts the reference server of the protocol; resolves once it listens. */
async function startEverything(port: number): Promise<ChildProcess> {
	const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
	const child = spawn(process.execPath, [program, 'streamableHttp'], {
		env: {...process.env, PORT: String(port)},
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	for await (const chunk of child.stderr) {
		if (String(chunk).includes('listening on port')) {
			child.stderr.resume();
			return child;
		}
	}

	throw new Error('the reference server did not start');
}

/** Ends a process and starts the reference server again on its port. */
async function restart(child: ChildProcess, port: number): Promise<void> {
	const ended = new Promise(resolve => child.once('exit', resolve));
	child.kill('SIGKILL');
	await ended;
	await startEverything(port);
}

test('the reference server is restarted on its port: a call works again, and so does the next', async () => {
	const port = await freePort();
	const child = await startEverything(port);
	// A clock that stands still: no stream is opened again and nothing pings, so that the call itself meets the lost session.
	const clock = createFakeClock();
	const {connections} = openConnections([serverConfig(httpTransport(`http://127.0.0.1:${port}/mcp`))], {clock});
	await connections.settled(neverAborted());
	expect(await callForText(connections, 'echo', {message: 'before'})).toContain('before');
	await restart(child, port);
	await expect(callForText(connections, 'echo', {message: 'lost'})).rejects.toMatchObject({code: 'outcome_uncertain'});
	expect(await callForText(connections, 'echo', {message: 'after'})).toContain('after');
	expect(connections.find('fixture')?.state().kind).toBe('connected');
}, 60_000);

test.each(['keepalive', 'listening stream'] as const)(
	'the reference server is restarted on its port: the %s notices it without a call',
	async how => {
		const port = await freePort();
		const child = await startEverything(port);
		const clock = createFakeClock();
		const transport = httpTransport(`http://127.0.0.1:${port}/mcp`);
		const config = serverConfig(transport, how === 'keepalive' ? {keepaliveSeconds: 5} : {});
		const {connections, recorded} = openConnections([config], {clock});
		const connected = () => recorded.ofType('server.state').filter(({state}) => state === 'connected').length;
		await connections.settled(neverAborted());
		await restart(child, port);
		// Either the next ping is waited for, or the next try to listen.
		await expect.poll(() => clock.open()).toBeGreaterThan(0);
		expect(connected()).toBe(1);
		// Once only: the new session must not run out of time by a clock that runs ahead.
		await clock.advance(how === 'keepalive' ? 5000 : 1000);
		await expect.poll(connected, {timeout: 25_000}).toBe(2);
		expect(await callForText(connections, 'echo', {message: 'after'})).toContain('after');
	},
	60_000,
);
