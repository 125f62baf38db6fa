import {describe, expect, test} from 'vitest';
import {unset} from '../../source/config/platforms/platform-settings.ts';
import {chooseChat} from '../../source/delivery/chat.ts';
import {createDeliver, type Delivery} from '../../source/delivery/deliver.ts';
import {type Platforms} from '../../source/delivery/open-platforms.ts';
import {type DeliveryTarget, type Part} from '../../source/delivery/target.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';

const delivery = {target: 'log', text: 'hello', extra: {}, deliveryId: 'delivery-1', route: 'github'};

/** A door whose only target does what the test says. */
function openDeliver(target: Partial<DeliveryTarget> = {}, platforms: Partial<Platforms> = {}) {
	const clock = createFakeClock();
	const {publish, events, ofType} = recordEvents();
	const parts: Part[] = [];
	let forgotten = 0;
	const deliver = createDeliver({
		clock,
		publish,
		platforms: {
			refusal: () => undefined,
			forgetTokens: () => void forgotten++,
			context: (_target, signal) => ({
				settings: unset,
				call: async () => ({kind: 'refused', detail: 'no network'}),
				accessTokens: {get: (_credentials, ask) => ask(), forget: () => undefined},
				now: clock.now,
				publish,
				signal,
				stateFile: async () => ({}),
				variables: () => undefined,
			}),
			...platforms,
		},
		findTarget: async () => ({
			name: 'log',
			limit: {unit: 'utf16', maximum: 100},
			repeat: () => 'unsafe',
			chat: () => ({kind: 'bound'}),
			...target,
			async send(part, context) {
				parts.push(part);
				return target.send ? target.send(part, context) : {kind: 'sent'};
			},
		}),
	});
	return {clock, deliver, events, ofType, parts, forgotten: () => forgotten};
}

const request = {url: new URL('http://platform.test')};
const failingWith = (error: unknown, phase: 'preparing' | 'sending' = 'sending'): Partial<DeliveryTarget> => ({
	async send(_part, {call}) {
		await (phase === 'sending' ? call(request) : undefined);
		throw error;
	},
});

describe('a delivery', () => {
	test('is one settled event', async () => {
		const {deliver, events} = openDeliver();
		expect(await deliver(delivery, {signal: neverAborted()})).toEqual({kind: 'delivered', target: 'log'});
		expect(events).toEqual([
			{
				type: 'delivery.settled',
				delivery: 'delivery-1',
				route: 'github',
				target: 'log',
				outcome: 'delivered',
				code: undefined,
			},
		]);
	});

	test('to a platform is published when it begins and when it is over, with the run that wrote it', async () => {
		const {deliver, events} = openDeliver({name: 'telegram'});
		await deliver({...delivery, target: 'telegram', runId: 'r1', key: 'm1'}, {signal: neverAborted()});
		const names = {delivery: 'delivery-1', messageId: 'm1', runId: 'r1', route: 'github', target: 'telegram'};
		expect(events).toEqual([
			{type: 'delivery.started', ...names},
			{type: 'delivery.settled', ...names, outcome: 'delivered', code: undefined},
		]);
	});

	test('to a target that is not there fails with unknown_target', async () => {
		const {publish, ofType} = recordEvents();
		const {platforms} = {platforms: {refusal: () => undefined, forgetTokens: () => undefined}};
		const context = () => {
			throw new Error('nothing is asked of a target that is not there');
		};
		const deliver = createDeliver({clock: createFakeClock(), publish, platforms: {...platforms, context}});
		expect(await deliver({...delivery, target: 'pager'}, {signal: neverAborted()})).toMatchObject({
			kind: 'failed',
			problem: {code: 'unknown_target', message: expect.stringContaining('"pager" is not a known delivery target')},
		});
		expect(ofType('delivery.settled')).toMatchObject([{target: 'pager', outcome: 'failed', code: 'unknown_target'}]);
	});

	test('to a platform that cannot be used sends nothing', async () => {
		const refusal = () => new Problem('platform_unusable', {message: 'no token'});
		const {deliver, parts, ofType} = openDeliver({name: 'telegram'}, {refusal});
		expect(await deliver(delivery, {signal: neverAborted()})).toMatchObject({
			kind: 'failed',
			problem: {message: 'Delivery failed', detail: 'no token'},
		});
		expect([parts, ofType('delivery.started')]).toEqual([[], []]);
	});

	test('that was called off before it began sends nothing', async () => {
		const {deliver, parts} = openDeliver();
		const signal = AbortSignal.abort(new Error('over'));
		expect(await deliver(delivery, {signal})).toMatchObject({kind: 'failed', problem: {detail: 'over'}});
		expect(parts).toEqual([]);
	});

	test('leaves no timer behind', async () => {
		const {clock, deliver} = openDeliver();
		await deliver(delivery, {signal: neverAborted()});
		expect(clock.open()).toBe(0);
	});

	test.each(['', ' \n\t '])('of the empty text %j fails', async text => {
		const {deliver, parts} = openDeliver({name: 'slack'});
		expect(await deliver({...delivery, text}, {signal: neverAborted()})).toMatchObject({
			problem: {detail: 'the message is empty'},
		});
		expect(parts).toEqual([]);
	});

	test('shows control characters as symbols and replaces halves of characters', async () => {
		const {deliver, parts} = openDeliver();
		await deliver({...delivery, text: 'a\u0000\u001B[2J\u007F\u009B\uD800\r\nb\tc'}, {signal: neverAborted()});
		expect(parts.map(({text}) => text)).toEqual(['a␀␛[2J␡\uFFFD\uFFFD\nb\tc']);
	});
});

describe('a target that fails', () => {
	test('with a refusal has a generic message, the words of the platform go to the log', async () => {
		const {deliver, ofType} = openDeliver({send: async () => ({kind: 'refused', detail: 'chat \u001B[2Jnot found'})});
		expect(await deliver(delivery, {signal: neverAborted()})).toMatchObject({
			kind: 'failed',
			problem: {code: 'delivery_failed', message: 'Delivery failed'},
		});
		expect(ofType('log')).toEqual([{type: 'log', level: 'error', area: 'delivery', text: 'log: chat ␛[2Jnot found'}]);
	});

	test.each([
		{what: 'an error', error: new Error('broken pipe')},
		{what: 'a problem', error: new Problem('connect_failed', {message: 'broken pipe'})},
		{what: 'a text', error: 'broken pipe'},
	])('with $what of its own may have sent something', async ({error}) => {
		const {deliver} = openDeliver(failingWith(error));
		expect(await deliver(delivery, {signal: neverAborted()})).toMatchObject({
			kind: 'uncertain',
			problem: {code: 'outcome_uncertain', detail: 'it may have arrived: broken pipe'},
		});
	});

	test('before its first request has sent nothing, so the sender may send it again', async () => {
		const {deliver} = openDeliver(failingWith(new Error('ssl_verify: the file cannot be read'), 'preparing'));
		expect(await deliver(delivery, {signal: neverAborted()})).toMatchObject({
			kind: 'failed',
			problem: {code: 'delivery_failed', detail: 'ssl_verify: the file cannot be read'},
		});
	});

	test('for its deliver_extra sends nothing', async () => {
		const {deliver, parts} = openDeliver({refuse: () => 'deliver_extra.repo is missing'});
		expect(await deliver(delivery, {signal: neverAborted()})).toMatchObject({
			kind: 'failed',
			problem: {message: 'Delivery failed', detail: 'deliver_extra.repo is missing'},
		});
		expect(parts).toEqual([]);
	});

	test('for a stale token is asked once more with a fresh one', async () => {
		let attempts = 0;
		const {deliver, forgotten} = openDeliver({
			send: async () => (++attempts === 1 ? {kind: 'stale-token', detail: 'expired'} : {kind: 'sent'}),
		});
		expect(await deliver(delivery, {signal: neverAborted()})).toMatchObject({kind: 'delivered'});
		expect(forgotten()).toBe(1);
	});
});

describe('a message of several parts', () => {
	const text = Array.from({length: 30}, (_, line) => `line ${line}`).join('\n');

	test('is sent in order, each part under a key of its own', async () => {
		const {deliver, parts} = openDeliver();
		await deliver({...delivery, text, key: 'answer-1'}, {signal: neverAborted()});
		expect(parts.map(part => part.index)).toEqual([0, 1, 2]);
		expect(new Set(parts.map(part => part.repeatKey)).size).toBe(3);
		expect(parts.map(part => part.text).join('\n')).toBe(text);
	});

	test('has the same keys whenever the same message is sent', async () => {
		const {deliver, parts} = openDeliver();
		await deliver({...delivery, key: 'answer-1'}, {signal: neverAborted()});
		await deliver({...delivery, key: 'answer-1'}, {signal: neverAborted()});
		await deliver({...delivery}, {signal: neverAborted()});
		const [first, second, other] = parts.map(part => part.repeatKey);
		expect({isSame: first === second, isOther: first !== other}).toEqual({isSame: true, isOther: true});
	});

	test('is uncertain after the part that fails, and says what arrived before', async () => {
		const {deliver, parts} = openDeliver({
			send: async ({index}) => (index === 1 ? {kind: 'refused', detail: 'blocked'} : {kind: 'sent'}),
		});
		expect(await deliver({...delivery, text}, {signal: neverAborted()})).toMatchObject({
			kind: 'uncertain',
			problem: {detail: 'it may have arrived: 1 of 3 parts arrived; then: blocked'},
		});
		expect(parts).toHaveLength(2);
	});

	test('is numbered where parts may overtake one another', async () => {
		const {deliver, parts} = openDeliver({parts: 'numbered'});
		await deliver({...delivery, text}, {signal: neverAborted()});
		expect(parts.map(part => part.text.slice(0, 6))).toEqual(['(1/3) ', '(2/3) ', '(3/3) ']);
		expect(Math.max(...parts.map(part => part.text.length))).toBeLessThanOrEqual(100);
	});
});

describe('a target that never answers', () => {
	const hanging: Partial<DeliveryTarget> = {send: () => new Promise(() => {})};

	test('is uncertain after thirty seconds, not before', async () => {
		const {clock, deliver, ofType} = openDeliver(hanging);
		const result = deliver(delivery, {signal: neverAborted()});
		await clock.advance(29_999);
		expect(ofType('delivery.settled')).toEqual([]);
		await clock.advance(1);
		expect(await result).toMatchObject({
			kind: 'uncertain',
			problem: {code: 'outcome_uncertain', detail: 'it may have arrived: no answer within 30 seconds'},
		});
	});

	test('is given up as soon as the caller gives up', async () => {
		const {deliver, clock} = openDeliver(hanging);
		const controller = new AbortController();
		const result = deliver(delivery, {signal: controller.signal});
		await clock.settle();
		controller.abort(new Error('the gateway stops'));
		expect(await result).toMatchObject({
			kind: 'uncertain',
			problem: {detail: expect.stringContaining('the gateway stops')},
		});
	});

	test('sees the deadline as an aborted signal', async () => {
		const seen: AbortSignal[] = [];
		const {clock, deliver} = openDeliver({
			send(_part, {signal}) {
				seen.push(signal);
				return new Promise(() => {});
			},
		});
		const result = deliver(delivery, {signal: neverAborted()});
		await clock.advance(30_000);
		await result;
		expect(seen.map(signal => signal.aborted)).toEqual([true]);
	});
});

describe('the chat of a delivery', () => {
	const chats = {kind: 'named', grammar: /^[a-z]+$/u, words: 'a name'} as const;
	const settings = {...unset, homeChannel: 'home'};
	const rows: ReadonlyArray<readonly [extra: Delivery['extra'], expected: string]> = [
		[{}, 'home'],
		[{chat_id: null}, 'home'],
		[{chat_id: 'other'}, 'other'],
		[{chat_id: ''}, 'deliver_extra.chat_id is empty'],
		[{chat_id: []}, 'deliver_extra.chat_id is empty'],
	];
	test.each(rows)('%j leads to %s, for a target that needs one or not', (extra, expected) => {
		for (const kind of ['named', 'optional'] as const) {
			const choice = chooseChat({...chats, kind}, {extra, settings});
			expect(choice.kind === 'chat' ? choice.chat : choice.detail).toBe(expected);
		}
	});
});
