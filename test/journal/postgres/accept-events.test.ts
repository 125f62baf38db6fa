import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {journalEngines, newPostgresPlace} from '../../helpers/journal-engines.ts';
import {journalLimits, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';

const start = 1_700_000_000_000;

describe.runIf(hasPostgres)('two gateways on one journal', () => {
	test('accept each delivery id once, in whatever sequence each gets them', async () => {
		const clock = createFakeClock(start);
		const place = await newPostgresPlace();
		const open = () => openJournalAnywhere({...place, clock, limits: journalLimits({})});
		const journals = [await open(), await open(), await open()];
		onTestFinished(() => Promise.all(journals.map(journal => journal.close())));
		const ids = Array.from({length: 200}, (_, index) => `delivery ${index}`);
		const outcomes = await Promise.all(
			journals.flatMap((journal, index) =>
				(index % 2 === 0 ? ids : ids.toReversed()).map(deliveryId => {
					const event = sampleEvent({deliveryId, time: start});
					const run = sampleRun({eventId: event.id});
					return journal.acceptEvent({
						event,
						run,
						deduplicateUntil: start + 9,
						...(deliveryId.endsWith('7') && {windowKey: deliveryId}),
					});
				}),
			),
		);
		expect(outcomes.filter(outcome => outcome === 'accepted')).toHaveLength(200);
		expect(outcomes.filter(outcome => outcome === 'duplicate')).toHaveLength(400);
		expect(await journals[0]?.countWaitingRuns()).toBe(200);
	});
});

test.runIf(hasPostgres)('whatever comes together, every engine decides the same about it', async () => {
	const journals = await Promise.all(journalEngines.map(({open}) => open({clock: createFakeClock(start)})));
	const delivery = fc.record({
		deliveryId: fc.nat(30).map(String),
		deduplicateUntil: fc.constantFrom(undefined, start, start + 9),
		hasRun: fc.boolean(),
		isOpen: fc.boolean(),
		windowKey: fc.constantFrom(undefined, undefined, undefined, 'a', 'b'),
		queueLimit: fc.constantFrom(undefined, 5, 20, 40),
	});
	const seen = new Set<unknown>();
	await fc.assert(
		fc.asyncProperty(fc.array(delivery, {minLength: 1, maxLength: 8}), async batch => {
			const requests = batch.map(({deliveryId, hasRun, ...rest}) => {
				const event = sampleEvent({deliveryId, time: start});
				return {event, ...rest, ...(hasRun && {run: sampleRun({eventId: event.id})})};
			});
			const [first, ...others] = await Promise.all(
				journals.map(async journal => [
					await Promise.all(requests.map(request => journal.acceptEvent(request))),
					await journal.countWaitingRuns(),
				]),
			);
			others.forEach(other => expect(other).toEqual(first));
			[first?.[0]].flat().forEach(outcome => seen.add(outcome));
		}),
	);
	expect(seen).toEqual(new Set(['accepted', 'duplicate', 'open', 'queue-full']));
});
