import {describe, expect, test} from 'vitest';
import {createDeliver} from '../../source/delivery/deliver.ts';
import {type DeliveryTarget} from '../../source/delivery/target.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

const live = new AbortController().signal;
const delivery = {target: 'log', text: 'hello', extra: {}, deliveryId: 'delivery-1', route: 'github'};

/** A door whose only target does what the test says. */
function openDeliver(target: Partial<DeliveryTarget>) {
	const clock = createFakeClock();
	const {publish, ofType} = recordEvents();
	const deliver = createDeliver({
		clock,
		publish,
		findTarget: () => ({name: 'log', deliver: async () => {}, ...target}),
	});
	return {clock, deliver, ofType};
}

const failingWith = (error: unknown) => ({
	async deliver() {
		throw error;
	},
});

describe('a delivery to log', () => {
	test('is delivered', async () => {
		const {publish} = recordEvents();
		const deliver = createDeliver({clock: createFakeClock(), publish});
		expect(await deliver(delivery, {signal: live})).toEqual({kind: 'delivered', target: 'log'});
	});

	test('is a log event and one settled event', async () => {
		const {publish, events} = recordEvents();
		await createDeliver({clock: createFakeClock(), publish})(delivery, {signal: live});
		expect(events).toEqual([
			{type: 'log', level: 'info', area: 'delivery', text: 'github: hello'},
			{type: 'delivery.settled', delivery: 'delivery-1', target: 'log', outcome: 'delivered', code: undefined},
		]);
	});
});

describe('a target that is not there', () => {
	test.each([
		{target: 'telegram', code: 'not_supported_yet', message: 'not supported yet: deliver telegram'},
		{target: 'pager', code: 'unknown_target', message: expect.stringContaining('unknown delivery target "pager"')},
	])('$target fails with $code', async ({target, code, message}) => {
		const {publish, ofType} = recordEvents();
		const deliver = createDeliver({clock: createFakeClock(), publish});
		const result = await deliver({...delivery, target}, {signal: live});
		expect(result).toMatchObject({kind: 'failed', problem: {code, message}});
		expect(ofType('delivery.settled')).toMatchObject([{target, outcome: 'failed', code}]);
	});
});

describe('a target that fails', () => {
	test.each([
		{what: 'an error', error: new Error('token abc refused')},
		{what: 'a problem of its own', error: new Problem('connect_failed', {message: 'token abc refused'})},
		{what: 'a text', error: 'token abc refused'},
	])('with $what is told in generic words', async ({error}) => {
		const {deliver} = openDeliver(failingWith(error));
		expect(await deliver(delivery, {signal: live})).toMatchObject({
			kind: 'failed',
			problem: {code: 'delivery_failed', message: 'Delivery failed'},
		});
	});

	test('has its own words in the log only', async () => {
		const {deliver, ofType} = openDeliver(failingWith(new Error('chat \u001B[2Jnot found')));
		await deliver(delivery, {signal: live});
		expect(ofType('log')).toEqual([{type: 'log', level: 'error', area: 'delivery', text: 'log: chat ␛[2Jnot found'}]);
		expect(ofType('delivery.settled')).toEqual([
			{type: 'delivery.settled', delivery: 'delivery-1', target: 'log', outcome: 'failed', code: 'delivery_failed'},
		]);
	});

	test('by throwing at once is a failure like any other', async () => {
		const {deliver} = openDeliver({
			deliver() {
				throw new Error('at once');
			},
		});
		expect(await deliver(delivery, {signal: live})).toMatchObject({kind: 'failed'});
	});

	test('with a refusal sends nothing', async () => {
		let sent = 0;
		const {deliver} = openDeliver({
			refuse: () => new Problem('config_invalid', {message: 'deliver_extra.repo is missing'}),
			async deliver() {
				sent++;
			},
		});
		expect(await deliver(delivery, {signal: live})).toMatchObject({
			kind: 'failed',
			problem: {message: 'Delivery failed', detail: 'deliver_extra.repo is missing'},
		});
		expect(sent).toBe(0);
	});
});

describe('a target that never answers', () => {
	const hanging = {deliver: () => new Promise<void>(() => {})};

	test('fails after thirty seconds, not before', async () => {
		const {clock, deliver, ofType} = openDeliver(hanging);
		const result = deliver(delivery, {signal: live});
		await clock.advance(29_999);
		expect(ofType('delivery.settled')).toEqual([]);
		await clock.advance(1);
		expect(await result).toMatchObject({
			kind: 'failed',
			problem: {code: 'delivery_failed', detail: 'no answer within 30 seconds'},
		});
	});

	test('fails as soon as the caller gives up', async () => {
		const {deliver} = openDeliver(hanging);
		const controller = new AbortController();
		const result = deliver(delivery, {signal: controller.signal});
		controller.abort(new Error('the gateway stops'));
		expect(await result).toMatchObject({kind: 'failed', problem: {detail: 'the gateway stops'}});
	});

	test('sees the deadline as an aborted signal', async () => {
		const seen: AbortSignal[] = [];
		const {clock, deliver} = openDeliver({
			deliver(_message, {signal}) {
				seen.push(signal);
				return new Promise(() => {});
			},
		});
		const result = deliver(delivery, {signal: live});
		await clock.advance(30_000);
		await result;
		expect(seen.map(signal => signal.aborted)).toEqual([true]);
	});
});

test('a delivery that was called off before it began sends nothing', async () => {
	let sent = 0;
	const {deliver} = openDeliver({
		async deliver() {
			sent++;
		},
	});
	expect(await deliver(delivery, {signal: AbortSignal.abort(new Error('over'))})).toMatchObject({kind: 'failed'});
	expect(sent).toBe(0);
});

test('no timer is left when an attempt is over', async () => {
	const {clock, deliver} = openDeliver({});
	await deliver(delivery, {signal: live});
	expect(clock.open()).toBe(0);
});

test('every attempt is settled once', async () => {
	const {deliver, ofType} = openDeliver(failingWith(new Error('no')));
	await deliver(delivery, {signal: live});
	await deliver(delivery, {signal: live});
	expect(ofType('delivery.settled')).toHaveLength(2);
});
