import {describe, expect, test} from 'vitest';
import {type ChannelMessage} from '../../source/remote/channel.ts';
import {checkChannel} from '../../source/remote/channels.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openSlackServer} from '../simulators/channels/slack.ts';
import {askMessage, doneMessage, openTestChannel} from './open-test-channel.ts';

async function open() {
	const clock = createFakeClock();
	const server = await openSlackServer({clock});
	const {appToken, botToken, team, channel, baseUrl} = server;
	const settings = {platform: 'slack', appToken, botToken, team, channel, baseUrl} as const;
	return {...(await openTestChannel(settings, clock)), server, clock, settings};
}

async function sendAsk({channel, signal, server}: Awaited<ReturnType<typeof open>>) {
	await channel.send(askMessage, signal);
	const {channel: chat, ts} = server.messages().at(-1)!;
	return {chat, message: ts};
}

describe('a message', () => {
	test('is rich text with foreign text preformatted, and buttons; its notification has own words alone', async () => {
		const {channel, signal, server} = await open();
		const end = await channel.send(askMessage, signal);
		const [message] = server.messages();
		expect(end).toEqual({kind: 'sent', address: {chat: 'C0HOME', message: message!.ts}});
		expect(message!.pieces).toEqual([
			{kind: 'section', text: 'files/write wants to run'},
			{kind: 'code', text: '{"path": "/tmp/<b>*a*</b> @here"}'},
			{kind: 'section', text: 'a1b2'},
		]);
		expect(message!.notification).toBe('files/write wants to run\na1b2');
		expect(message!.buttons.flat().map(({text, value, style}) => [text.text, value, style])).toEqual([
			['Allow…', 's1:AAAAAAAAAAAAAAAAAAAAAA:a', undefined],
			['Deny', 's1:AAAAAAAAAAAAAAAAAAAAAA:d', 'danger'],
		]);
	});

	test('mentions nobody in its notification, and joins own lines', async () => {
		const {channel, signal, server} = await open();
		const parts = [
			{kind: 'own', text: 'tool "<!channel>"'},
			{kind: 'own', text: 'a & b'},
		] as const;
		await channel.send({parts, buttons: []}, signal);
		expect(server.messages()[0]).toMatchObject({
			notification: 'tool "&lt;!channel&gt;"\na &amp; b',
			pieces: [{kind: 'section', text: 'tool "<!channel>"\na & b'}],
		});
	});

	test.each<[string, ChannelMessage, boolean]>([
		['3,999 characters', {parts: [{kind: 'foreign', text: 'x'.repeat(3999)}], buttons: []}, true],
		['4,000 characters', {parts: [{kind: 'foreign', text: 'x'.repeat(4000)}], buttons: []}, false],
		['1,000 characters that are escaped', {parts: [{kind: 'foreign', text: '&'.repeat(1000)}], buttons: []}, false],
		['no text', {parts: [{kind: 'own', text: ''}], buttons: []}, false],
		[
			'a label of 76 characters',
			{...doneMessage, buttons: [[{label: 'x'.repeat(76), value: 'x', tone: 'plain'}]]},
			false,
		],
	])('with %s fits: %s', async (_name, message, fits) => {
		const {channel, signal} = await open();
		expect(channel.fits(message)).toBe(fits);
		expect((await channel.send(message, signal)).kind).toBe(fits ? 'sent' : 'refused');
	});

	test('is edited as often as it is asked for, and then has no buttons', async () => {
		const opened = await open();
		const address = await sendAsk(opened);
		for (let time = 0; time < 2; time++) {
			expect(await opened.channel.edit!(address, doneMessage, opened.signal)).toEqual({kind: 'sent', address});
		}

		expect(opened.server.messages()).toMatchObject([{buttons: [], edits: 2, notification: 'Denied by person 456'}]);
	});

	test.each([
		[
			'429',
			{status: 429, headers: {'retry-after': '30'}, body: '{"ok":false,"error":"ratelimited"}'},
			{kind: 'refused', retryAfter: 30_000},
		],
		['429 without a body', {status: 429, headers: {'retry-after': '3'}}, {kind: 'refused', retryAfter: 3000}],
		[
			'a token that was revoked',
			{error: 'token_revoked'},
			{kind: 'refused', message: expect.stringContaining('bot_token')},
		],
		[
			'a channel that it is not in',
			{error: 'not_in_channel'},
			{kind: 'refused', message: expect.stringContaining('Invite')},
		],
		['an archived channel', {error: 'is_archived'}, {kind: 'gone'}],
		['an error of Slack', {error: 'internal_error'}, {kind: 'uncertain'}],
		['502 of a proxy', {status: 502, body: '<html>'}, {kind: 'uncertain'}],
		['200 that cannot be read', {status: 200, body: 'ok'}, {kind: 'uncertain'}],
		['a broken connection after it was taken', 'hang-up-after-taking', {kind: 'uncertain'}],
	] as const)('that meets %s', async (_name, trouble, end) => {
		const {channel, signal, server} = await open();
		server.plan('chat.postMessage', trouble);
		expect(await channel.send(askMessage, signal)).toMatchObject(end);
	});

	test('to a channel that is gone, or that was deleted, is gone', async () => {
		const opened = await open();
		const address = await sendAsk(opened);
		opened.server.removeMessage(address.message);
		expect((await opened.channel.edit!(address, doneMessage, opened.signal)).kind).toBe('gone');
		opened.server.removeChannel('C0HOME');
		expect(await opened.channel.send(askMessage, opened.signal)).toMatchObject({
			kind: 'gone',
			message: expect.stringContaining('Check `channel`'),
		});
	});

	test('goes to the private chat of a person', async () => {
		const {channel, signal} = await open();
		expect(await channel.sendToPerson!('U0ADA', doneMessage, signal)).toMatchObject({address: {chat: 'D0ADA'}});
	});
});

describe('the check', () => {
	test('names the bot, and connects to nothing', async () => {
		const {settings, clock, server} = await open();
		expect(await checkChannel(settings, clock, neverAborted())).toEqual({kind: 'ok', name: '"sluice"'});
		expect(server.connections()).toBe(0);
	});

	test('finds another workspace, tokens in the wrong place, and revoked ones', async () => {
		const {settings, clock, server} = await open();
		const check = async (change: Partial<typeof settings>) => {
			const found = await checkChannel({...settings, ...change}, clock, neverAborted());
			return found.kind === 'problem' ? found.message : '';
		};
		expect(await check({team: 'T0OTHER'})).toContain('workspace T0TEAM');
		expect(await check({botToken: settings.appToken})).toContain('xoxb-');
		expect(await check({appToken: settings.botToken})).toContain('xapp-');
		const body = JSON.stringify({ok: true, team_id: 'T0TEAM', user: 'sluice'});
		const answer = (scopes: string) => ({status: 200, headers: {'x-oauth-scopes': scopes}, body});
		server.plan('auth.test', answer('channels:read,im:history'), answer('im:history, chat:write'));
		expect(await check({})).toContain('chat:write');
		expect(await check({})).toBe('');
		server.revokeToken(settings.appToken);
		expect(await check({})).toContain('`app_token`');
	});
});
