import {createHmac} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {type Deliver} from '../../../source/delivery/deliver.ts';
import {Problem} from '../../../source/util/problem.ts';
import {openHandler, secret} from '../open-handler.ts';
import {to} from '../../helpers/destinations.ts';

const hex = createHmac('sha256', secret).update('{}').digest('hex');
const direct = {
	name: 'direct',
	action: 'deliver-only',
	deliver: to('telegram', {chat_id: '{chat}'}),
	prompt: 'Hi {who}',
} as const;
const post = {url: '/webhooks/direct', headers: {'x-request-id': 'one'}, body: '{"who":"Ann","chat":42}'};

describe('an agent route', () => {
	test.each([
		['X-Hub-Signature-256', {'x-hub-signature-256': `sha256=${hex}`}, undefined],
		['X-Gitlab-Token', {'x-gitlab-token': secret}, undefined],
		['X-Webhook-Signature', {'x-webhook-signature': hex}, undefined],
		['x-gitea-signature', {'x-gitea-signature': hex}, toSignatureScheme('gitea')],
	])('gives its run what proved the sender: %s', async (name, headers, signature) => {
		const handler = openHandler({routes: [{name: 'r', secrets: [secret], signature}]});
		await handler.post({url: '/webhooks/r', headers, body: '{}'});
		expect([handler.journal.runs, handler.journal.rows]).toMatchObject([
			[{signature: name}],
			[{trace: {signature: name}}],
		]);
	});

	test('keeps event and run in one step, then wakes the runs', async () => {
		const handler = openHandler({
			routes: [
				{
					name: 'r',
					prompt: '{title} by {__raw__}',
					deliver: to('telegram', {chat_id: '{chat}'}),
					skills: ['review'],
					toolsets: ['clarify'],
				},
			],
		});
		const body = '{"title":"T","chat":7}';
		const headers = {'x-github-event': 'push', 'x-github-delivery': 'd', authorization: 'Bearer x'};
		expect(await handler.post({url: '/webhooks/r', headers, body})).toMatchObject({
			status: 202,
			body: {status: 'accepted', route: 'r', event: 'push', delivery_id: 'd'},
		});
		const [row] = handler.journal.rows;
		expect(row).toMatchObject({
			profile: 'default',
			route: 'r',
			event: 'push',
			deliveryId: 'd',
			status: 202,
			outcome: 'accepted',
			headers: {authorization: '‹masked›', 'x-github-event': 'push'},
		});
		expect(Buffer.from(row?.body ?? []).toString()).toBe(body);
		expect(handler.journal.runs).toEqual([
			{
				id: expect.any(String),
				eventId: row?.id,
				profile: 'default',
				route: 'r',
				event: 'push',
				deliveryId: 'd',
				signature: 'none asked for',
				prompt: 'T by {\n  "title": "T",\n  "chat": 7\n}',
				foreign: [
					[0, 1],
					[5, 36],
				],
				deliver: to('telegram', {chat_id: '7'}),
				skills: ['review'],
				toolsets: ['clarify'],
				createdAt: handler.clock.now(),
			},
		]);
		expect(handler.state.wakes).toBe(1);
	});

	test('is a duplicate within the hour and new after it, and another route has its own ids', async () => {
		const handler = openHandler({routes: [{name: 'r'}, {name: 's'}]});
		const send = async (url: string) => (await handler.post({url, headers: {'x-request-id': 'one'}})).body['status'];
		expect(await send('/webhooks/r')).toBe('accepted');
		await handler.clock.advance(3_599_999);
		expect(await send('/webhooks/r')).toBe('duplicate');
		expect(await send('/webhooks/s')).toBe('accepted');
		await handler.clock.advance(1);
		expect(await send('/webhooks/r')).toBe('accepted');
		expect(handler.state.wakes).toBe(3);
	});

	test('without an id of the sender is never a duplicate', async () => {
		const handler = openHandler();
		await handler.post();
		expect(await handler.post()).toMatchObject({status: 202});
		expect(handler.journal.claimed.size).toBe(0);
	});

	test('is answered 503 when the journal cannot write, and no run is woken', async () => {
		const handler = openHandler();
		handler.journal.breakWith(new Problem('storage_unavailable', {detail: 'disk full'}));
		expect(await handler.post()).toMatchObject({
			status: 503,
			body: {error: 'Storage unavailable'},
			headers: {'retry-after': '30'},
		});
		expect(handler.state.wakes).toBe(0);
		// The journal has said so.
		expect(handler.ofType('log')).toEqual([]);
		handler.journal.breakWith(new Error('a bug'));
		await handler.post();
		expect(handler.ofType('log')).toMatchObject([{level: 'error', text: 'a bug'}]);
	});
});

describe('a deliver_only route', () => {
	test('delivers the rendered text and starts no run', async () => {
		const deliveries: unknown[] = [];
		const deliver: Deliver = async delivery => {
			deliveries.push(delivery);
			return {kind: 'delivered', target: 'telegram'};
		};
		const handler = openHandler({routes: [direct], deliver});
		expect(await handler.post(post)).toMatchObject({
			status: 200,
			body: {status: 'delivered', route: 'direct', target: 'telegram', delivery_id: 'one'},
		});
		expect(deliveries).toMatchObject([
			{target: 'telegram', text: 'Hi Ann', extra: {chat_id: '42'}, deliveryId: 'one', route: 'direct'},
		]);
		expect(handler.journal.rows).toMatchObject([{status: 200, outcome: 'delivered', reason: undefined}]);
		expect(handler.journal.runs).toEqual([]);
	});

	const problem = new Problem('delivery_failed', {detail: 'the token 123:abc was refused'});
	test.each<{how: string; deliver: Deliver}>([
		{how: 'answers that it failed', deliver: async () => ({kind: 'failed', problem})},
		{how: 'throws', deliver: async () => Promise.reject(problem)},
	])('whose delivery $how is answered 502 without a detail, and may be tried again', async ({deliver}) => {
		const handler = openHandler({routes: [direct], deliver});
		expect(await handler.post(post)).toMatchObject({
			status: 502,
			body: {status: 'error', error: 'Delivery failed', delivery_id: 'one'},
		});
		expect(await handler.post(post)).toMatchObject({status: 502});
		expect(handler.journal.rows).toMatchObject([
			{status: 502, outcome: 'delivery_failed'},
			{status: 502, outcome: 'delivery_failed'},
		]);
	});

	test('whose delivery may have arrived is answered 502, and is not tried again with the same id', async () => {
		const deliver: Deliver = async () => ({kind: 'uncertain', problem: new Problem('outcome_uncertain')});
		const handler = openHandler({routes: [direct], deliver});
		expect(await handler.post(post)).toMatchObject({status: 502, body: {error: 'Delivery failed'}});
		expect(await handler.post(post)).toMatchObject({status: 200, body: {status: 'duplicate', delivery_id: 'one'}});
	});

	test('delivers one id once when it comes twice at the same time', async () => {
		const {promise, resolve} = Promise.withResolvers<void>();
		const deliver: Deliver = async () => {
			await promise;
			return {kind: 'delivered', target: 'telegram'};
		};
		const handler = openHandler({routes: [direct], deliver});
		const first = handler.post(post);
		const second = handler.post(post);
		resolve();
		expect(await Promise.all([first, second])).toMatchObject([
			{status: 200, body: {status: 'delivered'}, name: 'delivered'},
			{status: 200, body: {status: 'delivered'}, name: 'duplicate'},
		]);
	});
});
