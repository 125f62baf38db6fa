import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openSlackServer, slackAppToken} from '../simulators/channels/slack.ts';
import {askMessage, openTestChannel} from './open-test-channel.ts';

async function open() {
	const clock = createFakeClock();
	const server = await openSlackServer({clock});
	const {appToken, botToken, team, channel, baseUrl} = server;
	const open = () => openTestChannel({platform: 'slack', appToken, botToken, team, channel, baseUrl}, clock);
	return {...(await open()), open, server, clock};
}

type Opened = Awaited<ReturnType<typeof open>>;

async function openConnected() {
	const opened = await open();
	void opened.start();
	await expect.poll(() => opened.states.at(-1)).toEqual({kind: 'connected'});
	return opened;
}

async function sendAsk({channel, signal, server}: Opened): Promise<string> {
	await channel.send(askMessage, signal);
	return server.messages().at(-1)!.ts;
}

async function expectAway({states}: Opened, message: string) {
	await expect.poll(() => states.at(-1)).toEqual({kind: 'away', message: expect.stringContaining(message)});
}

/** The number of addresses for sockets that were asked for. */
const opens = ({server}: Opened) => server.requests().filter(method => method === 'apps.connections.open').length;

describe('an envelope', () => {
	test('is acknowledged at once, also while the one before is handled, and inputs come one after the other', async () => {
		const opened = await openConnected();
		const {server, inputs, marks, alive} = opened;
		const handled = Promise.withResolvers<void>();
		opened.handleInputs(() => handled.promise);
		const ts = await sendAsk(opened);
		const ids = [server.press(ts, 'Deny'), server.reply(ts, 'not &lt;now&gt;'), server.write('hold')];
		await expect.poll(server.acknowledged).toEqual(ids);
		expect(inputs.length).toBe(1);
		handled.resolve();
		await expect.poll(() => inputs.length).toBe(3);
		expect(inputs).toMatchObject([
			{
				address: {chat: 'C0HOME', message: ts},
				person: {id: 'U0ADA', name: 'ada'},
				isOld: false,
				act: {kind: 'press', value: 's1:AAAAAAAAAAAAAAAAAAAAAA:d'},
			},
			{address: {chat: 'C0HOME', message: ts}, act: {kind: 'reply', text: 'not <now>'}},
			{address: {chat: 'D0ADA'}, act: {kind: 'private-message', text: 'hold'}},
		]);
		expect([marks, alive()]).toEqual([['current'], 1]);
	});

	test('that comes twice is one input, by its id or by that of the act in it', async () => {
		const opened = await openConnected();
		const {server, inputs} = opened;
		const ts = await sendAsk(opened);
		const id = server.press(ts, 'Deny');
		server.press(ts, 'Deny', 'U0ADA', {envelope: {envelope_id: id, retry_attempt: 1}});
		server.reply(ts, 'no', 'U0ADA', {payload: {event_id: 'Ev1'}});
		server.reply(ts, 'no', 'U0ADA', {payload: {event_id: 'Ev1'}, envelope: {retry_attempt: 2}});
		await expect.poll(() => server.acknowledged().length).toBe(4);
		await expect.poll(() => inputs.map(({act}) => act.kind)).toEqual(['press', 'reply']);
	});

	test('that Slack repeats is old if it is about a message of an earlier start', async () => {
		const opened = await openConnected();
		const ts = await sendAsk(opened);
		await opened.stop();
		await opened.clock.advance(60_000);
		const second = await opened.open();
		void second.start();
		await expect.poll(() => second.marks).toEqual(['current']);
		const {server, inputs} = {...opened, inputs: second.inputs};
		const retry = {envelope: {retry_attempt: 1, retry_reason: 'timeout'}};
		server.press(ts, 'Deny', 'U0ADA', retry);
		server.press(ts, 'Deny');
		await opened.clock.advance(2000);
		const newer = await sendAsk({...opened, ...second});
		server.press(newer, 'Deny', 'U0ADA', retry);
		await expect.poll(() => inputs.map(({isOld}) => isOld)).toEqual([true, false, false]);
	});

	test('beyond a hundred that wait is left to Slack, which brings it again', async () => {
		const opened = await openConnected();
		const {server, inputs} = opened;
		const handled = Promise.withResolvers<void>();
		opened.handleInputs(() => handled.promise);
		const ts = await sendAsk(opened);
		for (let count = 0; count < 101; count++) {
			server.press(ts, 'Deny');
		}

		await expect.poll(() => server.acknowledged().length).toBe(100);
		handled.resolve();
		await expect.poll(() => inputs.length).toBe(100);
		const next = server.write('hello');
		await expect.poll(() => server.acknowledged().slice(100)).toEqual([next]);
	});

	test.each<[string, unknown]>([
		['no JSON', '{"envelope_id":'],
		['a list', []],
		['an envelope without an id', {type: 'interactive', payload: {}}],
		['an envelope whose id is a number', {type: 'interactive', envelope_id: 5, payload: {}}],
	])('that is %s is nothing, and the socket goes on', async (_name, frame) => {
		const opened = await openConnected();
		const {server, inputs} = opened;
		server.sendFrame(frame);
		server.write('hello');
		await expect.poll(() => inputs.length).toBe(1);
		await expect.poll(() => [server.acknowledged().length, server.connections()]).toEqual([1, 1]);
	});

	test('of a press that counts for nothing is acknowledged, and noted once', async () => {
		const {server, notices, inputs} = await openConnected();
		server.sendFrame({envelope_id: 'e', type: 'interactive', payload: {type: 'view_submission'}});
		await expect.poll(server.acknowledged).toEqual(['e']);
		expect([notices, inputs]).toEqual([['a press in Slack counts for nothing because of its member `type`'], []]);
	});
});

describe('a socket', () => {
	test.each(['warning', 'refresh_requested'])(
		'that Slack replaces (%s) stays open until the new one is',
		async reason => {
			const opened = await openConnected();
			const {server, clock, states, inputs, alive} = opened;
			await clock.advance(9000);
			await clock.advance(1000);
			await expect.poll(alive).toBe(2);
			await clock.advance(10_000);
			await expect.poll(alive).toBe(3);
			await clock.advance(10_000);
			server.disconnect(reason);
			await expect.poll(server.connections).toBe(2);
			await expect.poll(alive).toBeGreaterThanOrEqual(5);
			server.closeOldest();
			await expect.poll(server.connections).toBe(1);
			server.press(await sendAsk(opened), 'Deny');
			await expect.poll(() => inputs.length).toBe(1);
			expect(states.every(({kind}) => kind === 'connecting' || kind === 'connected')).toBe(true);
		},
	);

	test('that Slack does not close after its replacement is closed after 10 seconds', async () => {
		const opened = await openConnected();
		const {server, clock} = opened;
		server.disconnect('warning');
		await clock.settle();
		await expect.poll(() => opens(opened)).toBe(1);
		await clock.advance(1000);
		await expect.poll(server.connections).toBe(2);
		await expect.poll(() => opened.states.length).toBe(3);
		await clock.advance(10_000);
		await expect.poll(server.connections).toBe(1);
	});

	test('that is cut is opened again', async () => {
		const opened = await openConnected();
		opened.server.cut();
		await expectAway(opened, 'was lost');
		await opened.clock.advance(1000);
		await expect.poll(() => opened.states.at(-1)).toEqual({kind: 'connected'});
	});

	test('that stays open and silent is given up after 30 seconds, and no longer counts as alive', async () => {
		const opened = await openConnected();
		const {server, clock, states, alive} = opened;
		server.silence();
		await clock.advance(30_000);
		expect([states.length, alive()]).toEqual([2, 1]);
		await clock.advance(10_000);
		await expectAway(opened, 'was lost');
		await clock.advance(1000);
		await expect.poll(() => states.at(-1)).toEqual({kind: 'connected'});
		expect(alive()).toBe(2);
	});

	test('without a hello is given up after 10 seconds', async () => {
		const opened = await open();
		opened.server.withholdHello(true);
		void opened.start();
		await expect.poll(opened.server.connections).toBe(1);
		await opened.clock.advance(10_000);
		await expectAway(opened, 'did not open a connection');
		await expect.poll(opened.server.connections).toBe(0);
		expect(opened.marks).toEqual([]);
	});

	test('of which others of the same app exist is noted', async () => {
		const opened = await open();
		opened.server.setOtherConnections(2);
		void opened.start();
		await expect.poll(() => opened.notices).toEqual([expect.stringContaining('2 more connections')]);
	});

	test('ends with the signal', async () => {
		const {server, stop, clock} = await openConnected();
		await stop();
		await expect.poll(server.connections).toBe(0);
		await expect.poll(clock.open).toBe(0);
	});

	test('whose message is longer than a megabyte ends', async () => {
		const opened = await openConnected();
		opened.server.sendFrame({type: 'x', more: 'x'.repeat(1_048_576)});
		await expectAway(opened, 'was lost');
	});
});

describe('an app', () => {
	test('whose Socket Mode is turned off, and one whose token was revoked, are not tried again', async () => {
		const opened = await open();
		const running = opened.start();
		await expect.poll(opened.server.connections).toBe(1);
		await expect.poll(() => opened.states.length).toBe(2);
		opened.server.disconnect('link_disabled');
		await running;
		expect(opened.states.at(-1)).toEqual({
			kind: 'rejected',
			message: expect.stringContaining('Socket Mode is turned off'),
		});
		const second = await opened.open();
		opened.server.revokeToken(slackAppToken);
		await second.start();
		expect(second.states.at(-1)).toEqual({kind: 'rejected', message: expect.stringContaining('connections:write')});
		expect(opened.said() + second.said()).not.toContain(slackAppToken);
	});

	test('that has ten connections is tried again after a minute', async () => {
		const opened = await openConnected();
		opened.server.disconnect('too_many_websockets');
		await expectAway(opened, '10 connections');
		await opened.clock.advance(59_999);
		expect(opens(opened)).toBe(1);
		await opened.clock.advance(1);
		await expect.poll(() => opens(opened)).toBe(2);
	});

	test('that asks too often waits as long as Slack says', async () => {
		const opened = await open();
		opened.server.plan('apps.connections.open', {status: 429, headers: {'retry-after': '30'}});
		void opened.start();
		await expectAway(opened, 'ratelimited');
		await opened.clock.advance(29_999);
		expect(opens(opened)).toBe(1);
		await opened.clock.advance(1);
		await expect.poll(() => opened.states.at(-1)).toEqual({kind: 'connected'});
	});

	test.each([['http://127.0.0.1/'], ['ftp://127.0.0.1/'], ['/link']])(
		'whose address for sockets is %s is away',
		async url => {
			const opened = await open();
			opened.server.plan('apps.connections.open', {status: 200, body: JSON.stringify({ok: true, url})});
			void opened.start();
			await expectAway(opened, 'did not open a connection');
		},
	);

	test('that cannot get a new socket keeps the old one meanwhile', async () => {
		const opened = await openConnected();
		const {server, clock, inputs, states} = opened;
		server.plan('apps.connections.open', {status: 502}, {status: 502});
		server.disconnect('warning');
		await clock.advance(1000);
		await expect.poll(() => opens(opened)).toBe(2);
		server.write('hello');
		await expect.poll(() => inputs.length).toBe(1);
		expect(states.at(-1)).toEqual({kind: 'connected'});
	});
});

test('an acknowledgement is seen by the person alone', async () => {
	const opened = await openConnected();
	const {server, channel, inputs, signal} = opened;
	server.press(await sendAsk(opened), 'Deny', 'U0EVE');
	await expect.poll(() => inputs.length).toBe(1);
	await channel.acknowledge!(inputs[0]!, 'You may not decide this <!here>', signal);
	await channel.acknowledge!(inputs[0]!, '', signal);
	expect(server.ephemerals()).toEqual([
		{channel: 'C0HOME', user: 'U0EVE', text: 'You may not decide this &lt;!here&gt;'},
	]);
});
