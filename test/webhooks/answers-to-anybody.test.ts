import {connect} from 'node:net';
import {describe, expect, test} from 'vitest';
import {toRespond} from '../../source/config/webhooks/respond-entry.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {openSms} from '../simulators/platforms/sms.ts';
import {openAnswers} from './open-answers.ts';

const json = {wait: 10, body: '{"say":"{result}","n":{n},"who":"{who}"}', content_type: 'application/json'} as const;
const asking = {name: 'r', respond: toRespond(json, undefined)};

async function open(changes: Partial<Parameters<typeof openAnswers>[0]> = {}) {
	const clock = createFakeClock();
	const gateway = await openAnswers({clock, journal: openTestJournal({clock}), routes: [asking], ...changes});
	const post = async (body: object = {n: 5, who: 'Ann "A"'}, headers: Readonly<Record<string, string>> = {}) => {
		const response = await fetch(`${gateway.url}/webhooks/r`, {method: 'POST', body: JSON.stringify(body), headers});
		return {
			status: response.status,
			type: response.headers.get('content-type'),
			sniff: response.headers.get('x-content-type-options'),
			text: await response.text(),
		};
	};

	const begun = async (count = 1) => {
		await expect.poll(() => gateway.asked.length).toBe(count);
		return gateway.asked[count - 1];
	};

	return {...gateway, clock, post, begun};
}

describe('a route without a preset', () => {
	test('answers with the body of the route, whatever the model writes', async () => {
		const {post, begun} = await open();
		const answer = post();
		(await begun())?.answer('a", "admin": true, "x": "\\\u0000');
		const {text, ...head} = await answer;
		expect(head).toEqual({status: 200, type: 'application/json; charset=utf-8', sniff: 'nosniff'});
		expect(JSON.parse(text)).toEqual({say: 'a", "admin": true, "x": "\\\u0000', n: 5, who: 'Ann "A"'});
	});

	test.each(['answer', 'fail', 'silent'] as const)(
		'acknowledges with 202 where there is no result in time: %s',
		async act => {
			const {post, begun, clock, messages} = await open();
			const answer = post();
			const run = await begun();
			if (act === 'answer') {
				await clock.advance(10_000);
			} else if (act === 'fail') {
				run?.fail();
			} else {
				run?.answer('[SILENT]');
			}

			expect(await answer).toMatchObject({status: 202, text: expect.stringContaining('"status":"accepted"')});
			run?.answer('late');
			await clock.advance(60_000);
			expect((await messages()).filter(({target}) => target === 'caller')).toEqual([]);
		},
	);

	test('uses the result before a payload key of that name', async () => {
		const {post, begun} = await open({
			routes: [{name: 'r', respond: toRespond({body: '{result} {event_type}'}, undefined)}],
		});
		const answer = post({result: 'mine', event_type: 'push'});
		(await begun())?.answer('yours');
		expect(await answer).toEqual({
			status: 200,
			type: 'text/plain; charset=utf-8',
			sniff: 'nosniff',
			text: 'yours push',
		});
	});

	test('acknowledges at once when 256 requests wait', async () => {
		const {post, begun, clock} = await open();
		const waiting = Array.from({length: 256}, () => post());
		await begun(50);
		await expect.poll(async () => clock.open()).toBeGreaterThanOrEqual(256);
		expect(await post()).toMatchObject({status: 202});
		await clock.advance(10_000);
		expect(new Set((await Promise.all(waiting)).map(({status}) => status))).toEqual(new Set([202]));
	});

	test('keeps the statuses of errors', async () => {
		const {post} = await open({routes: [{...asking, enabled: false}]});
		expect(await post()).toMatchObject({status: 503, text: '{"error":"Route paused"}'});
	});

	test('is not cut off unnoticed: what may have been read is not posted', async () => {
		const {url, begun, messages, clock} = await open({
			routes: [{name: 'r', respond: toRespond({body: `{result}${'x'.repeat(2 ** 24)}`}, undefined)}],
		});
		const {hostname, port} = new URL(url);
		const socket = connect(Number(port), hostname);
		socket.write(
			'POST /webhooks/r HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
		);
		socket.pause();
		const run = await begun();
		run?.answer('Sunny');
		await expect.poll(async () => (await messages()).map(({state}) => state)).toContain('sending');
		await new Promise(resolve => setTimeout(resolve, 100));
		socket.destroy();
		await expect.poll(messages).toMatchObject([
			{target: 'caller', state: 'outcome_uncertain', detail: expect.stringContaining('closed while the answer')},
			{target: 'log', state: 'sent'},
		]);
		await clock.advance(60_000);
	});
});

const sms = {
	account_sid: 'AC00000000000000000000000000000001',
	auth_token: '0123456789abcdef0123456789abcdef',
	from: '+15550001111',
};

describe('a direct delivery', () => {
	const direct = {
		name: 'r',
		action: 'deliver-only',
		deliver: [{target: 'sms', extra: {chat_id: '{to}'}}],
		prompt: 'Hi {who}',
		respond: toRespond({wait: 5, body: 'sent: {result}'}, undefined),
	} as const;
	const to = '+15550100002';

	test('answers with what was delivered', async () => {
		const simulator = await openSms();
		const {post, messages} = await open({routes: [direct], platforms: {sms: {...sms, base_url: simulator.baseUrl}}});
		expect(await post({who: 'Ann', to})).toMatchObject({status: 200, text: 'sent: Hi Ann'});
		await expect.poll(messages).toMatchObject([
			{target: 'sms', state: 'sent'},
			{target: 'caller', state: 'sent', text: 'Hi Ann'},
		]);
	});

	test('that fails keeps its status', async () => {
		const {post, messages} = await open({routes: [direct]});
		expect(await post({who: 'Ann', to})).toMatchObject({status: 502, text: expect.stringContaining('Delivery failed')});
		expect(await messages()).toMatchObject([{target: 'sms', state: 'failed'}]);
	});

	test('is acknowledged when it takes too long, not before it is on disk', async () => {
		const clock = createFakeClock();
		const journal = openTestJournal({clock});
		const {promise: isOpen, resolve: release} = Promise.withResolvers<void>();
		const slow = {
			...journal,
			async acceptEvent(...request: Parameters<typeof journal.acceptEvent>) {
				await isOpen;
				return journal.acceptEvent(...request);
			},
		};
		const simulator = await openSms();
		const {post} = await open({
			clock,
			journal: slow,
			routes: [{...direct, respond: toRespond({wait: 0, body: '{result}'}, undefined)}],
			platforms: {sms: {...sms, base_url: simulator.baseUrl}},
		});
		let isAnswered = false;
		const answer = post({who: 'Ann', to}).finally(() => {
			isAnswered = true;
		});
		await new Promise(resolve => setTimeout(resolve, 100));
		expect(isAnswered).toBe(false);
		release();
		expect(await answer).toMatchObject({status: 202});
		await expect.poll(() => simulator.received.length).toBe(1);
	});

	test('that cannot be stored is not acknowledged', async () => {
		const clock = createFakeClock();
		const journal = openTestJournal({clock});
		const away = {...journal, acceptEvent: () => Promise.reject(new Problem('storage_unavailable'))};
		const {post} = await open({clock, journal: away, routes: [direct]});
		expect(await post({who: 'Ann', to})).toMatchObject({status: 503, text: '{"error":"Storage unavailable"}'});
	});
});
