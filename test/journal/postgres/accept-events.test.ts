import {describe, expect, test} from 'vitest';
import {openJournalAnywhere} from '../../../source/journal/open-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
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
