import {createServer} from 'node:net';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type RouteState} from '../../source/state/status-event.ts';
import {listenOnFreePort} from '../helpers/free-port.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {runSluice} from '../helpers/run-sluice.ts';

const webhook = (port: number, routes: string) =>
	`platforms:\n  webhook:\n    enabled: true\n    port: ${port}\n    routes:\n${routes}`;

const routeState = ({eventWhere}: RunningGateway, route: string, state: RouteState['state']) =>
	eventWhere(event => event.type === 'route.state' && event.route === route && event.state === state);

async function listed({paths}: RunningGateway): Promise<unknown> {
	const {stdout, code} = await runSluice({home: paths.root}, 'webhook', 'list', '--json');
	expect(code).toBe(0);
	return JSON.parse(stdout);
}

test('no route is called served while the port is taken, and all are once it is free', async () => {
	const other = createServer();
	const port = await listenOnFreePort(other);
	onTestFinished(() => void other.close());
	const running = await runGateway(webhook(port, '      one: {secret: first-secret}\n'));
	const reason = expect.stringMatching(/^nothing arrives: Port \d+ on 127\.0\.0\.1 is in use; Sluice tries again/u);
	expect(await routeState(running, 'one', 'failed')).toMatchObject({reason});
	expect(await listed(running)).toMatchObject([{name: 'one', state: 'failed', reason}]);
	const next = expect.stringContaining('set another `platforms.webhook.port`');
	expect((await runSluice({home: running.paths.root}, 'webhook', 'list')).stdout).toEqual(next);
	expect(await running.eventWhere(event => event.type === 'log' && event.area === 'webhooks')).toMatchObject({
		text: next,
	});
	other.close();
	await once(other, 'close');
	await routeState(running, 'one', 'served');
	expect(running.gateway.webhookUrl()).toBe(`http://127.0.0.1:${port}`);
	expect(await listed(running)).toMatchObject([{name: 'one', state: 'served', reason: null}]);
});

test('a route whose secret holds no key is failed for everybody, and the others are served', async () => {
	const running = await runGateway(
		webhook(0, '      bad: {secret: whsec_no!base64}\n      good: {secret: second-secret}\n'),
	);
	const reason = expect.stringContaining('not base64 after whsec_');
	expect(await routeState(running, 'bad', 'failed')).toMatchObject({reason});
	await routeState(running, 'good', 'served');
	expect(await listed(running)).toMatchObject([
		{name: 'bad', state: 'failed', reason},
		{name: 'good', state: 'served', reason: null},
	]);
	const headers = {'x-gitlab-token': 'whsec_no!base64'};
	const url = `${running.gateway.webhookUrl()}/webhooks/bad`;
	const response = await fetch(url, {method: 'POST', body: '{}', headers});
	expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
		503,
		'60',
		{error: 'Route paused'},
	]);
	expect(await running.eventWhere(event => event.type === 'webhook.settled')).toMatchObject({status: 503, reason});
	expect(JSON.stringify(running.events)).not.toContain('no!base64');
});

describe('a reload on which one route has no secret', () => {
	const good = '      one: {secret: INSECURE_NO_AUTH}\n';
	const status = async ({gateway}: RunningGateway, route: string) =>
		(await fetch(`${gateway.webhookUrl()}/webhooks/${route}`, {method: 'POST', body: '{}'})).status;
	const fault = (running: RunningGateway) => running.events.findLast(event => event.type === 'fault.state');

	test('leaves the last good routes in force, with a banner, until it is fixed', async () => {
		const running = await runGateway(webhook(0, good));
		await routeState(running, 'one', 'served');
		const url = running.gateway.webhookUrl();
		running.writeConfig(webhook(0, '      one: {secret: ""}\n      two: {secret: second-secret}\n'));
		await running.gateway.reload();
		expect(running.gateway.webhookUrl()).toBe(url);
		expect([await status(running, 'one'), await status(running, 'two')]).toEqual([202, 404]);
		const reason = expect.stringMatching(
			/^config\.yaml:6:\d+: .*route one: No secret is set.* · all webhook routes stay/u,
		);
		expect(fault(running)).toMatchObject({part: 'routes', reason});
		expect(await listed(running)).toMatchObject([
			{name: 'one', state: 'served', reason: expect.stringContaining('No secret is set')},
			{name: 'two', state: 'failed', reason: expect.stringContaining('while a route of config.yaml is invalid: one')},
		]);
		running.writeConfig(webhook(0, '      two: {secret: INSECURE_NO_AUTH}\n'));
		await running.gateway.reload();
		expect([await status(running, 'one'), await status(running, 'two')]).toEqual([404, 202]);
		expect(fault(running)).not.toHaveProperty('reason');
	});

	test('keeps the secret that was in force, also when a subscription is written meanwhile', async () => {
		const running = await runGateway(webhook(0, '      one: {secret: "${MY_SECRET}"}\n'), undefined, {
			variables: {MY_SECRET: 'first-secret'},
		});
		await routeState(running, 'one', 'served');
		running.writeConfig(webhook(0, '      one: {}\n'));
		await running.gateway.reload();
		writeFileSync(`${running.paths.root}/webhook_subscriptions.json`, '{"sub": {"secret": "other-secret"}}');
		const send = async (route: string, token: string) => {
			const headers = {'x-gitlab-token': token};
			const url = `${running.gateway.webhookUrl()}/webhooks/${route}`;
			return (await fetch(url, {method: 'POST', body: '{}', headers})).status;
		};
		expect([await send('sub', 'other-secret'), await send('one', 'first-secret'), await send('one', '')]).toEqual([
			202, 202, 401,
		]);
	});

	test('closes nothing when webhooks were off before: there are no last good routes', async () => {
		const running = await runGateway('');
		running.writeConfig(webhook(0, '      one: {}\n'));
		await running.gateway.reload();
		expect(running.gateway.webhookUrl()).toBeNull();
		expect(await running.eventWhere(event => event.type === 'webhook.state')).toMatchObject({state: 'failed'});
	});
});
