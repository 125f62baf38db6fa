import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Deliver} from '../../source/delivery/deliver.ts';
import {openJournal} from '../../source/journal/open-journal.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {crashImage, openTestJournal} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {dial, openAdapter} from './open-adapter.ts';
import {webhookConfig} from './webhook-config.ts';
import {to} from '../helpers/destinations.ts';

const post = (url: string, headers: Readonly<Record<string, string>> = {}) =>
	fetch(url, {method: 'POST', body: '{}', headers});

describe('listening', () => {
	test('publishes the address', async () => {
		const {url, events} = await openAdapter();
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
		expect(events).toEqual([{type: 'webhook.state', state: 'listening', url, routes: 1}]);
	});

	test('localhost is the loopback', async () => {
		const {url} = await openAdapter({config: webhookConfig({host: 'localhost'})});
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/u);
	});

	test('on a taken port is refused with the port in the message', async () => {
		const {url} = await openAdapter();
		const port = Number(new URL(url).port);
		await expect(openAdapter({config: webhookConfig({port})})).rejects.toMatchObject({
			code: 'port_in_use',
			message: expect.stringContaining(String(port)),
		});
	});

	test('on an address that is not ours is refused', async () => {
		await expect(openAdapter({config: webhookConfig({host: '192.0.2.1'})})).rejects.toMatchObject({
			code: 'listen_failed',
		});
	});
});

describe('a new configuration', () => {
	test('changes routes and keeps listener and connections', async () => {
		const {adapter, url, ofType} = await openAdapter();
		const connection = dial(url);
		connection.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
		await connection.sees('platform');
		await adapter.apply(webhookConfig({routes: [{name: 'fresh'}, {name: 'other'}]}));
		connection.socket.write('POST /webhooks/fresh HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}');
		await connection.sees('HTTP/1.1 202');
		expect((await post(`${url}/webhooks/open`)).status).toBe(404);
		expect(ofType('webhook.state').at(-1)).toEqual({type: 'webhook.state', state: 'listening', url, routes: 2});
	});

	test('does not give a used quota back', async () => {
		const {adapter, url} = await openAdapter({config: webhookConfig({rateLimit: 1})});
		expect((await post(`${url}/webhooks/open`)).status).toBe(202);
		await adapter.apply(webhookConfig({rateLimit: 1}));
		expect((await post(`${url}/webhooks/open`)).status).toBe(429);
	});

	test('moves to another address', async () => {
		const {adapter, url, ofType} = await openAdapter();
		await adapter.apply(webhookConfig({host: '127.0.0.2'}));
		const moved = ofType('webhook.state').at(-1)?.url ?? '';
		expect(moved).toContain('127.0.0.2');
		expect((await fetch(`${moved}/health`)).status).toBe(200);
		await expect(fetch(`${url}/health`)).rejects.toThrow();
	});

	test('that turns webhooks off stops the listener, and one that turns them on starts it', async () => {
		const {adapter, url, ofType} = await openAdapter();
		await adapter.apply(webhookConfig({enabled: false}));
		await expect(fetch(`${url}/health`)).rejects.toThrow();
		await adapter.apply(webhookConfig());
		expect(ofType('webhook.state').map(({state}) => state)).toEqual(['listening', 'off', 'listening']);
	});

	test('with a taken port is tried again, with growing pauses, until the port is free', async () => {
		const taken = await openAdapter();
		const clock = createFakeClock();
		const {adapter, ofType} = await openAdapter({clock});
		const port = Number(new URL(taken.url).port);
		await adapter.apply(webhookConfig({port}));
		await clock.advance(1000);
		await clock.advance(2000);
		expect(ofType('webhook.state').map(({state}) => state)).toEqual(['listening', 'failed']);
		await taken.adapter.close();
		await clock.advance(3999);
		expect(ofType('webhook.state').at(-1)).toMatchObject({state: 'failed'});
		await clock.advance(1);
		await expect.poll(() => ofType('webhook.state').at(-1)).toMatchObject({state: 'listening', url: taken.url});
		expect(clock.open()).toBe(0);
		expect((await fetch(`${taken.url}/health`)).status).toBe(200);
	});

	test.each([
		['is tried at once', {}, 'listening'],
		['is given up when webhooks are turned off', {enabled: false}, 'off'],
	])('with a taken port %s at the next configuration', async (_, change, state) => {
		const taken = await openAdapter();
		const clock = createFakeClock();
		const {adapter, ofType} = await openAdapter({clock});
		const port = Number(new URL(taken.url).port);
		await adapter.apply(webhookConfig({port}));
		await taken.adapter.close();
		await adapter.apply(webhookConfig({port, ...change}));
		await clock.advance(60_000);
		expect(ofType('webhook.state').map(event => event.state)).toEqual(['listening', 'failed', state]);
	});

	test('with a taken port is published, and does not reject', async () => {
		const taken = await openAdapter();
		const {adapter, ofType} = await openAdapter();
		await adapter.apply(webhookConfig({port: Number(new URL(taken.url).port)}));
		expect(ofType('webhook.state').at(-1)).toMatchObject({
			state: 'failed',
			reason: expect.stringMatching(/is in use; Sluice tries again until it is free$/u),
			nextActions: [expect.objectContaining({kind: 'text'}), {kind: 'or-set', key: 'platforms.webhook.port'}],
		});
	});
});

describe('closing', () => {
	const direct = webhookConfig({routes: [{name: 'direct', action: 'deliver-only', deliver: to('telegram')}]});

	test('waits for what is under way and refuses what comes meanwhile', async () => {
		const started = Promise.withResolvers<void>();
		const finish = Promise.withResolvers<void>();
		const deliver: Deliver = async ({target}) => {
			started.resolve();
			await finish.promise;
			return {kind: 'delivered', target};
		};
		const {adapter, url} = await openAdapter({config: direct, deliver});
		const first = post(`${url}/webhooks/direct`);
		await started.promise;
		const closing = adapter.close();
		const lazy = await post(`${url}/webhooks/direct`);
		expect([lazy.status, await lazy.json(), lazy.headers.get('retry-after')]).toEqual([
			503,
			{error: 'Shutting down'},
			'10',
		]);
		finish.resolve();
		expect((await first).status).toBe(200);
		await closing;
		await expect(fetch(`${url}/health`)).rejects.toThrow();
	});

	test('does not wait for ever: a delivery is given up', async () => {
		const deliver: Deliver = (_delivery, {signal}) =>
			new Promise((_resolve, reject) => {
				signal.addEventListener('abort', () => reject(new Error('given up')));
			});
		const {adapter, url, journal} = await openAdapter({config: direct, deliver, limits: {drainMilliseconds: 100}});
		const answer = post(`${url}/webhooks/direct`, {'x-request-id': 'one'});
		await expect.poll(() => journal.rows.length).toBe(1);
		await adapter.close();
		expect((await answer).status).toBe(502);
		expect(journal.claimed.size).toBe(0);
	});

	test('ends idle connections and bodies that do not come', async () => {
		const {adapter, url} = await openAdapter({limits: {drainMilliseconds: 100}});
		const idle = dial(url);
		idle.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
		await idle.sees('platform');
		const slow = dial(url);
		slow.socket.write('POST /webhooks/open HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{');
		const silent = dial(url);
		await new Promise(resolve => silent.socket.once('connect', resolve));
		await expect.poll(() => slow.socket.bytesWritten).toBeGreaterThan(0);
		await adapter.close();
		await Promise.all([idle.closed, slow.closed, silent.closed]);
	});

	test('twice is once, and nothing can be applied any more', async () => {
		const {adapter, ofType} = await openAdapter();
		await Promise.all([adapter.close(), adapter.close()]);
		await adapter.apply(webhookConfig({host: '127.0.0.2'}));
		expect(ofType('webhook.state')).toHaveLength(1);
	});
});

describe('with the real journal', () => {
	test('what was accepted is there, once, after a restart', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const open = () => openJournal({path, clock: systemClock, limits: () => ({maxAgeDays: 30, maxBytes: 1e9})});
		const first = open();
		const before = await openAdapter({journal: first});
		expect((await post(`${before.url}/webhooks/open`, {'x-request-id': 'one'})).status).toBe(202);
		expect((await post(`${before.url}/webhooks/nobody`)).status).toBe(404);
		await before.adapter.close();
		await first.close();

		const second = open();
		const after = await openAdapter({journal: second});
		const again = await post(`${after.url}/webhooks/open`, {'x-request-id': 'one'});
		expect(await again.json()).toEqual({status: 'duplicate', delivery_id: 'one'});
		expect(await second.listRuns({limit: 10})).toMatchObject([{deliveryId: 'one', state: 'queued', route: 'open'}]);
		await after.adapter.close();
		await second.close();
		const third = open();
		expect((await third.listEvents({limit: 10})).map(({status, outcome}) => `${status} ${outcome}`)).toEqual([
			'200 duplicate',
			'404 rejected',
			'202 accepted',
		]);
		await third.close();
	});

	test('a direct delivery that a hard kill cut off is not tried again, and its row says so', async () => {
		const path = join(temporaryDirectory(), 'journal.db');
		const config = webhookConfig({routes: [{name: 'direct', action: 'deliver-only', deliver: to('telegram')}]});
		const send = (url: string, id: string) => post(`${url}/webhooks/direct`, {'x-request-id': id});
		const begun = Promise.withResolvers<void>();
		const deliver: Deliver = ({deliveryId, target}) => {
			if (deliveryId === 'done') {
				return Promise.resolve({kind: 'delivered', target});
			}

			begun.resolve();
			return new Promise(() => {});
		};
		const journal = openTestJournal({path, clock: systemClock});
		const before = await openAdapter({config, deliver, journal, limits: {drainMilliseconds: 10}});
		expect((await send(before.url, 'done')).status).toBe(200);
		void send(before.url, 'cut off').catch(() => undefined);
		await begun.promise;

		const left = openTestJournal({path: crashImage(path), clock: systemClock});
		const rowOf = async (id: string) =>
			(await left.listEvents({limit: 10})).findLast(({deliveryId}) => deliveryId === id);
		// Before anything is taken up the row does not say more than is known.
		expect(await rowOf('cut off')).toMatchObject({outcome: 'outcome_uncertain', reason: 'Delivery not confirmed'});
		await left.markInterruptedSendsUncertain('the gateway stopped');
		const sent: string[] = [];
		const after = await openAdapter({
			config,
			journal: left,
			async deliver({deliveryId, target}) {
				sent.push(deliveryId);
				return {kind: 'delivered', target};
			},
		});
		expect(await (await send(after.url, 'done')).json()).toMatchObject({status: 'duplicate'});
		expect(await (await send(after.url, 'cut off')).json()).toMatchObject({status: 'duplicate'});
		expect(await (await send(after.url, 'another')).json()).toMatchObject({status: 'delivered'});
		expect(sent).toEqual(['another']);
		expect(await rowOf('done')).toMatchObject({status: 200, outcome: 'delivered'});
		expect(await rowOf('cut off')).toMatchObject({
			status: 502,
			outcome: 'outcome_uncertain',
			reason: 'Delivery not confirmed; the gateway stopped',
		});
	});
});
