import {createHmac} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {type GatewayEvent} from '../../source/state/event.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const secret = 'a secret of these tests';
const config = `
# mine
platforms:
  webhook:
    enabled: true
    port: 0
    secret: ${secret}
    routes:
      issues: # about issues
        prompt: 'Look at {issue.title}'
        filters: [{field: issue.title, not_equals: spam}, {field: issue.state, in: [open]}]
        deliver_extra: {chat: '{chat}'}
      pull: {prompt: 'Hello', enabled: false}
`;

async function start(root = temporaryDirectory(), yaml = config) {
	const running = await runGateway(yaml, root);
	const post = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, route = 'issues') =>
		fetch(`${running.gateway.webhookUrl()}/webhooks/${route}`, {
			method: 'POST',
			body,
			headers: {
				'content-type': 'application/json',
				'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
				...headers,
			},
		});
	const settled = async (reason?: string) => {
		const event = await running.eventWhere(
			one => one.type === 'webhook.settled' && (reason === undefined || one.reason === reason),
		);
		return event.type === 'webhook.settled' ? event.eventId : '';
	};

	/** Waits for what comes after this moment. */
	const page = async (kind: 'event' | 'dry-run') => {
		const event = await running.eventWhere(one => one.type === 'view.page' && one.subject.kind === kind);
		return event.type === 'view.page' ? Object.fromEntries(event.sections.map(({title, text}) => [title, text])) : {};
	};

	return {...running, post, settled, page};
}

const isRoute = (route: string, state: string) => (event: GatewayEvent) =>
	event.type === 'route.state' && event.route === route && event.state === state;

const good = '{"issue":{"title":"A leak","state":"open"},"token":"hush"}';

describe('an event in the window', () => {
	test('shows how it was judged, what came of it, and no secret header', async () => {
		const {gateway, post, settled, page, eventWhere} = await start();
		await post(good, {'x-github-event': 'issues', 'x-api-key': 'hidden value'});
		await eventWhere(event => event.type === 'run.state' && event.state === 'inbox');
		gateway.send({method: 'events.view', params: {id: await settled()}});
		const sections = await page('event');
		expect(sections['Event']).toMatch(/^verdict: 202 accepted\n[\s\S]*\nroute: issues\nevent: claimed "issues"\n/u);
		expect(sections['Event']).toContain('signature: X-Hub-Signature-256');
		expect(sections).toMatchObject({Prompt: 'Look at A leak', Body: good});
		expect(sections['Runs']).toMatch(/^[0-9a-f-]{36} inbox/u);
		expect(sections['Headers']).toContain('x-api-key: ‹masked›');
	});

	test('names the filter it did not pass', async () => {
		const {gateway, post, settled, page} = await start();
		await post('{"issue":{"title":"A leak","state":"closed"}}');
		gateway.send({method: 'events.view', params: {id: await settled('filter')}});
		expect((await page('event'))['Event']).toContain('refused by: filters.1: issue.state in');
	});

	test('that was refused has no body', async () => {
		const {gateway, post, settled, page} = await start();
		await post(good, {'x-hub-signature-256': 'sha256=00'});
		gateway.send({method: 'events.view', params: {id: await settled('Invalid signature')}});
		expect((await page('event'))['Body']).toBe('(not stored)');
	});

	test('that came compressed is shown as what it holds', async () => {
		const {gateway, post, settled, page} = await start();
		await post(gzipSync(good), {'content-encoding': 'gzip'});
		gateway.send({method: 'events.view', params: {id: await settled()}});
		expect((await page('event'))['Body']).toBe(good);
	});

	test('that came with a file names it, and its replay has it too', async () => {
		const {gateway, post, settled, page, eventWhere} = await start();
		const form = new FormData();
		form.append('payload', good);
		form.append('scan', new File([Buffer.from([0, 255])], '../\u202Egnp.exe', {type: 'image/png'}));
		const sent = new Response(form);
		const body = Buffer.from(await sent.arrayBuffer());
		await post(body, {'content-type': sent.headers.get('content-type') ?? ''});
		const id = await settled();
		gateway.send({method: 'events.view', params: {id}});
		const sections = await page('event');
		expect(sections['Files']).toBe('1 "../‹U+202E›gnp.exe" image/png 2 B');
		expect(sections['Prompt']).toBe('Look at A leak');
		gateway.send({method: 'events.replay', params: {id}});
		const replayed = await eventWhere(one => one.type === 'webhook.settled' && one.reason === `replay of ${id}`);
		const again = replayed.type === 'webhook.settled' ? replayed.eventId : '';
		gateway.send({method: 'events.view', params: {id: again}});
		const shown = await eventWhere(
			one => one.type === 'view.page' && one.subject.kind === 'event' && one.subject.eventId === again,
		);
		expect(shown.type === 'view.page' && shown.sections.find(({title}) => title === 'Files')?.text).toBe(
			sections['Files'],
		);
	});

	test('that is unknown is reported', async () => {
		const {gateway, eventWhere} = await start();
		gateway.send({method: 'events.view', params: {id: 'nobody'}});
		expect(await eventWhere(event => event.type === 'log' && event.area === 'commands')).toMatchObject({
			level: 'error',
		});
	});
});

test('a dry run shows what would happen, and does nothing', async () => {
	const {gateway, post, settled, page, events} = await start();
	await post(good);
	const id = await settled();
	gateway.send({method: 'events.dry-run', params: {id}});
	const sections = await page('dry-run');
	expect(sections['Result']).toContain('verdict: 202 accepted\nfilters: passed\naction: agent');
	expect(sections['Result']).toContain('warning: no stored event of this route contains {chat}');
	expect(sections['Prompt']).toBe('Look at A leak');
	expect(events.filter(event => event.type === 'webhook.settled')).toHaveLength(1);
});

test('a replay from the window is a row of its own that says so', async () => {
	const {gateway, post, settled, eventWhere} = await start();
	await post(good);
	const id = await settled();
	gateway.send({method: 'events.replay', params: {id}});
	const replayed = await eventWhere(one => one.type === 'webhook.settled' && one.reason === `replay of ${id}`);
	expect(replayed).toMatchObject({status: 202, outcome: 'accepted'});
});

test('several replays follow each other in their order', async () => {
	const {gateway, post, settled, eventWhere, events} = await start();
	await post(good);
	const id = await settled();
	await post('{"issue":{"title":"A second leak","state":"open"}}', {'x-github-delivery': 'second'});
	const other = await eventWhere(
		one => one.type === 'webhook.settled' && one.outcome === 'accepted' && one.eventId !== id,
	);
	const otherId = other.type === 'webhook.settled' ? other.eventId : '';
	gateway.send({method: 'events.replay-all', params: {ids: [otherId, id]}});
	await eventWhere(one => one.type === 'webhook.settled' && one.reason === `replay of ${id}`);
	const reasons = events.flatMap(one => (one.type === 'webhook.settled' && one.reason ? [one.reason] : []));
	expect(reasons).toEqual([`replay of ${otherId}`, `replay of ${id}`]);
});

describe('a route', () => {
	test('is published with its state and what is doubtful about it', async () => {
		const root = temporaryDirectory();
		const subscriptions = {taken: {secret, prompt: 'x'}, issues: {secret}, odd: {secret, deliver: 'nowhere'}};
		writeFileSync(join(root, 'webhook_subscriptions.json'), JSON.stringify(subscriptions));
		const {eventWhere, gateway} = await start(root);
		const base = gateway.webhookUrl();
		expect(await eventWhere(isRoute('issues', 'served'))).toMatchObject({
			source: 'config',
			servedBy: 'default',
			url: `${base}/webhooks/issues`,
		});
		expect(await eventWhere(isRoute('pull', 'paused'))).toMatchObject({source: 'config'});
		expect(await eventWhere(isRoute('taken', 'served'))).toMatchObject({source: 'subscription'});
		expect(await eventWhere(isRoute('odd', 'failed'))).toMatchObject({reason: expect.stringContaining('deliver')});
	});

	test('is paused and resumed where it stands, and every comment stays', async () => {
		const {gateway, post, eventWhere, paths} = await start();
		gateway.send({method: 'webhook.pause', params: {route: 'issues', paused: true}});
		await eventWhere(isRoute('issues', 'paused'));
		const refused = await post(good);
		expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
			503,
			'60',
			{error: 'Route paused'},
		]);
		expect(readFileSync(paths.config, 'utf8')).toMatch(/# mine[\s\S]*issues:\s+# about issues[\s\S]*enabled: false/u);
		gateway.send({method: 'webhook.pause', params: {route: 'pull', paused: false}});
		await eventWhere(isRoute('pull', 'served'));
		expect((await post(good, {}, 'pull')).status).toBe(202);
	});

	test('of a subscription is paused in its file', async () => {
		const root = temporaryDirectory();
		const file = join(root, 'webhook_subscriptions.json');
		writeFileSync(file, JSON.stringify({alerts: {secret, prompt: 'x'}}));
		const {gateway, post, eventWhere} = await start(root);
		gateway.send({method: 'webhook.pause', params: {route: 'alerts', paused: true}});
		await eventWhere(isRoute('alerts', 'paused'));
		expect((await post(good, {}, 'alerts')).status).toBe(503);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({alerts: {secret, prompt: 'x', enabled: false}});
	});

	test('that is gone is reported', async () => {
		const {writeConfig, eventWhere, gateway} = await start();
		await eventWhere(isRoute('pull', 'paused'));
		writeConfig(config.replace(/ +pull:.*\n/u, ''));
		await gateway.reload();
		await eventWhere(event => event.type === 'route.removed' && event.route === 'pull');
	});

	test('nobody knows is refused by name', async () => {
		const {gateway, eventWhere} = await start();
		gateway.send({method: 'webhook.pause', params: {route: 'nobody', paused: true}});
		await eventWhere(event => event.type === 'log' && event.text.includes('No route is named "nobody"'));
	});
});

test('a route fires a scheduled job of this gateway, and its event shows the run', async () => {
	const root = temporaryDirectory();
	mkdirSync(join(root, 'cron'));
	const job = {
		id: '0123456789ab',
		name: 'nightly',
		prompt: 'Tidy up',
		schedule: {kind: 'interval', seconds: 86_400},
		deliver: 'log',
		deliver_extra: {},
		skills: [],
		enabled: true,
		paused: false,
		next_run_at: Date.now() + 86_400_000,
	};
	writeFileSync(join(root, 'cron', 'jobs.json'), JSON.stringify({jobs: [job]}));
	const yaml = config.replace("pull: {prompt: 'Hello', enabled: false}", 'pull: {cron_job: nightly}');
	const {gateway, post, settled, page, eventWhere} = await start(root, yaml);
	const response = await post('{"type":"tick"}', {}, 'pull');
	expect([response.status, await response.json()]).toMatchObject([202, {status: 'accepted', cron_job: 'nightly'}]);
	const fired = await eventWhere(event => event.type === 'cron.fired');
	gateway.send({method: 'events.view', params: {id: await settled()}});
	const {Runs: runs} = await page('event');
	expect(runs).toContain(fired.type === 'cron.fired' ? fired.runId : 'nothing was fired');
});
