import {expect, test} from 'vitest';
import {restoreRates} from '../../source/gateway/restore-rates.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openLiveSnapshot} from '../../source/state/gathered-snapshot.ts';
import {emptySeries, lastHour, lastMinute, medianMilliseconds, type Rates} from '../../source/state/rate-series.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent} from '../helpers/journal-records.ts';
import {route, server, webhook} from '../tui/sample-events.ts';

const minute = 60_000;
const origin = {kind: 'endpoint', client: 'editor'} as const;

/** The rate known for a second after the start, from a journal that has `written`. */
async function ratesAfter(
	written: (journal: Journal, startedAt: number, clock: FakeClock) => Promise<unknown>,
	bodies: readonly GatewayEventBody[] = [route('push'), server('files')],
) {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	await written(journal, clock.now(), clock);
	const eventBus = createEventBus({clock, redact: event => event});
	const live = openLiveSnapshot(eventBus);
	const published: string[] = [];
	eventBus.listen(({type}) => void published.push(type));
	const end = restoreRates(
		{clock, eventBus, profile: 'default'},
		{journal, take: read => read(), live, startedAt: clock.now()},
	);
	bodies.forEach(eventBus.publishFor('default'));
	const before = published.length;
	await clock.advance(1000);
	await clock.settle();
	end();
	const {rates} = live.current();
	live.close();
	return {rates, added: published.slice(before), now: clock.now(), open: clock.open()};
}

const hourOf = (rates: Rates, of: keyof Rates, key: string, now: number) =>
	lastHour(rates[of][key] ?? emptySeries, now);

test('what came in and was called in the hour before the start is counted after it', async () => {
	const {rates, now} = await ratesAfter(
		async (journal, startedAt) => {
			const at = (minutes: number) => startedAt - minutes * minute;
			await journal.acceptEvent({event: sampleEvent({route: 'push', time: at(5), ms: 7})});
			await journal.acceptEvent({event: sampleEvent({route: 'push', time: at(50), ms: 7})});
			await journal.acceptEvent({event: sampleEvent({route: 'push', time: at(70)})});
			await journal.acceptEvent({event: sampleEvent({route: 'push', time: startedAt})});
			journal.recordEvent(sampleEvent({route: 'push', time: at(3), status: 401, outcome: 'rejected'}));
			for (const [id, outcome] of [
				['a', 'ok'],
				['b', 'failed'],
				['c', 'denied'],
			] as const) {
				const call = {id, time: at(2), profile: 'default', server: 'files', tool: 't', arguments: {}, origin};
				journal.recordCall(call, {outcome, ms: 12});
			}

			await journal.listEvents({limit: 1});
		},
		[route('push'), server('files'), webhook('push')],
	);
	expect(hourOf(rates, 'routes', 'default/push', now)).toEqual({count: 4, failed: 1});
	expect(lastMinute(rates.routes['default/push'] ?? emptySeries, now).count).toBe(1);
	expect(hourOf(rates, 'servers', 'default/files', now)).toEqual({count: 2, failed: 1});
	expect(medianMilliseconds(rates.servers['default/files'] ?? emptySeries)).toBe(12);
});

test('a delivery that failed counts for its route', async () => {
	const {rates, now} = await ratesAfter(async (journal, _, clock) => {
		const names = {eventId: 'e', target: 'telegram', text: 'x', extra: {}, deliveryId: 'd'};
		await journal.persistMessages([{...names, id: 'a', route: 'push'}], 'failed', 'status 403');
		await journal.persistMessages([{...names, id: 'b', route: 'push'}], 'sent');
		await clock.advance(minute);
	});
	expect(hourOf(rates, 'routes', 'default/push', now)).toEqual({count: 0, failed: 1});
});

test('names that are neither route nor server are nobody’s, and an empty journal adds nothing', async () => {
	const strange = await ratesAfter(async (journal, startedAt) => {
		await journal.acceptEvent({event: sampleEvent({route: 'x'.repeat(4000), time: startedAt - minute})});
	});
	expect(strange.added).toEqual([]);
	expect(await ratesAfter(async () => undefined)).toMatchObject({rates: {routes: {}, servers: {}}, added: [], open: 0});
});
