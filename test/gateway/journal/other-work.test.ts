import {describe, expect, test} from 'vitest';
import {createOtherWork} from '../../../source/gateway/journal/other-work.ts';
import {type CallEnd, type FailedDelivery, type RunRow} from '../../../source/journal/journal.ts';
import {type OtherWork, type OtherWorkQuery} from '../../../source/journal/operations/operation-values.ts';
import {createEventBus} from '../../../source/state/event-bus.ts';
import {type GatewayEvent} from '../../../source/state/event.ts';
import {openLiveSnapshot} from '../../../source/state/gathered-snapshot.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {sampleCall, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {failing as failingHere, webhook} from '../../tui/sample-events.ts';

describe('what a poll of the others finds', () => {
	const open = () => {
		const published: unknown[] = [];
		const clock = createFakeClock();
		const eventBus = createEventBus({clock, redact: event => event});
		const live = openLiveSnapshot(eventBus);
		const note = (event: GatewayEvent) => {
			if (event.type === 'webhook.settled') {
				return [event.eventId, event.outcome, event.node];
			}

			if (event.type === 'run.state') {
				return [event.runId, event.state, event.node];
			}

			if (event.type === 'tool.started' || event.type === 'tool.finished') {
				return [event.callId, event.type === 'tool.started' ? 'started' : event.outcome, event.node];
			}

			return event.type === 'delivery.failing' || event.type === 'delivery.cleared' ? [event.id, event.type] : [];
		};

		eventBus.listenToAll(event => void published.push(note(event)));
		const news: unknown[] = [];
		eventBus.followAll(event => void news.push(note(event)));
		const asked: OtherWorkQuery[] = [];
		let found: Partial<OtherWork> = {};
		let whileAsked: () => void = () => undefined;
		const poll = createOtherWork({
			journal: {
				async listOtherWork(query) {
					asked.push(query);
					whileAsked();
					return {last: {event: 1, run: 1, call: 1}, events: [], runs: [], calls: [], failedDeliveries: [], ...found};
				},
			},
			live,
			eventBus,
			clock,
			profiles: ['default'],
			first: 'default',
		});
		return {
			asked,
			clock,
			live,
			publishOwn: eventBus.publishFor('default'),
			news: () => news.splice(0),
			meanwhile: (happen: () => void) => {
				whileAsked = happen;
			},
			poll: async (next: Partial<OtherWork>, newsSince?: number) => {
				found = next;
				await poll(newsSince);
				return published.splice(0);
			},
		};
	};

	const event = (id: string, isOpen = false) => ({...sampleEvent({id}), node: 'web-2', isOpen});
	const run = (id: string, state: RunRow['state'], node?: string) => ({...sampleRun({id}), state, changedAt: 1, node});

	test('is published, but for events and runs that were over before this gateway came', async () => {
		const {poll, asked} = open();
		expect(
			await poll({
				events: [event('old')],
				runs: [run('ended', 'finished', 'web-2'), run('goes on', 'running', 'web-2')],
			}),
		).toEqual([['goes on', 'running', 'web-2']]);
		expect(await poll({events: [event('new')], runs: [run('goes on', 'finished', 'web-2')]})).toEqual([
			['new', 'accepted', 'web-2'],
			['goes on', 'finished', 'web-2'],
		]);
		await poll({});
		expect(asked.at(-1)).toMatchObject({
			after: {event: 1, run: 1, call: 1},
			knownEvents: ['old', 'new'],
			knownRuns: [
				{id: 'ended', state: 'finished'},
				{id: 'goes on', state: 'finished'},
			],
		});
	});

	test('is published of an open event once it is over, and of a run that this gateway has begun by itself alone', async () => {
		const {poll, asked} = open();
		await poll({});
		expect(await poll({events: [event('open', true)], runs: [run('r', 'running', 'web-2')]})).toEqual([
			['r', 'running', 'web-2'],
		]);
		expect(await poll({events: [event('open')], runs: [run('r', 'queued')]})).toEqual([
			['open', 'accepted', 'web-2'],
			['r', 'queued', undefined],
		]);
		expect(asked.at(-1)?.openEvents).toEqual(['open']);
		expect(await poll({runs: [run('r', 'running')]})).toEqual([]);
		expect(asked.at(-1)?.openEvents).toEqual([]);
	});

	const call = (id: string, end?: CallEnd, isOpen = end === undefined) => ({
		...sampleCall({id}),
		...(end && {end}),
		node: 'web-2',
		isOpen,
	});
	const ok: CallEnd = {outcome: 'ok', ms: 5};

	test('is published of a call when it begins and when it ends, and of one whose gateway is gone that nobody knows how', async () => {
		const {poll, asked, live} = open();
		expect(await poll({calls: [call('old', ok), call('long'), call('left', undefined, false)]})).toEqual([
			['long', 'started', 'web-2'],
		]);
		expect(asked.at(-1)?.underWay).toBe('all');
		expect(await poll({calls: [call('quick', ok), call('lost')]})).toEqual([
			['quick', 'ok', 'web-2'],
			['lost', 'started', 'web-2'],
		]);
		expect(live.current().calls.map(({callId, node}) => [callId, node])).toEqual([
			['long', 'web-2'],
			['lost', 'web-2'],
		]);
		expect(asked.at(-1)).toMatchObject({underWay: 'new', knownCalls: ['old', 'left'], openCalls: ['long']});
		expect(await poll({calls: [call('long', ok), call('lost', undefined, false)]})).toEqual([
			['long', 'ok', 'web-2'],
			['lost', 'outcome_uncertain', 'web-2'],
		]);
		expect(live.current().calls).toEqual([]);
		await poll({});
		expect(asked.at(-1)?.openCalls).toEqual([]);
	});

	test('is, after a break, in its place among the events and no news for who follows, but for what ended since', async () => {
		const {poll, news, clock, live, asked, publishOwn} = open();
		await poll({});
		await clock.advance(3_600_000);
		const begunAt = clock.now();
		publishOwn(webhook('r', {eventId: 'own'}));
		news();
		const events = [
			{...event('missed'), time: begunAt - 60_000},
			{...event('new'), time: begunAt + 1},
		];
		const calls = [{...call('long'), time: begunAt - 5000}];
		await poll({events, calls}, begunAt);
		expect(asked.at(-1)?.underWay).toBe('all');
		expect(news()).toEqual([['new', 'accepted', 'web-2']]);
		expect(live.current().events.map(row => row.type === 'webhook.settled' && row.eventId)).toEqual([
			'missed',
			'own',
			'new',
		]);
		expect(live.current().calls.map(({startedAt}) => startedAt)).toEqual([begunAt - 5000]);
	});

	const failing = (id: string, failures = 1): FailedDelivery => ({
		id,
		profile: '',
		route: id,
		job: '',
		target: 'telegram',
		failures,
		firstAt: 1,
		lastAt: failures,
		reason: 'chat not found',
		eventId: 'e',
	});

	test('is published of failed deliveries that have come, changed and gone, and not of what is shown as it is', async () => {
		const {poll, live} = open();
		expect(await poll({failedDeliveries: [failing('a'), failing('b')]})).toEqual([
			['a', 'delivery.failing'],
			['b', 'delivery.failing'],
		]);
		expect(await poll({failedDeliveries: [failing('a', 2), failing('b')]})).toEqual([['a', 'delivery.failing']]);
		expect(await poll({failedDeliveries: [failing('b')]})).toEqual([['a', 'delivery.cleared']]);
		expect(live.current().failedDeliveries.map(({id, profile}) => [id, profile])).toEqual([['b', 'default']]);
	});

	test('is published of as many failed deliveries as are read, but for new ones, and goes on when there are fewer', async () => {
		const {poll, live} = open();
		const at = (index: number, failures = 1) => ({...failing(`f${index}`, failures), firstAt: index});
		const many = (from: number) => Array.from({length: 500}, (_, index) => at(from + index));
		await poll({failedDeliveries: many(0).slice(0, 499)});
		const full = many(1).map(row => (row.id === 'f7' ? at(7, 3) : row));
		expect(await poll({failedDeliveries: full})).toEqual([
			['f7', 'delivery.failing'],
			['f0', 'delivery.cleared'],
		]);
		expect(await poll({failedDeliveries: full})).toEqual([]);
		expect((await poll({failedDeliveries: full.slice(1)})).length).toBe(3);
		expect(live.current().failedDeliveries.length).toBe(499);
	});

	test('leaves failed deliveries alone that this gateway changed while the journal was asked', async () => {
		const {poll, live, meanwhile, publishOwn} = open();
		const ids = () => live.current().failedDeliveries.map(({id}) => id);
		await poll({failedDeliveries: [failing('gone')]});
		meanwhile(() => {
			publishOwn(failingHere('new'));
			publishOwn({type: 'delivery.cleared', id: 'gone', route: 'gone', target: 'telegram', by: 'person'});
		});
		await poll({failedDeliveries: [failing('gone')]});
		expect(ids()).toEqual(['failing-new']);
		meanwhile(() => undefined);
		await poll({failedDeliveries: []});
		expect(ids()).toEqual([]);
	});
});
