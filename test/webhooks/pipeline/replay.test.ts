import {describe, expect, test} from 'vitest';
import {type EventRecord} from '../../../source/journal/journal.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';
import {to} from '../../helpers/destinations.ts';

const stored: EventRecord & {body: Uint8Array} = {
	id: 'first',
	time: 1,
	profile: 'default',
	route: 'alerts',
	event: 'push',
	deliveryId: 'sent-1',
	headers: {'x-github-event': 'push', 'x-github-delivery': 'sent-1', 'x-gitlab-token': '‹masked›'},
	body: Buffer.from('{"a":1}'),
	status: 202,
	outcome: 'accepted',
	ms: 1,
};

const open = (changes: object = {}) => {
	const routes = [{name: 'alerts', secrets: ['s'], ...changes}];
	return openAdapter({config: webhookConfig({routes, rateLimit: 2})});
};

describe('a replay', () => {
	test('is accepted without a signature, under a row of its own that says so', async () => {
		const {adapter, ofType} = await open();
		const replay = await adapter.replay(stored);
		expect(replay).toEqual({eventId: expect.any(String), status: 202, name: 'accepted', reason: 'replay of first'});
		expect(ofType('webhook.settled')).toMatchObject([
			{eventId: replay.eventId, route: 'alerts', event: 'push', outcome: 'accepted', reason: 'replay of first'},
		]);
	});

	test.each([
		['as the event had it', {signature: 'X-Hub-Signature-256'}, 'X-Hub-Signature-256'],
		['as it must have been', undefined, 'verified when it came'],
	])('stores the proof of the sender %s', async (_, trace, signature) => {
		const {adapter, journal} = await open();
		await adapter.replay({...stored, trace});
		expect([journal.rows[0]?.trace, journal.runs[0]]).toMatchObject([{signature}, {signature}]);
	});

	test('neither claims nor is stopped by its delivery id', async () => {
		const {adapter} = await open();
		expect([await adapter.replay(stored), await adapter.replay(stored)]).toMatchObject([{status: 202}, {status: 202}]);
	});

	test('leaves the delivery id of the sender free', async () => {
		const {adapter, url} = await open({secrets: ['INSECURE_NO_AUTH']});
		await adapter.replay(stored);
		const response = await fetch(`${url}/webhooks/alerts`, {
			method: 'POST',
			body: '{}',
			headers: {'x-github-delivery': 'sent-1'},
		});
		expect(response.status).toBe(202);
	});

	test.each([
		['events', {events: ['issues']}, {status: 200, name: 'ignored', reason: 'replay of first: event'}],
		['filters', {filters: [{kind: 'equals', field: 'a', value: 2}]}, {status: 200, name: 'ignored'}],
		['a pause', {enabled: false}, {status: 503, reason: 'replay of first: Route paused'}],
		['direct delivery', {action: 'deliver-only', deliver: to('telegram')}, {status: 200, name: 'delivered'}],
	])('meets %s of its route as they are now', async (_, changes, end) => {
		const {adapter} = await open(changes);
		expect(await adapter.replay(stored)).toMatchObject(end);
	});

	test('meets the rate limit', async () => {
		const {adapter} = await open();
		await adapter.replay(stored);
		await adapter.replay(stored);
		expect(await adapter.replay(stored)).toMatchObject({status: 429});
	});

	test('of a route that is gone is refused', async () => {
		const {adapter} = await open();
		expect(await adapter.replay({...stored, route: 'gone'})).toMatchObject({status: 404});
	});

	test('does not open the route for others', async () => {
		const {adapter, url} = await open();
		await adapter.replay(stored);
		const response = await fetch(`${url}/webhooks/alerts`, {method: 'POST', body: '{}'});
		expect(response.status).toBe(401);
	});

	test('is refused while the adapter stops', async () => {
		const {adapter} = await open();
		await adapter.close();
		expect(await adapter.replay(stored)).toMatchObject({status: 503});
	});
});
