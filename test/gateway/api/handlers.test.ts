import {describe, expect, test} from 'vitest';
import {followEvents} from '../../../source/gateway/api/handlers.ts';
import {createEventBus} from '../../../source/state/event-bus.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

function openCall() {
	const eventBus = createEventBus({clock: createFakeClock(), redact: event => event});
	const controller = new AbortController();
	const sent: unknown[] = [];
	const call = {signal: controller.signal, noteText: (json: string) => void sent.push(JSON.parse(json))};
	return {eventBus, controller, sent, call, publish: eventBus.publishFor('default')};
}

const log = (text: string) => ({type: 'log', level: 'info', area: 'test', text}) as const;

describe('a follower', () => {
	test('gets what happens from now on', () => {
		const {eventBus, sent, call, publish} = openCall();
		publish(log('before'));
		void followEvents(eventBus.listen, call);
		publish(log('after'));
		expect(sent).toMatchObject([{seq: 2, type: 'log', profile: 'default', text: 'after'}]);
	});

	test('gets nothing after it left', async () => {
		const {eventBus, controller, sent, call, publish} = openCall();
		const following = followEvents(eventBus.listen, call);
		controller.abort();
		await following;
		publish(log('late'));
		expect(sent).toEqual([]);
	});

	test('that left before it began is let go', async () => {
		const {eventBus, controller, call} = openCall();
		controller.abort();
		expect(await followEvents(eventBus.listen, call)).toEqual({});
	});
});
