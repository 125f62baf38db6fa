import {expect, test} from 'vitest';
import {type StoredEvent} from '../../source/state/entities/older-events.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {finished, sampleTime, started, webhook} from './sample-events.ts';

const many = (count: number): readonly GatewayEventBody[] =>
	Array.from({length: count}, (_, index) => finished(`c${index}`, {server: `server${index}`}));
const older = (name: string, time: number): StoredEvent => ({
	type: 'webhook.settled',
	eventId: `event of ${name}`,
	route: name,
	event: 'push',
	deliveryId: name,
	status: 202,
	outcome: 'accepted',
	ms: 1,
	time,
	profile: 'default',
});
const page = (before: number | null, next: number | null, ...names: readonly string[]) =>
	({type: 'view.older-events', before, next, events: names.map((name, index) => older(name, index))}) as const;
const asked = (before: number | null) => ({method: 'events.older', params: {before}, profile: undefined});

test('a list that does not fill the screen reads older events when it is opened, and says so until they are there', async () => {
	const dashboard = await openDashboard({events: [started()]});
	await dashboard.press('3');
	await dashboard.shows('asking the gateway …');
	expect(dashboard.older).toEqual([asked(null)]);
	await dashboard.dispatch(page(null, null, 'yesterday'));
	await dashboard.shows('yesterday');
	await dashboard.press('k');
	expect(dashboard.older).toHaveLength(1);
});

test('without any, the list says that there are none', async () => {
	const dashboard = await openDashboard({events: [started()]});
	await dashboard.press('3');
	await dashboard.dispatch(page(null, null));
	await dashboard.shows('no events yet');
});

test('the cursor is on the newest event while the list follows', async () => {
	const {press, shows, dispatch} = await openDashboard({events: [started(), ...many(30)]});
	await press('3');
	await shows('3 Events · following · 30');
	await shows('> 22:13:20 ● ok            server29');
	await dispatch(webhook('newest'));
	await shows('following · 31');
	await shows('> 22:13:20 ● accepted      newest');
});

test.each([
	['up, past a page before the oldest', [], 'k'],
	['down in the reversed list', ['O'], 'j'],
])('the way to the oldest event asks for older ones once: %s', async (_, before, key) => {
	const dashboard = await openDashboard({events: [started(), ...many(60)]});
	for (const one of ['3', ...before]) {
		await dashboard.press(one);
	}

	for (let index = 0; index < 30; index++) {
		await dashboard.press(key);
	}

	expect(dashboard.older).toEqual([]);
	for (let index = 0; index < 29; index++) {
		await dashboard.press(key);
	}

	expect(dashboard.older).toEqual([asked(sampleTime + 1)]);
	await dashboard.reply('events.older', page(sampleTime + 1, 5, 'monday', 'tuesday'));
	await dashboard.shows('62');
	for (let index = 0; index < 5; index++) {
		await dashboard.press(key);
	}

	await dashboard.shows('monday');
	expect(dashboard.older).toEqual([asked(sampleTime + 1), asked(5)]);
});

test('an event from the journal is replayed and traced like any other', async () => {
	const {press, dispatch, shows, sent} = await openDashboard({events: [started()]});
	await press('3');
	await dispatch(page(null, null, 'yesterday'));
	await shows('yesterday');
	await press('e');
	await shows('Replay claimed event "push" of yesterday?');
	await press('n');
	await press('\r');
	expect(sent).toEqual([
		{method: 'traces.view', params: {subject: {kind: 'event', id: 'event of yesterday'}}, profile: 'default'},
	]);
});

test('a refusal is shown, and the next move asks again', async () => {
	const dashboard = await openDashboard({events: [started()]});
	await dashboard.press('3');
	await dashboard.refuse('events.older', 'storage_unavailable');
	await dashboard.shows('refused: ');
	await dashboard.press('k');
	expect(dashboard.older).toEqual([asked(null), asked(null)]);
});
