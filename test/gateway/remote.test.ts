import {describe, expect, test} from 'vitest';
import {type ToolOutcome} from '../../source/tools/tool-outcome.ts';
import {connectTo} from '../control/control-fixture.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {serve} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {answerJson} from '../mcp/fixture-servers.ts';
import {openTelegramServer, type TelegramServer} from '../simulators/channels/telegram.ts';

const signal = neverAborted();

/** A server of tools, which counts its calls. */
async function openGarden() {
	let calls = 0;
	const {origin} = await serve((request, response) => {
		let body = '';
		request.on('data', chunk => (body += String(chunk)));
		request.on('end', () => (calls += body.includes('"tools/call"') ? 1 : 0));
		return void answerJson(request, response);
	});
	return {origin, calls: () => calls};
}

/** A gateway whose requests go to a chat of the pretended Bot API. */
async function open(
	telegram: TelegramServer,
	{
		origin,
		root = temporaryDirectory(),
		journal,
		unattended = 'deny',
		channel = {},
	}: {
		readonly origin: string;
		readonly root?: string;
		readonly journal?: object;
		readonly unattended?: 'deny' | 'hold';
		readonly channel?: object;
	},
) {
	const config = {
		platform: 'telegram',
		token: telegram.token,
		chat: telegram.chat,
		approvers: ['456'],
		send: 'arguments',
		base_url: telegram.baseUrl,
		...channel,
	};
	const running = await runGateway(
		JSON.stringify({
			gateway: {endpoint: {port: 0}},
			...(journal && {journal}),
			approvals: {unattended, remote: {delay: 0, channels: [config]}},
			mcp_servers: {garden: {url: origin, trust: 'untrusted'}},
		}),
		root,
	);
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const {controlSocket} = running.paths;
	const client = await connectTo(controlSocket);
	const call = async (text = 'hello'): Promise<ToolOutcome> =>
		(await connectTo(controlSocket)).call(
			'mcp.call',
			{name: 'mcp__garden__echo', arguments: {text}, approve: false},
			{signal},
		) as Promise<ToolOutcome>;
	return {...running, client, call};
}

const shown = (telegram: TelegramServer, index = -1) => telegram.messages().at(index) ?? {id: 0, text: '', buttons: []};
const labels = (telegram: TelegramServer, index?: number) =>
	shown(telegram, index)
		.buttons.flat()
		.map(({text}) => text);
const until = (check: () => unknown) => expect.poll(check, {timeout: 10_000});

describe('a request that nobody at a console answers', () => {
	test('goes to the chat, is allowed there by its number, called once, and shown as decided', async () => {
		const [telegram, garden] = [await openTelegramServer({chat: '-100123'}), await openGarden()];
		const running = await open(telegram, garden);
		await until(telegram.isPolled).toBe(true);
		const called = running.call();
		await until(() => labels(telegram)).toEqual(['Allow…', 'Deny']);
		expect(shown(telegram).text).toContain('"text": "hello"');
		// One that was sent waits for approvals.remote.timeout in all.
		const waiting = () => running.client.call('approvals.list', {}, {signal});
		const seconds = async () =>
			(await waiting()).map(one => Math.round((Number(one.expires_at) - one.requested_at) / 1000));
		await until(seconds).toEqual([900]);
		telegram.press(shown(telegram).id, 'Allow…', 999);
		await until(() => telegram.acknowledged().at(-1)?.text).toBe('You are not one of those who may decide here');
		telegram.press(shown(telegram).id, 'Allow…');
		await until(() => labels(telegram)).toHaveLength(4);
		const right = /press (\d\d)\./u.exec(shown(telegram).text)?.[1] ?? '';
		await until(() => running.snapshot().sent[0]?.messages).toMatchObject([
			{platform: 'telegram', number: Number(right)},
		]);
		telegram.press(shown(telegram).id, right);
		await until(() => telegram.acknowledged().at(-1)?.text).toContain('Too early');
		await new Promise(resolve => setTimeout(resolve, 1100));
		telegram.press(shown(telegram).id, right);
		expect(await called).toHaveProperty('result');
		await until(() => shown(telegram).text).toMatch(/\nAllowed once by telegram:456 at [\d:]+ UTC$/u);
		expect([garden.calls(), labels(telegram), telegram.messages()]).toMatchObject([1, [], [{}]]);
		expect(running.snapshot().sent).toEqual([]);
		const text = JSON.stringify(running.events);
		expect([text.includes(telegram.token), text.includes('telegram:456')]).toEqual([false, true]);
	});

	test('is denied there by a reply with its text, and a decision at a console is shown there', async () => {
		const [telegram, garden] = [await openTelegramServer(), await openGarden()];
		const running = await open(telegram, garden);
		await until(telegram.isPolled).toBe(true);
		const called = running.call();
		await until(() => telegram.messages().length).toBe(1);
		telegram.reply(shown(telegram).id, 'use the other one');
		expect(JSON.stringify(await called)).toContain('use the other one');
		await until(() => shown(telegram).text).toContain('Denied by telegram:456');

		const second = running.call('again');
		await until(() => telegram.messages().length).toBe(2);
		const [request] = await running.client.call('approvals.list', {}, {signal});
		await running.client.call('approvals.deny', {id: request?.id ?? ''}, {signal});
		expect(await second).toHaveProperty('error');
		await until(() => shown(telegram).text).toContain('Denied by cli');
		expect([labels(telegram), garden.calls()]).toEqual([[], 0]);
	});

	test('is refused at once where the chat gets names alone, or cannot be reached', async () => {
		const [telegram, garden] = [await openTelegramServer(), await openGarden()];
		const names = await open(telegram, {...garden, channel: {send: 'names'}});
		await until(telegram.isPolled).toBe(true);
		expect(await names.call()).toMatchObject({error: {code: 'no_channel'}});

		const away = await openTelegramServer();
		away.revokeToken();
		const revoked = await open(away, garden);
		await until(() => revoked.snapshot().faults).toMatchObject([{part: 'remote'}]);
		expect(await revoked.call()).toMatchObject({error: {code: 'no_channel'}});
		expect(await revoked.client.call('gateway.faults', {}, {signal})).toMatchObject([
			{check: 'remote', message: expect.stringContaining('telegram of profile default does not work: ')},
		]);
	});
});

test('what was asked before a restart is no longer decided by its message, which says so', async () => {
	const [telegram, garden, root] = [await openTelegramServer(), await openGarden(), temporaryDirectory()];
	const first = await open(telegram, {...garden, root});
	await until(telegram.isPolled).toBe(true);
	// The edit of the stop, and the first one of the next start.
	const trouble = {code: 500, description: 'Internal Server Error'};
	telegram.plan('editMessageText', trouble, trouble);
	const called = first.call().catch(() => ({error: {}}));
	await until(() => telegram.messages().length).toBe(1);
	await first.gateway.stop('a restart');
	expect(await called).toHaveProperty('error');
	expect(labels(telegram)).toEqual(['Allow…', 'Deny']);
	telegram.press(shown(telegram).id, 'Deny');
	const second = await open(telegram, {...garden, root});
	await until(() => labels(telegram, 0)).toEqual([]);
	expect(shown(telegram, 0).text).toContain('no longer waiting');
	expect([garden.calls(), second.events.filter(({type}) => type === 'approval.settled')]).toEqual([0, []]);
});

test('a bot of two channels decides nothing, and both say why', async () => {
	const [telegram, garden] = [await openTelegramServer(), await openGarden()];
	const running = await open(telegram, garden);
	const channel = {platform: 'telegram', token: telegram.token, chat: '456', approvers: ['456']};
	running.writeConfig(JSON.stringify({approvals: {remote: {channels: [channel, {...channel, chat: '-1'}]}}}));
	await running.gateway.reload();
	const reason = 'Two channels have one bot token. Give each a bot of its own';
	expect(running.snapshot().faults).toEqual([
		{part: 'remote', reason: [1, 2].map(() => `telegram of profile default: ${reason}`).join(' · ')},
	]);
});

test.runIf(hasPostgres)('the channel moves to the second gateway when the first is gone', async () => {
	const [telegram, garden] = [await openTelegramServer(), await openGarden()];
	const {database} = await newPostgresPlace();
	const journal = (node: string) => ({url: database.url, schema: database.schema, node, pool: 2, lease: 3});
	const one = await open(telegram, {...garden, journal: journal('web-1')});
	await until(telegram.isPolled).toBe(true);
	const two = await open(telegram, {...garden, journal: journal('web-2'), unattended: 'hold'});
	const called = two.call();
	// The gateway that holds the channel sends what the other one asks.
	await until(() => telegram.messages().length).toBe(1);
	await one.gateway.stop('gone');
	await until(() => labels(telegram, 0)).toEqual([]);
	await until(() => telegram.messages().length).toBe(2);
	telegram.press(shown(telegram).id, 'Deny');
	expect(JSON.stringify(await called)).toContain('denied');
	await until(() => shown(telegram).text).toContain('Denied by telegram:456');
	expect(garden.calls()).toBe(0);
});
