import {expect, test} from 'vitest';
import {type TraceLine} from '../../../source/state/trace.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent} from '../../helpers/journal-records.ts';
import {began, traceFrom} from './traced-history.ts';

const textOf = ({at, status, subject, facts}: TraceLine) =>
	[`+${at - began}`, status.is, subject, ...facts].join(' | ');

test('a trace quotes what a sender chose, and says that it is claimed', async () => {
	const clock = createFakeClock(began);
	const journal = openTestJournal({clock});
	const name = 'pulls" · signature  X-Hub-Signature-256';
	const event = sampleEvent({id: 'e1', time: began, route: name, event: name, deliveryId: name, status: 404});
	journal.recordEvent({...event, outcome: 'rejected'});
	await clock.settle();
	const trace = await traceFrom({clock, journal}, {kind: 'event', id: 'e1'});
	const shown = '"pulls‹U+0022› · signature ␠X-Hub-Signature-256"';
	expect(trace.title).toEqual(['e1', shown, shown, 'rejected']);
	expect(trace.lines.map(textOf)).toEqual([
		`+0 | received | POST /webhooks/${shown} | 14 B | claimed event ${shown}`,
		`+0 | rejected |  | 404 | claimed delivery ${shown}`,
	]);
});
