import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTelegramServer, telegramToken} from '../simulators/channels/telegram.ts';
import {askMessage, openTestChannel} from './open-test-channel.ts';

async function open(options: {readonly chat?: string} = {}) {
	const clock = createFakeClock();
	const server = await openTelegramServer({clock, ...options});
	const settings = {platform: 'telegram', token: server.token, chat: server.chat, baseUrl: server.baseUrl} as const;
	const open = () => openTestChannel(settings, clock);
	return {...(await open()), open, server, clock};
}

type Opened = Awaited<ReturnType<typeof open>>;

async function openPolled(options: {readonly chat?: string} = {}) {
	const opened = await open(options);
	void opened.start();
	await expect.poll(opened.server.isPolled).toBe(true);
	return opened;
}

async function sendAsk({channel, signal, server}: Opened): Promise<number> {
	await channel.send(askMessage, signal);
	return server.messages().at(-1)!.id;
}

/** Waits for the next state, and moves the clock on for the pause after it. */
async function expectAway({states, clock}: Opened, message: string, pauseMilliseconds: number) {
	await expect.poll(() => states.at(-1)).toEqual({kind: 'away', message: expect.stringContaining(message)});
	await clock.advance(pauseMilliseconds);
}

describe('polls', () => {
	test('ask for presses and messages alone, and wait only once everything old is known', async () => {
		const opened = await open();
		const {server, inputs, marks} = opened;
		const message = await sendAsk(opened);
		for (let count = 0; count < 25; count++) {
			server.press(message, 'Deny');
		}

		void opened.start();
		await expect.poll(server.isPolled).toBe(true);
		expect(inputs.map(({isOld}) => isOld)).toEqual(Array.from({length: 25}, () => true));
		expect(marks).toEqual(['current']);
		server.press(message, 'Deny');
		await expect.poll(() => inputs.length).toBe(26);
		expect(inputs.at(-1)!.isOld).toBe(false);
		await expect.poll(server.unconfirmed).toBe(0);
		const polls = server.polls();
		expect(polls.every(poll => JSON.stringify(poll['allowed_updates']) === '["message","callback_query"]')).toBe(true);
		expect(polls.map(({timeout}) => timeout)).toEqual([0, 0, 0, 25, 25]);
		expect(polls.map(({offset}) => offset)).toEqual([undefined, 870_000_020, 870_000_025, undefined, 870_000_026]);
	});

	test('take an update whose id is below the one before', async () => {
		const {server, inputs} = await openPolled();
		server.push({update_id: 900_000_000, message: {text: 'x'}});
		await expect.poll(server.unconfirmed).toBe(0);
		await expect.poll(server.isPolled).toBe(true);
		server.write('hello');
		await expect.poll(() => inputs.length).toBe(1);
	});

	test('bring again, as old, what was not handled when the channel stopped', async () => {
		const opened = await openPolled();
		const handled = Promise.withResolvers<void>();
		opened.handleInputs(() => handled.promise);
		opened.server.press(await sendAsk(opened), 'Deny');
		await expect.poll(() => opened.inputs.length).toBe(1);
		const stopped = opened.stop();
		handled.resolve();
		await stopped;
		const second = await opened.open();
		void second.start();
		await expect.poll(() => second.marks).toEqual(['current']);
		expect(second.inputs).toEqual([{...opened.inputs[0], isOld: true}]);
	});

	test('wait until an input is handled', async () => {
		const opened = await openPolled();
		const {server, inputs} = opened;
		const handled = Promise.withResolvers<void>();
		opened.handleInputs(() => handled.promise);
		const message = await sendAsk(opened);
		server.press(message, 'Deny');
		await expect.poll(() => inputs.length).toBe(1);
		server.press(message, 'Allow…');
		const polls = server.polls().length;
		await opened.clock.settle();
		expect([inputs.length, server.polls().length]).toEqual([1, polls]);
		handled.resolve();
		await expect.poll(() => inputs.length).toBe(2);
		expect(server.polls().length).toBeGreaterThan(polls);
	});

	test('end with the signal', async () => {
		const {server, stop, clock} = await openPolled();
		await stop();
		await expect.poll(server.isPolled).toBe(false);
		expect(clock.open()).toBe(0);
	});
});

describe('a platform that does not answer', () => {
	test('for a minute is away, and then brings what came meanwhile', async () => {
		const opened = await openPolled();
		const {server, clock, states, inputs} = opened;
		const message = await sendAsk(opened);
		expect(states).toEqual([{kind: 'connecting'}, {kind: 'connected'}]);
		server.setSilent(true);
		await clock.advance(25_000);
		await expect.poll(() => server.requests().length).toBe(4);
		await clock.advance(40_000);
		await expectAway(opened, 'did not answer within 40 seconds', 0);
		server.press(message, 'Deny');
		server.setSilent(false);
		await clock.advance(1000);
		await expect.poll(() => inputs.length).toBe(1);
		expect(inputs[0]!.isOld).toBe(false);
		await expect.poll(() => states.at(-1)).toEqual({kind: 'connected'});
	});

	test('is tried again after pauses that grow', async () => {
		const opened = await openPolled();
		const {server, clock} = opened;
		server.plan('getUpdates', ...Array.from({length: 8}, () => ({status: 502, body: 'Bad Gateway'})));
		await clock.advance(25_000);
		for (const pause of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
			const polls = server.requests().length;
			await expectAway(opened, 'status 502', pause - 1);
			expect(server.requests().length).toBe(polls);
			await clock.advance(1);
			await expect.poll(() => server.requests().length).toBe(polls + 1);
		}

		await expect.poll(server.isPolled).toBe(true);
	});

	test('is not asked before the time that it names', async () => {
		const opened = await openPolled();
		const {server, clock} = opened;
		server.plan('getUpdates', {code: 429, description: 'Too Many Requests', parameters: {retry_after: 30}});
		await clock.advance(25_000);
		await expectAway(opened, 'Too Many Requests', 29_999);
		expect(server.isPolled()).toBe(false);
		await clock.advance(1);
		await expect.poll(server.isPolled).toBe(true);
	});
});

describe('a bot', () => {
	test('that another program polls is away until that stops, and nothing is lost', async () => {
		const opened = await openPolled();
		const {server, clock, states, inputs} = opened;
		const other = await opened.open();
		void other.start();
		await expectAway(opened, 'Another program polls the same bot', 0);
		await other.stop();
		server.press(await sendAsk(opened), 'Deny');
		await clock.advance(5000);
		await expect.poll(() => inputs.length).toBe(1);
		expect(states.at(-1)).toEqual({kind: 'connected'});
	});

	test('with a webhook is away, and the webhook stays', async () => {
		const opened = await openPolled();
		const {server, clock} = opened;
		server.setWebhook('https://example.org/hook');
		await clock.advance(25_000);
		await expectAway(opened, 'deleteWebhook', 59_999);
		expect(new Set(server.requests())).toEqual(new Set(['getUpdates']));
		server.setWebhook('');
		await clock.advance(1);
		await expect.poll(server.isPolled).toBe(true);
	});

	test('whose token was revoked is not asked again, and the token is in no text', async () => {
		const opened = await open();
		opened.server.revokeToken();
		await opened.start();
		expect(opened.states.at(-1)).toEqual({kind: 'rejected', message: expect.stringContaining('@BotFather')});
		expect(opened.server.polls()).toEqual([]);
		expect(opened.said()).not.toContain(telegramToken);
	});

	test('whose proxy repeats the request shows no token', async () => {
		const opened = await open();
		opened.server.plan('getUpdates', {code: 502, description: `no route for /bot${telegramToken}/getUpdates`});
		void opened.start();
		await expectAway(opened, 'no route for /bot‹masked›/getUpdates', 0);
		expect(opened.said()).not.toContain(telegramToken);
	});

	test('whose group became a supergroup names its new id, and decides nothing', async () => {
		const opened = await open({chat: '-77'});
		const running = opened.start();
		opened.server.push({
			message: {message_id: 9, date: 1, chat: {id: -77, type: 'group'}, migrate_to_chat_id: -100_123},
		});
		await running;
		expect(opened.states.at(-1)).toEqual({
			kind: 'rejected',
			message: 'The group is now a supergroup; set `chat` to "-100123"',
		});
		expect(opened.inputs).toEqual([]);
	});

	test('of which another group became a supergroup goes on', async () => {
		const {server, inputs, states} = await openPolled();
		server.push({message: {message_id: 9, date: 1, chat: {id: -77, type: 'group'}, migrate_to_chat_id: -100_123}});
		server.write('hello');
		await expect.poll(() => inputs.length).toBe(1);
		expect(states.at(-1)).toEqual({kind: 'connected'});
	});
});

describe('an answer that cannot be read', () => {
	test.each([
		['is no JSON', '<html>'],
		['has updates without ids', '{"ok":true,"result":[{"message":{}}]}'],
		['has no list', '{"ok":true,"result":{"update_id":1}}'],
		['is cut', '{"ok":true,"result":[{"update_id":1,"mess'],
	])('%s: the channel is away', async (_name, body) => {
		const opened = await open();
		opened.server.plan('getUpdates', {status: 200, body});
		void opened.start();
		await expectAway(opened, 'without a result that Sluice can read', 1000);
		await expect.poll(opened.server.isPolled).toBe(true);
		expect(opened.inputs).toEqual([]);
	});

	test('because it is too long: the next one has a single update', async () => {
		const opened = await open();
		opened.server.plan('getUpdates', {status: 200, body: `{"ok":true,"result":[],"more":"${'x'.repeat(8_388_608)}"}`});
		void opened.start();
		await expectAway(opened, 'without a result', 1000);
		await expect.poll(opened.server.isPolled).toBe(true);
		expect(opened.server.polls().map(({limit}) => limit)).toEqual([1, 20]);
	});
});
