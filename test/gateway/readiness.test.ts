import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {dial} from '../webhooks/open-adapter.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const config = (more = '') => `${more}
platforms:
  webhook:
    enabled: true
    port: 0
    routes:
      one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}
`;

/** The answer of `/ready`: the status, and the reasons against it. */
async function readiness({gateway}: Pick<RunningGateway, 'gateway'>) {
	const response = await fetch(`${gateway.webhookUrl()}/ready`);
	const {status, platform, reasons} = (await response.json()) as Readonly<Record<string, unknown>>;
	expect([response.headers.get('content-type'), platform]).toEqual(['application/json; charset=utf-8', 'webhook']);
	expect(status).toBe(response.status === 200 ? 'ready' : 'not_ready');
	return [response.status, ...(Array.isArray(reasons) ? (reasons as unknown[]) : [])];
}

const health = async ({gateway}: RunningGateway) => (await fetch(`${gateway.webhookUrl()}/health`)).status;
const post = async ({gateway}: RunningGateway, id: string) => {
	const headers = {'x-request-id': id};
	return (await fetch(`${gateway.webhookUrl()}/webhooks/one`, {method: 'POST', body: '{"x":1}', headers})).status;
};

/** The status and `Retry-After` of a request to a route. */
async function ask({gateway}: RunningGateway, route: string) {
	const {status, headers} = await fetch(`${gateway.webhookUrl()}/webhooks/${route}`, {method: 'POST', body: '{"x":1}'});
	return [status, headers.get('retry-after')];
}

/** While it is not known which routes there are, none is unknown. */
const comeBack = [503, '30'];

describe('/ready', () => {
	test('answers 200 from the start, without a body to HEAD, and also while everything is held', async () => {
		const running = await runGateway(config());
		expect(await readiness(running)).toEqual([200]);
		const head = await fetch(`${running.gateway.webhookUrl()}/ready`, {method: 'HEAD'});
		expect([head.status, await head.text()]).toEqual([200, '']);
		running.gateway.send({method: 'hold', params: {reason: 'a look around'}});
		await running.eventWhere(event => event.type === 'hold.state' && event.held !== undefined);
		expect(await readiness(running)).toEqual([200]);
		expect(await post(running, 'held')).toBe(202);
		expect(running.events.filter(event => event.type === 'webhook.settled')).toHaveLength(1);
	});

	test('names a journal that cannot be used; the process is alive all the same', async () => {
		const root = temporaryDirectory();
		writeFileSync(join(root, 'journal.db'), 'no database at all, '.repeat(500));
		const running = await runGateway(config(), root);
		expect([await readiness(running), await health(running)]).toEqual([[503, 'journal'], 200]);
	});

	test('names the routes while config.yaml could not be read once; later mistakes change nothing', async () => {
		const variables = {WEBHOOK_ENABLED: 'true', WEBHOOK_PORT: '0'};
		const running = await runGateway('platforms: [', temporaryDirectory(), {variables});
		expect([await readiness(running), await health(running)]).toEqual([[503, 'routes'], 200]);
		expect(await ask(running, 'one')).toEqual(comeBack);
		for (const text of [config(), 'platforms: [', config().replace('INSECURE_NO_AUTH', '""')]) {
			running.writeConfig(text);
			await running.gateway.reload();
			expect(await readiness(running)).toEqual([200]);
		}

		expect(await post(running, 'still served')).toBe(202);
		expect(await ask(running, 'unknown')).toEqual([404, null]);
	});

	test('names the routes while the subscriptions could not be read once; later damage changes nothing', async () => {
		const root = temporaryDirectory();
		const file = join(root, 'webhook_subscriptions.json');
		writeFileSync(file, '{"half');
		const running = await runGateway(config(), root);
		expect(await readiness(running)).toEqual([503, 'routes']);
		expect([await ask(running, 'subscribed'), await post(running, 'configured')]).toEqual([comeBack, 202]);
		writeFileSync(file, '{"subscribed": {"secret": "INSECURE_NO_AUTH", "prompt": "{x}"}}');
		expect(await readiness(running)).toEqual([200]);
		expect(await ask(running, 'subscribed')).toEqual([202, null]);
		expect(await ask(running, 'unknown')).toEqual([404, null]);
		writeFileSync(file, '{"broken again');
		expect(await readiness(running)).toEqual([200]);
		rmSync(file);
		expect(await readiness(running)).toEqual([200]);
	});
});

describe('gateway.ready.require', () => {
	const requiring = (names: string, servers: object) =>
		config(`gateway: {ready: {require: ${names}}}\nmcp_servers: ${JSON.stringify(servers)}`);
	const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts')};

	test('names a server that is away, and is ready once it is connected', async () => {
		const away = {command: '/nowhere/garden'};
		const running = await runGateway(requiring('[garden]', {garden: away}));
		await running.eventWhere(event => event.type === 'server.state' && event.state === 'failed');
		expect([await readiness(running), await health(running)]).toEqual([[503, 'servers'], 200]);
		expect(await post(running, 'all the same')).toBe(202);
		running.writeConfig(requiring('[garden]', {garden}));
		await running.gateway.reload();
		await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		expect(await readiness(running)).toEqual([200]);
	});

	test('counts a lazy server as connected, and asks nothing of the others', async () => {
		const root = temporaryDirectory();
		const servers = {garden: {...garden, lazy: true}, other: {command: '/nowhere'}};
		const first = await runGateway(requiring('[garden]', servers), root);
		await first.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		await first.gateway.stop('its tools are in the cache');
		const running = await runGateway(requiring('[garden]', servers), root);
		await running.eventWhere(event => event.type === 'server.state' && event.state === 'lazy');
		expect(await readiness(running)).toEqual([200]);
	});

	test('warns of a server that is not configured, without which it is never ready', async () => {
		const running = await runGateway(requiring('[gardn]', {garden}));
		const warnings = running.events.filter(
			event => event.type === 'log' && event.text.includes('did you mean "garden"'),
		);
		expect([await readiness(running), warnings.length]).toEqual([[503, 'servers'], 1]);
	});
});

describe('gateway.drain_delay', () => {
	const draining = (text: string) => runGateway(config(`gateway: {drain_delay: ${text}}`));

	test('keeps new requests away at once and refuses none, until the rest is skipped', async () => {
		const running = await draining('600');
		const {gateway, eventWhere} = running;
		const skip = new AbortController();
		const startedAt = Date.now();
		const drained = gateway.drain('SIGTERM', skip.signal);
		expect([await readiness(running), await health(running)]).toEqual([[503, 'draining'], 200]);
		expect(await post(running, 'late')).toBe(202);
		const event = await eventWhere(({type}) => type === 'gateway.draining');
		expect(event).toMatchObject({reason: 'SIGTERM', until: expect.any(Number)});
		expect('until' in event && typeof event.until === 'number' && event.until - startedAt).toBeGreaterThanOrEqual(
			600_000,
		);
		skip.abort();
		await drained;
		expect(await readiness(running)).toEqual([503, 'draining']);
		expect(await post(running, 'later')).toBe(202);
		await gateway.stop('SIGTERM');
	});

	test('ends by itself', async () => {
		const {gateway, events} = await draining('0.05');
		await gateway.drain('SIGTERM', neverAborted());
		await gateway.stop('SIGTERM');
		const stops = events.filter(({type}) => type === 'gateway.draining' || type === 'gateway.stopped');
		expect(stops.map(({type}) => type)).toEqual(['gateway.draining', 'gateway.stopped']);
	});

	test.each(['0', '601', '-1', 'soon'])('of %s is no time at all', async text => {
		const running = await draining(text);
		await running.gateway.drain('SIGTERM', neverAborted());
		expect(running.events.filter(({type}) => type === 'gateway.draining')).toEqual([]);
		expect(await readiness(running)).toEqual([503, 'draining']);
		const warnings = running.events.filter(event => event.type === 'log' && event.text.includes('drain_delay'));
		expect(warnings).toHaveLength(text === '0' ? 0 : 1);
	});

	test('is over when requests are refused, which `/ready` says still', async () => {
		const running = await draining('0');
		const slow = dial(running.gateway.webhookUrl() ?? '');
		slow.socket.write('POST /webhooks/one HTTP/1.1\r\nhost: x\r\ncontent-length: 7\r\n\r\n{"x"');
		const probe = dial(running.gateway.webhookUrl() ?? '');
		probe.socket.write('GET /ready HTTP/1.1\r\nhost: x\r\n\r\n');
		await probe.sees('"ready"');
		const stopped = running.gateway.stop('enough');
		await running.eventWhere(event => event.type === 'log' && event.text === 'stopping: enough');
		probe.socket.write('GET /ready HTTP/1.1\r\nhost: x\r\n\r\n');
		await probe.sees('"reasons":["draining"]');
		slow.socket.write(':1}');
		await slow.sees('HTTP/1.1 202');
		await stopped;
	});
});
