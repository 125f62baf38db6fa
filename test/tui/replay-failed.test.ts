import {describe, expect, test} from 'vitest';
import {type EventRowJson} from '../../source/state/json/event.ts';
import {openWith} from './open-with.ts';
import {webhook} from './sample-events.ts';

/** An event as the journal lists it. */
const stored = (id: string): EventRowJson => ({
	id,
	time: 1,
	route: 'push',
	event: 'push',
	delivery_id: `d-${id}`,
	status: 202,
	outcome: 'accepted',
	reason: null,
	ms: 4,
	run: null,
	deliveries: [],
});
const replayed = (id: string, status = 202) => ({event_id: `again-${id}`, status, outcome: 'accepted', reason: null});

const openEvents = () =>
	openWith(
		[webhook('push', {eventId: 'e1'}), webhook('alerts', {eventId: 'e2'}), webhook('push', {eventId: 'e3', ms: 5})],
		[['3', '─ 3 Events']],
	);

describe('E in the list of events', () => {
	test('asks for the failed ones, says how many of those shown there are, and replays them in their order', async () => {
		const {press, shows, reply, sent} = await openEvents();
		await press('E');
		await shows('looking for failed events');
		expect(sent.at(-1)).toMatchObject({method: 'events.list', params: {status: 'failed', limit: 1000}});
		await reply('events.list', [stored('e3'), stored('before'), stored('e1')]);
		await shows('Replay 2 failed events? Their routes will act on them again.');
		await press('y');
		await shows('replaying 2 failed events');
		expect(sent.at(-1)).toMatchObject({method: 'events.replay-all', params: {ids: ['e1', 'e3']}});
		await reply('events.replay-all', [replayed('e1'), replayed('e3', 503)]);
		await shows('2 events replayed; 1 of them was not accepted');
	});

	test('leaves out what the filter of the list hides', async () => {
		const {press, shows, reply, sent} = await openEvents();
		await press('/');
		await press('route:alerts');
		await press('\r');
		await press('E');
		await reply('events.list', [stored('e3'), stored('e2'), stored('e1')]);
		await shows('Replay 1 failed event? Its route will act on it again.');
		await press('y');
		expect(sent.at(-1)).toMatchObject({method: 'events.replay-all', params: {ids: ['e2']}});
		await reply('events.replay-all', [replayed('e2')]);
		await shows('1 event replayed');
	});

	test('replays nothing on a no, when nothing failed, and after another view was opened meanwhile', async () => {
		const {press, shows, hides, reply, sent} = await openEvents();
		await press('E');
		await reply('events.list', [stored('before')]);
		await shows('none of the events shown has failed');
		await press('E');
		await reply('events.list', [stored('e1')]);
		await shows('Replay 1 failed event?');
		await press('n');
		await hides('Replay 1 failed event?');
		await press('E');
		await press('4');
		await reply('events.list', [stored('e1')]);
		await shows('1 failed event found');
		await press('y');
		expect(sent.filter(one => 'method' in one && one.method === 'events.replay-all')).toEqual([]);
	});
});
