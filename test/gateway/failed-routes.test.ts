import {createServer} from 'node:net';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {type RouteState} from '../../source/state/status-event.ts';
import {listenOnFreePort} from '../helpers/free-port.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {startSluice} from '../helpers/sluice.ts';

const webhook = (port: number, routes: string) =>
	`platforms:\n  webhook:\n    enabled: true\n    port: ${port}\n    routes:\n${routes}`;

const routeState = ({eventWhere}: RunningGateway, route: string, state: RouteState['state']) =>
	eventWhere(event => event.type === 'route.state' && event.route === route && event.state === state);

async function listed({paths}: RunningGateway): Promise<unknown> {
	const {stdout, code} = await startSluice({home: paths.root}, 'webhook', 'list', '--json').end;
	expect(code).toBe(0);
	return JSON.parse(stdout);
}

test('no route is called served while the port is taken, and all are once it is free', async () => {
	const other = createServer();
	const port = await listenOnFreePort(other);
	onTestFinished(() => void other.close());
	const running = await runGateway(webhook(port, '      one: {secret: first-secret}\n'));
	const reason = expect.stringMatching(/^nothing arrives: Port \d+ on 127\.0\.0\.1 is taken; it is tried again/u);
	expect(await routeState(running, 'one', 'failed')).toMatchObject({reason});
	expect(await listed(running)).toMatchObject([{name: 'one', state: 'failed', reason}]);
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
