import {describe, expect, test} from 'vitest';
import {connectTo} from '../../control/control-fixture.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {serve} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {answerJson} from '../../mcp/fixture-servers.ts';
import {openTelegram} from '../../simulators/platforms/telegram.ts';

const signal = neverAborted();

/** Two gateways on a journal of their own, with one tool server, which answers calls once it is released, and one platform. */
async function openTwo() {
	const {database} = await newPostgresPlace();
	const telegram = await openTelegram();
	onTestFinished(telegram.close);
	const held: Array<() => void> = [];
	const {origin} = await serve((request, response) => {
		let body = '';
		request.on('data', chunk => (body += String(chunk)));
		const answer = () => {
			const {id} = JSON.parse(body) as {readonly id: number};
			response.writeHead(200, {'content-type': 'application/json'});
			response.end(JSON.stringify({jsonrpc: '2.0', id, result: {content: [{type: 'text', text: 'done'}]}}));
		};
		const hear = (method: string) => (method === 'tools/call' && held.push(answer) > 0 ? 'ignore' : 'answer');
		void answerJson(request, response, {hear});
	});
	const open = async (node: string) => {
		const running = await runGateway(
			JSON.stringify({
				journal: {url: database.url, schema: database.schema, node, pool: 2},
				mcp_servers: {garden: {url: origin, trust: 'full'}},
				platforms: {
					telegram: telegram.settings,
					webhook: {
						enabled: true,
						port: 0,
						secret: 'INSECURE_NO_AUTH',
						routes: {
							r: {prompt: 'x', deliver: 'telegram', deliver_only: true, deliver_extra: {chat_id: telegram.chatId}},
						},
					},
				},
			}),
		);
		await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		const client = await connectTo(running.paths.controlSocket);
		/** Somebody listens until the returned function is called. */
		const follow = async () => {
			const follower = await connectTo(running.paths.controlSocket);
			const end = new AbortController();
			const following = follower.call('events.follow', {}, {signal: end.signal}).catch(() => undefined);
			return async () => {
				end.abort();
				await following;
			};
		};

		return {...running, client, follow};
	};

	const [one, two] = [await open('web-1'), await open('web-2')];
	const fail = async () => {
		telegram.plan({kind: 'rejected'});
		const sent = await fetch(`${one.gateway.webhookUrl()}/webhooks/r`, {method: 'POST', body: '{}'});
		expect(sent.status).toBe(502);
	};
	const call = () => one.client.call('mcp.call', {name: 'mcp__garden__echo', arguments: {}, approve: false}, {signal});
	return {one, two, fail, call, release: () => held.splice(0).forEach(answer => answer())};
}

describe.skipIf(!hasPostgres)('two gateways on one journal', () => {
	test('a call under way at one is listed at the other with its node until it ends, and then among its events', async () => {
		const {one, two, call, release} = await openTwo();
		await two.follow();
		const called = call();
		const underWay = () => two.snapshot().calls.map(({server, tool, node}) => [server, tool, node]);
		await expect.poll(underWay, {timeout: 5000}).toEqual([['garden', 'echo', 'web-1']]);
		expect(await two.client.call('status', {}, {signal})).toMatchObject({under_way: {calls: 0}});
		expect(one.snapshot().calls.map(({node}) => node)).toEqual([undefined]);
		release();
		await called;
		await expect.poll(underWay, {timeout: 5000}).toEqual([]);
		const ended = ({snapshot}: typeof two) =>
			snapshot().events.flatMap(event => (event.type === 'tool.finished' ? [[event.outcome, event.node]] : []));
		expect([ended(one), ended(two)]).toEqual([[['ok', undefined]], [['ok', 'web-1']]]);
		expect(two.snapshot().rates.servers).toEqual({});
		expect(two.events.some(({type}) => type === 'tool.finished')).toBe(false);
	});

	test('deliveries that fail at one wait at the other too, and a dismissal at either is one at both', async () => {
		const {one, two, fail} = await openTwo();
		await one.follow();
		await two.follow();
		const waiting = () =>
			[one, two].map(({snapshot}) => snapshot().failedDeliveries.map(({route, failures}) => [route, failures]));
		await fail();
		await expect.poll(waiting, {timeout: 5000}).toEqual([[['r', 1]], [['r', 1]]]);
		await fail();
		await expect.poll(waiting, {timeout: 5000}).toEqual([[['r', 2]], [['r', 2]]]);
		two.gateway.send({method: 'deliveries.dismiss', params: {ids: two.snapshot().failedDeliveries.map(({id}) => id)}});
		await expect.poll(waiting, {timeout: 5000}).toEqual([[], []]);
		await fail();
		await expect.poll(waiting, {timeout: 5000}).toEqual([[['r', 1]], [['r', 1]]]);
		one.gateway.send({method: 'deliveries.dismiss', params: {ids: one.snapshot().failedDeliveries.map(({id}) => id)}});
		await expect.poll(waiting, {timeout: 5000}).toEqual([[], []]);
	});

	test('a dashboard that comes later sees what is so now and came meanwhile, and a status counts it while nobody listens', async () => {
		const {two, fail, call, release} = await openTwo();
		const waiting = async () => (await two.client.call('status', {}, {signal})).waiting?.failed_deliveries;
		expect(await waiting()).toBe(0);
		const called = call();
		await fail();
		expect(two.snapshot().failedDeliveries).toEqual([]);
		// It may have looked less than a second before.
		await expect.poll(waiting, {timeout: 5000}).toBe(1);
		const end = await two.follow();
		await expect.poll(() => two.snapshot().calls.length, {timeout: 900}).toBe(1);
		await end();
		release();
		await called;
		const names = () => two.client.call('completion.names', {of: 'call'}, {signal});
		await expect.poll(names, {timeout: 5000}).toHaveLength(1);
		await two.follow();
		await expect.poll(() => two.snapshot().calls.length, {timeout: 900}).toBe(0);
		const events = two.snapshot().events.map(event => [event.type, 'node' in event && event.node]);
		expect(events).toEqual([
			['webhook.settled', 'web-1'],
			['tool.finished', 'web-1'],
		]);
	});
});
