import {describe, expect, test} from 'vitest';
import {type ChannelMessage} from '../../source/remote/channel.ts';
import {checkChannel} from '../../source/remote/channels.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openTelegramServer} from '../simulators/channels/telegram.ts';
import {askMessage, doneMessage, openTestChannel} from './open-test-channel.ts';

async function open(options: {readonly chat?: string} = {}) {
	const clock = createFakeClock();
	const server = await openTelegramServer({clock, ...options});
	const {token, chat, baseUrl} = server;
	const settings = {platform: 'telegram', token, chat, baseUrl} as const;
	const opened = await openTestChannel(settings, clock);
	return {...opened, server, clock, settings};
}

/** The same, with a poll that waits for updates. */
async function openPolled(options: {readonly chat?: string} = {}) {
	const opened = await open(options);
	void opened.start();
	await expect.poll(opened.server.isPolled).toBe(true);
	return opened;
}

async function sendAsk({channel, signal, server}: Awaited<ReturnType<typeof open>>): Promise<number> {
	expect(await channel.send(askMessage, signal)).toMatchObject({kind: 'sent'});
	return server.messages().at(-1)!.id;
}

describe('a message', () => {
	test('has foreign text as code, buttons, no preview, and is protected', async () => {
		const {channel, signal, server} = await open();
		const end = await channel.send(askMessage, signal);
		const [message] = server.messages();
		expect(end).toEqual({kind: 'sent', address: {chat: '456', message: String(message!.id)}});
		expect(message).toMatchObject({
			text: 'files/write wants to run\n{"path": "/tmp/<b>*a*</b> @here"}\na1b2',
			code: ['{"path": "/tmp/<b>*a*</b> @here"}'],
			isProtected: true,
		});
		expect(message!.buttons).toEqual([
			[
				{text: 'Allow…', callback_data: 's1:AAAAAAAAAAAAAAAAAAAAAA:a'},
				{text: 'Deny', callback_data: 's1:AAAAAAAAAAAAAAAAAAAAAA:d', style: 'danger'},
			],
		]);
	});

	test('counts in UTF-16 units where code begins and ends', async () => {
		const {channel, signal, server} = await open();
		const parts = [
			{kind: 'own', text: '🛂 asks'},
			{kind: 'foreign', text: '👩‍🚀 é'},
			{kind: 'own', text: 'x'},
			{kind: 'foreign', text: ''},
			{kind: 'foreign', text: '𝟙'},
			{kind: 'own', text: 'end'},
		] as const;
		await channel.send({parts, buttons: []}, signal);
		expect(server.messages()[0]!.code).toEqual(['👩‍🚀 é', '𝟙']);
	});

	test.each<[string, ChannelMessage, boolean]>([
		['4,096 units', {parts: [{kind: 'foreign', text: 'x'.repeat(4096)}], buttons: []}, true],
		['4,097 units', {parts: [{kind: 'foreign', text: 'x'.repeat(4097)}], buttons: []}, false],
		['2,049 characters of two units', {parts: [{kind: 'foreign', text: '𝟙'.repeat(2049)}], buttons: []}, false],
		[
			'a line end between parts',
			{parts: Array.from({length: 2}, () => ({kind: 'own', text: 'x'.repeat(2048)})), buttons: []},
			false,
		],
		['101 foreign parts', {parts: Array.from({length: 101}, () => ({kind: 'foreign', text: 'x'})), buttons: []}, false],
		['a blank at its end', {parts: [{kind: 'foreign', text: 'x '}], buttons: []}, false],
		['no text', {parts: [], buttons: []}, false],
		['a value of 65 bytes', {...doneMessage, buttons: [[{label: 'x', value: 'é'.repeat(33), tone: 'plain'}]]}, false],
	])('with %s fits: %s', async (_name, message, fits) => {
		const {channel, signal, server} = await open();
		expect(channel.fits(message)).toBe(fits);
		expect((await channel.send(message, signal)).kind).toBe(fits ? 'sent' : 'refused');
		expect(server.messages().length).toBe(fits ? 1 : 0);
	});

	test('is edited, and then has no buttons; a second time changes nothing', async () => {
		const opened = await open();
		const {channel, signal, server} = opened;
		const address = {chat: '456', message: String(await sendAsk(opened))};
		for (let time = 0; time < 2; time++) {
			expect(await channel.edit!(address, doneMessage, signal)).toEqual({kind: 'sent', address});
		}

		expect(server.messages()).toMatchObject([{text: 'Denied by person 456', code: [], buttons: [], edits: 1}]);
	});

	test.each([
		[
			'429',
			{code: 429, description: 'Too Many Requests: retry after 7', parameters: {retry_after: 7}},
			{kind: 'refused', retryAfter: 7000},
		],
		['401', {code: 401, description: 'Unauthorized'}, {kind: 'refused'}],
		['502 of a proxy', {status: 502, body: '<html>'}, {kind: 'uncertain'}],
		['503 of a proxy', {status: 503}, {kind: 'refused'}],
		['500 of Telegram', {code: 500, description: 'Internal Server Error'}, {kind: 'uncertain'}],
		['200 that cannot be read', {status: 200, body: 'ok'}, {kind: 'uncertain'}],
		['a broken connection', 'hang-up', {kind: 'uncertain'}],
		['a broken connection after it was taken', 'hang-up-after-taking', {kind: 'uncertain'}],
	] as const)('that meets %s', async (_name, trouble, end) => {
		const {channel, signal, server} = await open();
		server.plan('sendMessage', trouble);
		expect(await channel.send(askMessage, signal)).toMatchObject(end);
	});

	test('for which no answer comes ends after 15 seconds', async () => {
		const {channel, signal, server, clock} = await open();
		server.plan('sendMessage', 'silence');
		const sending = channel.send(askMessage, signal);
		await expect.poll(() => server.requests()).toContain('sendMessage');
		await clock.advance(15_000);
		expect(await sending).toEqual({
			kind: 'uncertain',
			message: 'Telegram cannot be reached: it did not answer within 15 seconds',
		});
	});

	test('to a chat that is gone, blocked or moved says what to do', async () => {
		const {channel, signal, server} = await open({chat: '-5'});
		server.setChat('-5', 'blocked');
		expect(await channel.send(askMessage, signal)).toMatchObject({
			kind: 'gone',
			message: expect.stringContaining('unblock it'),
		});
		server.setChat('-5', {movedTo: '-1001'});
		expect(await channel.send(askMessage, signal)).toEqual({
			kind: 'gone',
			message: 'The group is now a supergroup; set `chat` to "-1001"',
		});
		server.removeChat('-5');
		expect(await channel.send(askMessage, signal)).toMatchObject({
			kind: 'gone',
			message: expect.stringContaining('Check `chat`'),
		});
	});

	test('that was deleted is gone when it is edited', async () => {
		const opened = await open();
		const id = await sendAsk(opened);
		opened.server.removeMessage(id);
		const end = await opened.channel.edit!({chat: '456', message: String(id)}, doneMessage, opened.signal);
		expect(end.kind).toBe('gone');
	});

	test('goes to the private chat of a person', async () => {
		const {channel, signal, server} = await open({chat: '-5'});
		server.write('/start', 789);
		expect(await channel.sendToPerson!('789', doneMessage, signal)).toMatchObject({
			kind: 'sent',
			address: {chat: '789'},
		});
		expect(await channel.sendToPerson!('790', doneMessage, signal)).toMatchObject({kind: 'gone'});
	});
});

describe('an acknowledgement', () => {
	test('of a press is for the one who pressed', async () => {
		const opened = await openPolled({chat: '-5'});
		const {server, inputs, channel, signal} = opened;
		const press = server.press(await sendAsk(opened), 'Deny', 999);
		await expect.poll(() => inputs.length).toBe(1);
		await channel.acknowledge!(inputs[0]!, 'You may not decide this', signal);
		await channel.acknowledge!(inputs[0]!, '', signal);
		expect(server.acknowledged()).toEqual([
			{press, text: 'You may not decide this'},
			{press, text: ''},
		]);
	});

	test('of a reply is a message in a private chat, and nothing in a group', async () => {
		const opened = await openPolled({chat: '-5'});
		const {server, inputs, channel, signal} = opened;
		server.reply(await sendAsk(opened), 'no');
		server.write('hello', 789);
		await expect.poll(() => inputs.length).toBe(2);
		for (const input of inputs) {
			await channel.acknowledge!(input, 'You may not decide this', signal);
		}

		expect(server.messages().slice(1)).toMatchObject([{chat: '789', text: 'You may not decide this'}]);
	});
});

describe('the check', () => {
	test('names the bot', async () => {
		const {settings, clock, server} = await open();
		expect(await checkChannel(settings, clock, neverAborted())).toEqual({kind: 'ok', name: '@sluice_bot'});
		expect(server.requests()).toEqual(['getMe', 'getWebhookInfo', 'getChat']);
	});

	test('finds a channel, a chat that is not there, a webhook, and a revoked token', async () => {
		const {settings, clock, server} = await open();
		const check = async () => {
			const found = await checkChannel(settings, clock, neverAborted());
			return found.kind === 'problem' ? found.message : '';
		};
		server.plan('getChat', {status: 200, body: '{"ok":true,"result":{"id":-5,"type":"channel"}}'});
		expect(await check()).toContain('is a channel');
		server.removeChat('456');
		expect(await check()).toContain('chat not found". Check `chat`');
		server.setWebhook('https://example.org/hook');
		expect(await check()).toContain('deleteWebhook');
		server.revokeToken();
		expect(await check()).toContain('@BotFather');
		expect(server.requests()).not.toContain('deleteWebhook');
	});
});
