import {describe, expect, test} from 'vitest';
import {toSenderRules} from '../../../source/config/webhooks/sender-rules.ts';
import {createHandshakeWindows} from '../../../source/webhooks/routes/handshake-windows.ts';
import {createKeySets} from '../../../source/webhooks/signature/key-sets.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {openHandler} from '../open-handler.ts';
import {confirmation, signSns, snsCertificate, snsTopic} from '../sns-messages.ts';

/** A route for SNS behind its handshake windows. `answer`: of the address of a confirmation. */
function open(answer: () => Promise<string> = async () => '<ConfirmSubscriptionResponse/>') {
	const clock = createFakeClock();
	const fetched: string[] = [];
	const windows = createHandshakeWindows({
		clock,
		async fetchText(url) {
			fetched.push(url);
			return answer();
		},
		findRoute: name => handler.table.routes.get(name),
	});
	const keySets = createKeySets({clock, fetchText: async () => snsCertificate, signal: neverAborted()});
	const secret = {topic_arn: snsTopic};
	const handler = openHandler({
		routes: [
			{name: 'alarms', secrets: [], ...toSenderRules({signature: 'sns', secret})},
			{name: 'others', secrets: [], ...toSenderRules({signature: 'sns', secret})},
			{name: 'plain'},
		],
		clock,
		keySets,
		offerConfirmation: windows.offer,
	});
	const send = (route = 'alarms') =>
		handler.post({
			url: `/webhooks/${route}`,
			body: JSON.stringify(signSns(confirmation(clock.now()))),
			headers: {'content-type': 'text/plain'},
		});
	const shake = (signal = neverAborted()) => windows.open('alarms', {signal});
	return {...handler, windows, send, shake, fetched};
}

const {SubscribeURL: address} = confirmation(0);

test('a confirmation within ten minutes is a proposal, and is fetched once, after a yes', async () => {
	const {send, shake, windows, fetched, clock, journal} = open();
	const shaking = shake();
	await clock.advance(600_000 - 1);
	expect(await send()).toMatchObject({status: 200, body: {status: 'ignored', reason: 'handshake'}});
	const end = await shaking;
	expect(end).toMatchObject({kind: 'proposed', proposal: {route: 'alarms', topic: snsTopic, url: address}});
	expect(fetched).toEqual([]);
	const id = end.kind === 'proposed' ? end.proposal.id : '';
	expect(await windows.confirm(id, {signal: neverAborted()})).toEqual({kind: 'confirmed'});
	expect(fetched).toEqual([address]);
	expect(await windows.confirm(id, {signal: neverAborted()})).toEqual({kind: 'unknown'});
	expect(fetched).toHaveLength(1);
	expect(journal.runs).toEqual([]);
	expect(journal.rows).toMatchObject([{outcome: 'ignored', reason: 'handshake'}]);
});

describe('a confirmation is refused', () => {
	test('after ten minutes', async () => {
		const {send, shake, clock} = open();
		const shaking = shake();
		await clock.advance(600_000);
		expect(await shaking).toEqual({kind: 'closed'});
		expect(await send()).toMatchObject({status: 400});
	});

	test('of another route', async () => {
		const {send, shake} = open();
		void shake();
		expect(await send('others')).toMatchObject({status: 400});
		expect(await send()).toMatchObject({status: 200});
	});

	test('after the first one', async () => {
		const {send, shake} = open();
		void shake();
		expect([(await send()).status, (await send()).status]).toEqual([200, 400]);
	});

	test('once its person has left', async () => {
		const {send, shake, clock} = open();
		const leaving = new AbortController();
		const shaking = shake(leaving.signal);
		await clock.settle();
		leaving.abort();
		expect(await shaking).toEqual({kind: 'closed'});
		expect(await send()).toMatchObject({status: 400});
		expect(clock.open()).toBe(0);
	});
});

test('a second window of a route closes the first', async () => {
	const {send, shake} = open();
	const first = shake();
	const second = shake();
	expect(await first).toEqual({kind: 'closed'});
	await send();
	expect(await second).toMatchObject({kind: 'proposed'});
});

test('a proposal ends after ten minutes', async () => {
	const {send, shake, windows, clock, fetched} = open();
	const shaking = shake();
	await send();
	const end = await shaking;
	await clock.advance(600_000);
	const id = end.kind === 'proposed' ? end.proposal.id : '';
	expect(await windows.confirm(id, {signal: neverAborted()})).toEqual({kind: 'unknown'});
	expect(fetched).toEqual([]);
});

test.each([
	['is away', async () => Promise.reject(new Error('The address answered 403')), 0, 'The address answered 403'],
	['hangs', () => new Promise<string>(() => {}), 5000, 'The address did not answer within 5 seconds'],
])('an address that %s is a failure with its reason', async (_, answer, milliseconds, reason) => {
	const {send, shake, windows, clock} = open(answer);
	const shaking = shake();
	await send();
	const end = await shaking;
	const ending = windows.confirm(end.kind === 'proposed' ? end.proposal.id : '', {signal: neverAborted()});
	await clock.advance(milliseconds);
	expect(await ending).toEqual({kind: 'failed', reason});
});

test('a window opens only for a route whose sender asks for a confirmation', async () => {
	const {windows} = open();
	const signal = neverAborted();
	await expect(windows.open('nobody', {signal})).rejects.toMatchObject({code: 'unknown_route'});
	await expect(windows.open('plain', {signal})).rejects.toMatchObject({code: 'bad_usage'});
});
