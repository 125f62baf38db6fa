import {describe, expect, test} from 'vitest';
import {followEvents} from '../../source/control/follow-events.ts';
import {createHall} from '../../source/state/hall.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function openHall() {
	const hall = createHall({clock: createFakeClock(), clean: event => event});
	const controller = new AbortController();
	const sent: unknown[] = [];
	const call = {signal: controller.signal, sendEvent: (json: string) => void sent.push(JSON.parse(json))};
	return {hall, controller, sent, call, publish: hall.publishFor('default')};
}

const log = (text: string) => ({type: 'log', level: 'info', area: 'test', text}) as const;

describe('a follower', () => {
	test('gets what happens from now on', () => {
		const {hall, sent, call, publish} = openHall();
		publish(log('before'));
		void followEvents(hall.listen, call);
		publish(log('after'));
		expect(sent).toMatchObject([{seq: 2, type: 'log', profile: 'default', text: 'after'}]);
	});

	test('gets nothing after it left', async () => {
		const {hall, controller, sent, call, publish} = openHall();
		const following = followEvents(hall.listen, call);
		controller.abort();
		await following;
		publish(log('late'));
		expect(sent).toEqual([]);
	});

	test('that left before it began is let go', async () => {
		const {hall, controller, call} = openHall();
		controller.abort();
		expect(await followEvents(hall.listen, call)).toEqual({});
	});
});
