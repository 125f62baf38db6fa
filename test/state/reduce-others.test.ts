import {describe, expect, test} from 'vitest';
import {reduceAll, ringLimits} from '../../source/state/reduce.ts';
import {emptySeries, lastHour, lastMinute} from '../../source/state/rate-series.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {finished, route, sampleTime, server, snapshotOf, stamp, webhook} from '../tui/sample-events.ts';

describe('what other gateways of a journal do', () => {
	test('stands in its place where it came before, and counts where it happened without a trace of later ones lost', () => {
		const minute = 60_000;
		const past = {node: 'web-2', eventId: 'past'};
		const events = stamp([route('r'), webhook('r', {eventId: 'own'}), webhook('r', past)]).map(event =>
			event.type === 'webhook.settled' && event.node !== undefined ? {...event, time: event.time - 61 * minute} : event,
		);
		const inBetween = stamp([webhook('r', {...past, eventId: 'between'})], 10).map(event => ({
			...event,
			time: event.time - 2 * minute,
		}));
		const snapshot = reduceAll(emptySnapshot, [...events, ...inBetween]);
		const ids = snapshot.events.map(row => row.type === 'webhook.settled' && row.eventId);
		expect(ids).toEqual(['past', 'between', 'own']);
		const series = snapshot.rates.routes['default/r'] ?? emptySeries;
		expect([lastMinute(series, sampleTime + 5000).count, lastHour(series, sampleTime + 5000).count]).toEqual([1, 2]);
	});

	test('pushes nothing newer out of a full ring where it came long before', () => {
		const own = stamp(Array.from({length: ringLimits.events}, (_, index) => webhook('r', {eventId: `own-${index}`})));
		const past = stamp([webhook('r', {node: 'web-2', eventId: 'past'})]).map(event => ({...event, time: 0}));
		const {events} = reduceAll(reduceAll(emptySnapshot, own), past);
		expect(events.map(row => row.type === 'webhook.settled' && row.eventId)).toEqual(
			own.map((_, index) => `own-${index}`),
		);
	});

	test('is no part of the totals of this one', () => {
		const {counters} = snapshotOf([webhook('r'), webhook('r', {node: 'web-2', outcome: 'rejected', status: 401})]);
		expect(counters).toEqual({webhooks: 1, webhooksRejected: 0});
	});

	test('is no call of the servers of this one', () => {
		const called = (node?: string) =>
			snapshotOf([server('github'), finished('c', {...(node !== undefined && {node})})]).rates.servers;
		expect(Object.keys(called())).toEqual(['default/github']);
		expect(called('web-2')).toEqual({});
	});
});
