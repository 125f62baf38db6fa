import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {commandSchema, maximumCommandsPerSecond} from '../../source/control/console-wire.ts';
import {maximumConnections} from '../../source/control/limits.ts';
import {type Command} from '../../source/state/command.ts';
import {systemClock} from '../../source/util/clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {runGateway, type RunningGateway} from '../helpers/running-gateway.ts';
import {connectBare, connectTo} from './control-fixture.ts';
import {lineOf, openBareConsole} from './console-fixture.ts';

const quiet = 'gateway: {endpoint: {port: 0}}\n';

/** What proves that the gateway goes on: it answers on a new connection. */
async function expectUnmoved({paths}: RunningGateway): Promise<void> {
	const client = await connectTo(paths.controlSocket);
	expect(await client.call('status', {}, {signal: neverAborted()})).toMatchObject({pid: process.pid});
	client.close();
}

const command = (value: object) => lineOf({kind: 'command', command: value});
const deep = (levels: number) => `${'[1,'.repeat(levels)}0${']'.repeat(levels)}`;

const unreadable = 'This window sent what the gateway cannot read';
const nonsense: ReadonlyArray<readonly [title: string, text: string | Buffer, message: string]> = [
	['no JSON', 'hello\n', unreadable],
	['an empty line', '\n', unreadable],
	['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x0a]), unreadable],
	['a list', '[]\n', unreadable],
	['an unknown kind', lineOf({kind: 'shout'}), unreadable],
	['a kind with the name of a prototype member', lineOf({kind: 'constructor'}), unreadable],
	['an unknown command', command({type: 'burn'}), unreadable],
	['a command with the name of a prototype member', command({type: '__proto__'}), unreadable],
	['a command named toString', command({type: 'toString'}), unreadable],
	['a command without its members', command({type: 'answer-approval', id: '1'}), unreadable],
	['a command with members of other types', command({type: 'run-job', id: {}}), unreadable],
	['the end of the gateway, which is no command of a window', command({type: 'stop', force: true}), unreadable],
	['an id of a megabyte', command({type: 'show-event', eventId: 'x'.repeat(1_000_000)}), unreadable],
	[
		'arguments that are nested 100,000 deep',
		`{"kind":"command","command":{"type":"call-tool","requestId":"1","name":"x","arguments":{"a":${deep(100_000)}}}}\n`,
		unreadable,
	],
	['a line of more than 10 MiB', Buffer.alloc(10 * 1024 * 1024 + 1, 0x61), 'This window sent a line that is too long'],
	[
		'a flood of commands',
		// So many that one second has too many of them also where they are read over several.
		command({type: 'show-rules'}).repeat(10 * maximumCommandsPerSecond),
		`The gateway takes ${maximumCommandsPerSecond} commands a second from a window, and this one sent more`,
	],
];

describe('a gateway that a window sends', () => {
	test.each(nonsense)('%s says so once, hangs up and goes on', async (_, text, message) => {
		const running = await runGateway(quiet);
		const {socket, sent, closed} = await openBareConsole(running.paths.controlSocket);
		const other = await openBareConsole(running.paths.controlSocket);
		socket.write(text);
		await closed;
		expect(sent('refused')).toEqual([{kind: 'refused', message}]);
		await expectUnmoved(running);
		other.socket.write(command({type: 'show-rules'}));
		expect(await other.event('view.rules')).toMatchObject({rules: []});
	});

	test('members that a command does not have carries it out without them', async () => {
		const running = await runGateway(quiet);
		const {socket, event} = await openBareConsole(running.paths.controlSocket);
		socket.write(command({type: 'show-rules', constructor: {prototype: {admin: true}}, extra: deep(20)}));
		expect(await event('view.rules')).toMatchObject({rules: []});
	});

	test('a command in two pieces waits for the rest', async () => {
		const running = await runGateway(quiet);
		const {socket, event} = await openBareConsole(running.paths.controlSocket);
		const line = command({type: 'show-rules'});
		socket.write(line.slice(0, 20));
		await sleep(50);
		socket.write(line.slice(20));
		expect(await event('view.rules')).toMatchObject({rules: []});
	});

	test('half a line and then nothing more forgets it', async () => {
		const running = await runGateway(quiet);
		const {socket, closed} = await openBareConsole(running.paths.controlSocket);
		socket.end(command({type: 'reload'}).slice(0, -5));
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
		expect(stdout + stderr, words).toContain('100 windows and commands are connected to the gateway already');
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

/** One of each type that a window sends: the checker refuses a table without one of them. */
const everyCommand: {
	readonly [Type in Exclude<Command['type'], 'stop' | 'start-demo'>]: Extract<Command, {type: Type}>;
} = {
	'answer-approval': {type: 'answer-approval', id: '1', argumentsHash: 'h', verdict: {kind: 'deny', message: 'no'}},
	'answer-question': {type: 'answer-question', id: '1', answer: {kind: 'accept', values: {a: [1, {b: null}]}}},
	'answer-proposal': {type: 'answer-proposal', id: '1', answer: {kind: 'rename', name: 'other'}},
	'propose-rule': {type: 'propose-rule', id: '1', choices: [0, 2]},
	'store-rule': {type: 'store-rule', id: '1', argumentsHash: 'h', choices: [1], ruleHash: 'r'},
	'show-rules': {type: 'show-rules'},
	'rehearse-rules': {type: 'rehearse-rules', without: 'rule-1'},
	'cancel-rehearsal': {type: 'cancel-rehearsal'},
	hold: {type: 'hold', reason: 'looks odd'},
	unhold: {type: 'unhold', hash: 'h'},
	'revoke-rule': {type: 'revoke-rule', id: '1'},
	'reconnect-server': {type: 'reconnect-server', server: 'a'},
	'set-server-enabled': {type: 'set-server-enabled', server: 'a', enabled: false},
	'add-server': {type: 'add-server', server: {kind: 'stdio', name: 'a', command: 'b', args: ['c']}},
	'show-server': {type: 'show-server', server: 'a', part: 2},
	'show-server-calls': {type: 'show-server-calls', server: 'a'},
	'show-server-log': {type: 'show-server-log', server: 'a'},
	'start-login': {type: 'start-login', server: 'a', flow: 'device'},
	'switch-to-oauth': {type: 'switch-to-oauth', server: 'a', flow: 'browser'},
	'cancel-login': {type: 'cancel-login', server: 'a'},
	'finish-login': {type: 'finish-login', server: 'a', redirectUrl: 'http://127.0.0.1/?code=1'},
	'show-tools': {type: 'show-tools', server: 'a'},
	'call-tool': {type: 'call-tool', requestId: '1', name: 'mcp__a__b', arguments: {deep: [{x: 1}]}},
	'call-again': {type: 'call-again', requestId: '1', callId: '1'},
	'cancel-call': {type: 'cancel-call', callId: '1'},
	'resolve-uncertain': {type: 'resolve-uncertain', callId: '1', resolution: 'not_done'},
	'repeat-uncertain': {type: 'repeat-uncertain', callId: '1'},
	'enable-webhooks': {type: 'enable-webhooks'},
	'set-route-paused': {type: 'set-route-paused', route: 'r', paused: true},
	'show-event': {type: 'show-event', eventId: '1', part: 2},
	'show-call': {type: 'show-call', callId: '1', part: 2},
	'show-decision': {type: 'show-decision', id: '1', part: 2},
	'show-delivery': {type: 'show-delivery', id: '1', part: 2},
	'show-run': {type: 'show-run', runId: '1', part: 2},
	'show-trace': {type: 'show-trace', subject: {kind: 'job', id: 'nightly'}, part: 2},
	'dry-run-event': {type: 'dry-run-event', eventId: '1'},
	'replay-event': {type: 'replay-event', eventId: '1'},
	'dismiss-deliveries': {type: 'dismiss-deliveries', ids: ['1', '2']},
	'start-run': {type: 'start-run', prompt: 'hello'},
	'follow-up-run': {type: 'follow-up-run', runId: '1', prompt: 'and?'},
	'cancel-run': {type: 'cancel-run', runId: '1'},
	'answer-inbox': {type: 'answer-inbox', runId: '1', text: 'yes'},
	'close-inbox-item': {type: 'close-inbox-item', runId: '1'},
	'run-job': {type: 'run-job', id: '1'},
	'set-job-paused': {type: 'set-job-paused', id: '1', paused: true},
	reload: {type: 'reload'},
};

const variants: readonly Command[] = [
	{type: 'answer-approval', id: '1', argumentsHash: 'h', verdict: {kind: 'approve', scope: 'always'}},
	{type: 'answer-approval', id: '1', argumentsHash: 'h', verdict: {kind: 'deny'}},
	{type: 'answer-question', id: '1', answer: {kind: 'decline'}},
	{type: 'answer-question', id: '1', answer: {kind: 'cancel'}},
	{type: 'answer-proposal', id: '1', answer: {kind: 'confirm'}},
	{type: 'answer-proposal', id: '1', answer: {kind: 'cancel'}},
	{type: 'add-server', server: {kind: 'http', name: 'a', url: 'https://example.com/mcp'}},
	{type: 'show-tools'},
	{type: 'show-event', eventId: '1'},
	{type: 'start-login', server: 'a'},
];

test.each([...Object.values(everyCommand), ...variants])('a command passes as it is: $type', sent => {
	const whole = {...sent, profile: 'default', seen: 'digest'};
	expect(commandSchema.parse(sent)).toEqual(sent);
	expect(commandSchema.parse(whole)).toEqual(whole);
});
