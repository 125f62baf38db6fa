import {describe, expect, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {controlProtocol, maximumCommandsPerSecond, maximumConnections} from '../../source/control/limits.ts';
import {systemClock} from '../../source/util/clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {runGateway, type RunningGateway} from '../helpers/running-gateway.ts';
import {connectBare, connectTo} from './control-fixture.ts';
import {lineOf, openBareConsole} from './console-fixture.ts';

const quiet = 'gateway: {endpoint: {port: 0}}\n';

/** The proof that the gateway goes on: it answers on a new connection. */
async function expectUnmoved({paths}: RunningGateway): Promise<void> {
	const client = await connectTo(paths.controlSocket);
	expect(await client.call('status', {}, {signal: neverAborted()})).toMatchObject({pid: process.pid});
	client.close();
}

const request = (method: string, params: object = {}) => lineOf({id: 2, protocol: controlProtocol, method, params});
const deep = (levels: number) => `${'[1,'.repeat(levels)}0${']'.repeat(levels)}`;

const unreadable = 'This window sent a message that the gateway cannot read';
const nonsense: ReadonlyArray<readonly [title: string, text: string | Buffer, message: string]> = [
	['no JSON', 'hello\n', unreadable],
	['an empty line', '\n', unreadable],
	['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x0a]), unreadable],
	['a list', '[]\n', unreadable],
	['no request', lineOf({kind: 'shout'}), unreadable],
	['a request of another protocol', lineOf({id: 2, protocol: 1, method: 'rules.view'}), unreadable],
	['an unknown method', request('burn'), unreadable],
	['a method with the name of a prototype member', request('__proto__'), unreadable],
	['a method named toString', request('toString'), unreadable],
	['a call without its parameters', request('approvals.allow', {id: '1'}), unreadable],
	['a call with parameters of other types', request('cron.run', {reference: {}}), unreadable],
	['an id of a megabyte', request('events.view', {id: 'x'.repeat(1_000_000)}), unreadable],
	[
		'arguments that are nested 100,000 deep',
		`{"id":2,"protocol":${controlProtocol},"method":"mcp.call","params":{"name":"x","approve":false,"arguments":{"a":${deep(100_000)}}}}\n`,
		unreadable,
	],
	['a line of more than 10 MiB', Buffer.alloc(10 * 1024 * 1024 + 1, 0x61), 'This window sent a line that is too long'],
	[
		'a flood of calls',
		// So many that one second has too many of them also where they are read over several.
		request('rules.view').repeat(10 * maximumCommandsPerSecond),
		`This window sent more than ${maximumCommandsPerSecond} commands a second`,
	],
];

describe('a gateway that a window sends', () => {
	test.each(nonsense)('%s says so once, hangs up and goes on', async (_, text, message) => {
		const running = await runGateway(quiet);
		const {socket, reply, closed} = await openBareConsole(running.paths.controlSocket);
		const other = await openBareConsole(running.paths.controlSocket);
		socket.write(text);
		expect(await reply(1)).toEqual({id: 1, error: {code: 'control_failed', message}});
		await closed;
		await expectUnmoved(running);
		other.socket.write(request('rules.view'));
		expect(await other.reply(2)).toMatchObject({result: {rules: []}});
	});

	test('members that a method does not have carries it out without them', async () => {
		const running = await runGateway(quiet);
		const {socket, reply} = await openBareConsole(running.paths.controlSocket);
		socket.write(request('rules.view', {constructor: {prototype: {admin: true}}, extra: deep(20)}));
		expect(await reply(2)).toMatchObject({result: {rules: []}});
	});

	test('a call in two pieces waits for the rest', async () => {
		const running = await runGateway(quiet);
		const {socket, reply} = await openBareConsole(running.paths.controlSocket);
		const line = request('rules.view');
		socket.write(line.slice(0, 20));
		await expectUnmoved(running);
		socket.write(line.slice(20));
		expect(await reply(2)).toMatchObject({result: {rules: []}});
	});

	test('half a line and then nothing more forgets it', async () => {
		const running = await runGateway(quiet);
		const {socket, closed} = await openBareConsole(running.paths.controlSocket);
		socket.end(request('reload').slice(0, -5));
		await closed;
		await expectUnmoved(running);
	});
});

test(`the ${maximumConnections + 1}st connection is refused with the reason, and a place that comes free is taken again`, async () => {
	const running = await runGateway(quiet);
	const path = running.paths.controlSocket;
	const consoles = [];
	for (let count = 0; count < maximumConnections; count++) {
		consoles.push(await openBareConsole(path));
	}

	const {socket, text} = connectBare(path);
	await new Promise(resolve => socket.once('close', resolve));
	expect(JSON.parse(text())).toMatchObject({error: {code: 'control_busy', message: expect.stringMatching(/^100 /)}});
	const client = await connectControl({path, clock: systemClock});
	await expect(client?.call('status', {}, {signal: neverAborted()})).rejects.toMatchObject({code: 'control_busy'});
	for (const words of ['status', 'stop', 'reload', 'approvals list', 'hold', 'doctor --offline']) {
		const {stdout, stderr} = await runSluice({home: running.paths.root}, ...words.split(' '));
		expect(stdout + stderr, words).toContain('100 windows and commands are already connected to the gateway');
		expect(stdout + stderr, words).not.toMatch(/`kill|does not answer|closed the connection/u);
	}

	consoles[0]?.socket.destroy();
	await expect
		.poll(async () =>
			expectUnmoved(running).then(
				() => true,
				() => false,
			),
		)
		.toBe(true);
});
