import {createHmac} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {freePort} from '../helpers/free-port.ts';
import {linesBelow, openShellHome, playLines} from '../helpers/typed-lines.ts';
import {startModelServer} from '../simulators/model-server.ts';
import {openEmail} from '../simulators/platforms/email.ts';
import {type OpenPlatform} from '../simulators/platforms/platform-simulator.ts';
import {openSlack} from '../simulators/platforms/slack.ts';
import {openWhatsapp} from '../simulators/platforms/whatsapp.ts';

const page = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8');
const patient = {timeout: 180_000};
const secret = 'the secret of a provider';
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
const seconds = () => Math.floor(Date.now() / 1000);

/** A shell in a home with these files, and the messages of a platform. */
async function open(openPlatform: OpenPlatform, files: Readonly<Record<string, string>>) {
	const platform = await openPlatform();
	onTestFinished(platform.close);
	const port = await freePort();
	const env = openShellHome({WEBHOOK_PORT: `${port}`});
	for (const [name, text] of Object.entries({...files, ...tokenFile(platform.settings, files)})) {
		writeFileSync(join(env.HOME, name), text);
	}

	/** The lines of the page are typed in the home; those about the platform name the simulator. */
	const inHome = (line: string) => line.replaceAll(/(\$\(cat |< )(\w+\.txt)/gu, `$1${env.HOME}/$2`);
	const post = async (route: string, body: object, headers: (text: string) => Readonly<Record<string, string>>) => {
		const text = JSON.stringify(body);
		const response = await fetch(`http://127.0.0.1:${port}/webhooks/${route}`, {
			method: 'POST',
			body: text,
			headers: {'content-type': 'application/json', ...headers(text)},
		});
		return Object(await response.json());
	};

	return {platform, port, env, inHome, post};
}

/** The secret of a platform in the file that its recipe names. */
function tokenFile(
	{token, password}: Readonly<Record<string, unknown>>,
	files: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const [name = ''] = Object.entries(files).find(([, text]) => text === '') ?? [];
	return {[name]: String(token ?? password)};
}

/** The commands of a recipe up to the start of the gateway, besides those that make folders. */
function commandsOf(lines: readonly string[]): number {
	return lines.slice(0, lines.indexOf('sluice gateway run &') + 1).filter(line => !line.startsWith('mkdir')).length;
}

test('a payment at Stripe is a line in Slack, with five commands, and a retry is none', patient, async () => {
	const {platform, env, inHome, post} = await open(openSlack, {'stripe.txt': secret, 'slack.txt': ''});
	const lines = linesBelow(page, 'A line in Slack for each Stripe payment');
	expect(commandsOf(lines)).toBe(5);
	const object = {amount: 1200, currency: 'eur', description: 'a hose'};
	const payment = {id: 'evt_1', type: 'payment_intent.succeeded', data: {object}};
	const sign = (text: string) => ({'stripe-signature': `t=${seconds()},v1=${hmac(`${seconds()}.${text}`)}`});
	const {output} = await playLines(lines, env, async line => {
		if (line === 'sluice events list') {
			expect(await post('payments', payment, sign)).toMatchObject({status: 'delivered', target: 'slack'});
			expect(await post('payments', payment, sign)).toMatchObject({status: 'duplicate'});
			expect(await post('payments', {...payment, id: 'evt_2'}, () => ({}))).toEqual({error: 'Invalid signature'});
		}

		return line.startsWith('sluice config set platforms.slack')
			? `${inHome(line)} && sluice config set platforms.slack.base_url ${String(platform.settings['base_url'])}`
			: inHome(line);
	});
	expect(platform.received).toMatchObject([{chat: 'C0123456789', text: 'Payment of 1200 eur: a hose'}]);
	expect(platform.faults).toEqual([]);
	expect(output('sluice events list')).toContain('duplicate');
});

test('an alert of Grafana is noted after a yes, and a mail says so, with seven commands', patient, async () => {
	const files = {'grafana.txt': secret, 'mail.txt': ''};
	const {platform, env, inHome, post} = await open(openEmail, files);
	const lines = linesBelow(page, 'A Grafana alert that asks before it acts, and a mail');
	expect(commandsOf(lines)).toBe(7);
	const path = join(env.HOME, 'runbook', 'incidents.txt');
	const model = await startModelServer(
		{calls: [{name: 'mcp__files__write_file', input: {path, content: 'The pump is hot'}}]},
		'I noted that the pump is hot.',
	);
	const {password: _, ...settings} = platform.settings;
	const account = {...settings, home_channel: platform.chatId};
	const {output} = await playLines(lines, env, async line => {
		if (line === 'sluice approvals list') {
			const alert = {status: 'firing', title: 'The pump is hot', alerts: []};
			const sign = (text: string) => ({
				'x-grafana-alerting-timestamp': `${seconds()}`,
				'x-grafana-alerting-signature': hmac(`${seconds()}:${text}`),
			});
			expect(await post('grafana', alert, sign)).toMatchObject({status: 'accepted', event: 'firing'});
			return 'until sluice approvals list | grep write_file; do sleep 0.3; done';
		}

		if (line === 'sluice runs list') {
			await vi.waitFor(() => expect(platform.received).toHaveLength(1), {timeout: 60_000});
		}

		return inHome(line)
			.replace('http://127.0.0.1:11434', model.url)
			.replace(/(platforms\.email) '.*'/u, `$1 '${JSON.stringify(account)}'`);
	});
	expect(output('cat')).toBe('The pump is hot');
	expect(platform.received).toMatchObject([{chat: platform.chatId, text: expect.stringContaining('the pump is hot')}]);
	expect(output('sluice runs list')).toContain('finished');
});

test(
	'a text in WhatsApp is answered in its chat, with seven commands, after Meta verified the address',
	patient,
	async () => {
		const {platform, port, env, inHome, post} = await open(openWhatsapp, {'meta.txt': secret, 'whatsapp.txt': ''});
		const lines = linesBelow(page, 'A WhatsApp chat with an agent');
		expect(commandsOf(lines)).toBe(7);
		const model = await startModelServer('Water it in the evening.');
		const {token: _, ...account} = platform.settings;
		const {output} = await playLines(lines, env, async line => {
			if (line === 'sluice runs list') {
				const [, token = ''] =
					/META_VERIFY_TOKEN=(\w+)/u.exec(readFileSync(join(env.HOME, '.sluice/.env'), 'utf8')) ?? [];
				const query = new URLSearchParams({
					'hub.mode': 'subscribe',
					'hub.verify_token': token,
					'hub.challenge': '1158',
				});
				const verified = await fetch(`http://127.0.0.1:${port}/webhooks/chats?${query.toString()}`);
				expect([verified.status, await verified.text()]).toEqual([200, '1158']);
				await sendChat(post, platform.chatId);
				await vi.waitFor(() => expect(platform.received).toHaveLength(1), {timeout: 60_000});
			}

			return inHome(line)
				.replace('http://127.0.0.1:11434', model.url)
				.replace(/(platforms\.whatsapp) '.*'/u, `$1 '${JSON.stringify(account)}'`);
		});
		expect(platform.received).toEqual([{chat: platform.chatId, text: 'Water it in the evening.', thread: 'wamid.1'}]);
		expect(platform.faults).toEqual([]);
		expect(model.requests()).toHaveLength(1);
		expect(output('sluice runs show')).toContain('When do I water the beans?');
	},
);

/** A text of that phone, twice as Meta retries it, and a receipt. */
async function sendChat(post: Awaited<ReturnType<typeof open>>['post'], from: string): Promise<void> {
	const sign = (text: string) => ({'x-hub-signature-256': `sha256=${hmac(text)}`});
	const change = (value: object) => ({
		object: 'whatsapp_business_account',
		entry: [{id: '1', changes: [{field: 'messages', value}]}],
	});
	const text = {id: 'wamid.1', from, type: 'text', text: {body: 'When do I water the beans?'}};
	expect(await post('chats', change({messages: [text]}), sign)).toMatchObject({status: 'accepted'});
	expect(await post('chats', change({messages: [text]}), sign)).toMatchObject({status: 'duplicate'});
	const receipt = change({statuses: [{id: 'wamid.9', status: 'delivered'}]});
	expect(await post('chats', receipt, sign)).toMatchObject({status: 'ignored', reason: 'filter'});
}
