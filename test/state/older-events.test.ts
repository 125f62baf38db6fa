import {describe, expect, test} from 'vitest';
import {listedEvents, maxOlderEvents, nextOlder, type StoredEvent} from '../../source/state/entities/older-events.ts';
import {type OlderEventsPage} from '../../source/state/view-event.ts';
import {reduceAll, ringLimits} from '../../source/state/reduce.ts';
import {emptySnapshot, type EventRow, type Snapshot} from '../../source/state/snapshot.ts';
import {stamp} from '../tui/sample-events.ts';

const webhookAt = (time: number): StoredEvent => ({
	type: 'webhook.settled',
	eventId: `e${time}`,
	route: 'push',
	event: 'push',
	deliveryId: `d${time}`,
	status: 202,
	outcome: 'accepted',
	ms: 1,
	time,
	profile: 'default',
});
const live = (from: number, count: number) =>
	Array.from({length: count}, (_, index): EventRow => ({...webhookAt(from + index), seq: from + index}));
const page = (before: number | null, times: readonly number[], next: number | null): OlderEventsPage => ({
	before,
	events: times.map(webhookAt),
	next,
});
const after = (snapshot: Snapshot, ...pages: readonly OlderEventsPage[]) =>
	pages.reduce((current, one) => reduceAll(current, stamp([{type: 'view.older-events', ...one}])), snapshot);
const times = (snapshot: Snapshot) => listedEvents(snapshot).map(({time}) => time);
const withEvents = (...events: readonly EventRow[]) => reduceAll(emptySnapshot, events);

describe('pages of older events', () => {
	test('come before those of the gateway, each event once, with numbers of their own', () => {
		const snapshot = after(withEvents(...live(100, 3)), page(101, [98, 99, 100], 98), page(98, [1, 2], null));
		expect(times(snapshot)).toEqual([1, 2, 98, 99, 100, 101, 102]);
		expect(new Set(listedEvents(snapshot).map(({seq}) => seq)).size).toBe(7);
	});

	test.each<readonly [string, Snapshot, number | null | undefined]>([
		['now, where nothing has happened', emptySnapshot, null],
		['the oldest event, that millisecond included', withEvents(...live(100, 3)), 101],
		['the last page', after(withEvents(...live(100, 3)), page(101, [98], 98)), 98],
		['nothing more, where the journal has no more', after(emptySnapshot, page(null, [98], null)), undefined],
	])('are asked for from %s', (_, snapshot, before) => {
		expect(nextOlder(snapshot)).toBe(before);
	});

	test('that were asked for from another place change nothing', () => {
		const snapshot = after(withEvents(...live(100, 1)), page(101, [98], 98));
		expect(times(after(snapshot, page(50, [10], null)))).toEqual([98, 100]);
	});

	test('stay without a gap while events leave the list of the gateway', () => {
		const full = after(withEvents(...live(1000, ringLimits.events)), page(1001, [7, 8], 7));
		const more = reduceAll(full, live(1000 + ringLimits.events, 3));
		expect(more.events).toHaveLength(ringLimits.events);
		expect(times(more)).toEqual([7, 8, ...live(1000, ringLimits.events + 3).map(({time}) => time)]);
		expect(nextOlder(more)).toBe(7);
	});

	test('are dropped where more events came at once than the list holds', () => {
		const snapshot = after(withEvents(...live(1000, 5)), page(1001, [7], 7));
		const flooded = reduceAll(snapshot, live(2000, ringLimits.events + 10));
		expect(flooded.olderEvents).toBeUndefined();
		expect(times(flooded)[0]).toBe(2010);
	});

	test('are bounded, and then none is asked for', () => {
		const many = Array.from({length: maxOlderEvents + 5}, (_, index) => index);
		const snapshot = after(withEvents(...live(90_000, 2)), page(90_001, many, 3));
		expect(times(snapshot)).toHaveLength(maxOlderEvents + 2);
		expect([times(snapshot)[0], nextOlder(snapshot), snapshot.olderEvents?.reach]).toEqual([5, undefined, 'bound']);
	});
});
