import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {openTelegram} from '../../simulators/platforms/telegram.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {readState, startSluice, stateDirectory, writeConfig} from '../../helpers/sluice.ts';

/** A gateway whose route `r` delivers to a pretended Telegram at once. */
async function start() {
	const telegram = await openTelegram();
	onTestFinished(telegram.close);
	const webhook = {
		enabled: true,
		port: 0,
		secret: 'INSECURE_NO_AUTH',
		routes: {
			r: {prompt: '{title}', deliver: 'telegram', deliver_only: true, deliver_extra: {chat_id: '{chat}'}},
			lacking: {prompt: '{title}', deliver: 'slack'},
		},
	};
	const token = String(telegram.settings['token']);
	const settings = {...telegram.settings, token: '${BOT}'};
	const home = stateDirectory({platforms: {telegram: settings, webhook}}, `BOT=${token}\n`);
	const open = async () => {
		const gateway = startSluice({home}, 'gateway', 'run', '--log', 'json');
		const {webhook_url: url} = JSON.parse(await gateway.waitForLine('"gateway.started"'));
		const post = async (body: object, id: string) => {
			const headers = {'x-request-id': id};
			const response = await fetch(`${url}/webhooks/r`, {method: 'POST', headers, body: JSON.stringify(body)});
			return {status: response.status, body: JSON.parse(await response.text())};
		};
		return {...gateway, post};
	};

	const setToken = (value: string) => writeFileSync(join(home, '.env'), `BOT=${value}\n`);
	return {telegram, home, token, setToken, open};
}

describe('a route that delivers at once', () => {
	test('answers 200 when the platform took the message', async () => {
		const {telegram, open} = await start();
		const {post} = await open();
		expect(await post({title: 'Build 17', chat: telegram.chatId}, 'd1')).toEqual({
			status: 200,
			body: {status: 'delivered', route: 'r', target: 'telegram', delivery_id: 'd1'},
		});
		expect(telegram.received).toMatchObject([{chat: telegram.chatId, text: 'Build 17'}]);
	});

	test('answers 502 in generic words when it did not; why is in the log and with the event, the secret is nowhere', async () => {
		const {telegram, home, token, open} = await start();
		const gateway = await open();
		telegram.plan({kind: 'rejected'});
		expect(await gateway.post({title: 'Build 17', chat: telegram.chatId}, 'd1')).toEqual({
			status: 502,
			body: {status: 'error', error: 'Delivery failed', delivery_id: 'd1'},
		});
		const line = JSON.parse(await gateway.waitForLine('"area":"delivery","text":"telegram: status'));
		const {event_id: id} = JSON.parse(await gateway.waitForLine('"webhook.settled"'));
		const shown = await runSluice({home}, 'events', 'show', id, '--json');
		expect(JSON.parse(shown.stdout).deliveries).toMatchObject([{target: 'telegram', state: 'failed'}]);
		expect(line.text).toContain(JSON.parse(shown.stdout).deliveries[0].detail);
		expect([readState(home, 'logs/sluice.log'), shown.stdout].join('')).not.toContain(token);

		const again = await runSluice({home}, 'events', 'replay', id, '--deliver', '--yes');
		expect([again.code, again.stdout]).toEqual([0, `${id} delivered\n`]);
		expect(telegram.received).toHaveLength(1);
		const twice = await runSluice({home}, 'events', 'replay', id, '--deliver', '--yes');
		expect([twice.code, telegram.received.length]).toEqual([1, 1]);
	});
});

test('a delivery that a mistake of the settings kept from being sent fails, and its sender may send it again', async () => {
	const {telegram, home, token, setToken, open} = await start();
	setToken('"12:ключ"');
	const broken = await open();
	const body = {title: 'Build 17', chat: telegram.chatId};
	const failed = {status: 502, body: {status: 'error', error: 'Delivery failed', delivery_id: 'd1'}};
	expect(await broken.post(body, 'd1')).toEqual(failed);
	expect(await broken.post(body, 'd1')).toEqual(failed);
	expect(await runSluice({home}, 'uncertain', '--json')).toMatchObject({code: 0, stdout: '[]\n'});
	broken.signal('SIGTERM');
	await broken.end;
	expect(telegram.requests()).toBe(0);

	setToken(token);
	const mended = await open();
	const sent = {status: 'delivered', route: 'r', target: 'telegram', delivery_id: 'd1'};
	expect(await mended.post(body, 'd1')).toEqual({status: 200, body: sent});
	expect(await mended.post(body, 'd1')).toEqual({status: 200, body: {status: 'duplicate', delivery_id: 'd1'}});
	expect(telegram.received).toHaveLength(1);
});

test('a delivery that a kill cut off is uncertain, is not sent again by itself or by its sender, and by a person once', async () => {
	const {telegram, home, open} = await start();
	const first = await open();
	telegram.plan({kind: 'silence'});
	const body = {title: 'Build 17', chat: telegram.chatId};
	const cutOff = Promise.allSettled([first.post(body, 'd1')]);
	await expect.poll(telegram.requests).toBe(1);
	const waiting = Promise.allSettled([first.post(body, 'd1')]);
	first.signal('SIGKILL');
	await first.end;
	expect([...(await cutOff), ...(await waiting)].map(({status}) => status)).toEqual(['rejected', 'rejected']);

	const listed = async () => JSON.parse((await runSluice({home}, 'events', 'list', '--json')).stdout);
	expect(await listed()).toMatchObject([{delivery_id: 'd1', outcome: 'outcome_uncertain'}]);
	const second = await open();
	await second.waitForLine('"outcome":"outcome_uncertain"');
	expect(await second.post(body, 'd1')).toEqual({status: 200, body: {status: 'duplicate', delivery_id: 'd1'}});
	const reason = 'Delivery not confirmed; the gateway stopped while sending it; it may have arrived';
	const [duplicate, row] = await listed();
	expect([duplicate.outcome, row]).toMatchObject(['duplicate', {status: 502, outcome: 'outcome_uncertain', reason}]);
	const shown = await runSluice({home}, 'events', 'show', row.id);
	expect(shown.stdout).toContain(`reason: ${reason}`);
	expect(shown.stdout).toContain('delivery: telegram outcome_uncertain');
	expect([telegram.requests(), telegram.received]).toEqual([1, []]);

	const again = await runSluice({home}, 'events', 'replay', row.id, '--deliver', '--yes');
	expect([again.code, again.stdout]).toEqual([0, `${row.id} delivered\n`]);
	expect(telegram.received).toMatchObject([{chat: telegram.chatId, text: 'Build 17'}]);
	const twice = await runSluice({home}, 'events', 'replay', row.id, '--deliver', '--yes');
	expect([twice.code, telegram.received.length]).toEqual([1, 1]);
});

test('a platform that only a route names is published for the profile of that route', async () => {
	const route = {prompt: 'hello', deliver: 'slack', profile: 'work'};
	const webhook = {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes: {w: route}};
	const home = stateDirectory({gateway: {multiplex_profiles: true}, platforms: {webhook}});
	mkdirSync(join(home, 'profiles', 'work'), {recursive: true, mode: 0o700});
	writeConfig(join(home, 'profiles', 'work'), {});
	const running = startSluice({home}, 'gateway', 'run', '--log', 'json');
	expect(JSON.parse(await running.waitForLine('"platform":"slack"'))).toMatchObject({
		type: 'platform.state',
		profile: 'work',
		state: 'unusable',
		next_action: 'Set `platforms.slack.token`, or SLACK_BOT_TOKEN in `.env`',
	});
});

test('a route of another profile delivers by the platforms of that profile, and by no other', async () => {
	const [ours, theirs] = [await openTelegram(), await openTelegram()];
	onTestFinished(async () => void (await Promise.all([ours.close(), theirs.close()])));
	const route = {prompt: 'hello', deliver: 'telegram', deliver_only: true, deliver_extra: {chat_id: theirs.chatId}};
	const routes = {w: {...route, profile: 'work'}, bare: {...route, profile: 'bare'}};
	const webhook = {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes};
	const gateway = {multiplex_profiles: true};
	const home = stateDirectory({gateway, platforms: {telegram: ours.settings, webhook}});
	for (const [name, platforms] of Object.entries({work: {telegram: theirs.settings}, bare: {}})) {
		mkdirSync(join(home, 'profiles', name), {recursive: true, mode: 0o700});
		writeConfig(join(home, 'profiles', name), {platforms});
	}

	const running = startSluice({home}, 'gateway', 'run', '--log', 'json');
	const {webhook_url: url} = JSON.parse(await running.waitForLine('"gateway.started"'));
	const post = async (path: string) => (await fetch(`${url}${path}`, {method: 'POST', body: '{}'})).status;
	expect([await post('/p/work/webhooks/w'), await post('/p/bare/webhooks/bare')]).toEqual([200, 502]);
	expect([ours.received.length, theirs.received.length]).toEqual([0, 1]);
});

describe('at the start', () => {
	test('every configured or named platform is published, and what a route lacks is a warning', async () => {
		const {open} = await start();
		const gateway = await open();
		const report = async (text: string) => JSON.parse(await gateway.waitForLine(text));
		expect(await report('"platform":"telegram"')).toMatchObject({type: 'platform.state', state: 'usable'});
		expect(await report('"platform":"slack"')).toMatchObject({
			state: 'unusable',
			reason: expect.stringContaining('slack.token'),
		});
		expect(await report('route lacking: platforms.slack.token is missing')).toMatchObject({level: 'warning'});
	});

	test('an answer that a former process kept is sent, once', async () => {
		const {telegram, home, open} = await start();
		const limits = () => ({maxAgeDays: 30, maxBytes: 2 ** 30});
		const journal = openJournal({path: join(home, 'journal.db'), clock: systemClock, limits});
		const to = {target: 'telegram', extra: {chat_id: telegram.chatId}, deliveryId: 'd1', route: 'r', eventId: 'e1'};
		await journal.persistMessages([{...to, id: 'a1', text: 'kept'}], 'pending');
		await journal.persistMessages([{...to, id: 'a2', text: 'begun'}], 'sending');
		await journal.close();
		const first = await open();
		await first.waitForLine('"outcome":"delivered"');
		await first.waitForLine('"outcome":"outcome_uncertain"');
		first.signal('SIGKILL');
		await first.end;
		const second = await open();
		second.signal('SIGTERM');
		await second.end;
		expect(telegram.received.map(({text}) => text)).toEqual(['kept']);
	});
});
