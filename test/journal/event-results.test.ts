import {describe, expect, test} from 'vitest';
import {type OutgoingMessageState, type Journal} from '../../source/journal/journal.ts';
import {orderedId} from '../../source/util/random-id.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {acceptRun, sampleEvent, sampleRun} from '../helpers/journal-records.ts';

function persist(journal: Journal, eventId: string, target: string, state: OutgoingMessageState): Promise<void> {
	const about = {eventId, text: 'done', extra: {}, deliveryId: 'd', route: 'github'};
	return journal.persistMessages([{...about, id: `${eventId} ${target}`, target}], state);
}

describe.each(journalEngines)('on $engine', ({open}) => {
	test.each([
		{ids: 'ordered ids', idOf: (number: number) => orderedId(1_700_000_000_000 + number)},
		{ids: 'ids of another kind', idOf: (number: number) => `event ${number}`},
	])('a list of events says what became of the run and the deliveries of each ($ids)', async ({idOf}) => {
		const journal = await open({clock: createFakeClock()});
		const [first = '', second = '', third = '', runId = '', queued = ''] = [1, 2, 3, 11, 12].map(idOf);
		const run = sampleRun({id: runId, eventId: first});
		await acceptRun(journal, run);
		await acceptRun(journal, sampleRun({id: queued, eventId: second}));
		journal.recordEvent(sampleEvent({id: third, outcome: 'rejected', status: 401}));
		await journal.setRunState(run.id, 'failed', 'no model');
		await persist(journal, first, 'telegram', 'sent');
		await persist(journal, first, 'slack', 'failed');
		const rows = await journal.listEventResults({limit: 10});
		expect(rows.map(({id, run: led, deliveries}) => ({id, led, deliveries}))).toEqual([
			{id: third, led: undefined, deliveries: []},
			{id: second, led: {id: queued, state: 'queued'}, deliveries: []},
			{
				id: first,
				led: {id: run.id, state: 'failed'},
				deliveries: [
					{target: 'slack', state: 'failed'},
					{target: 'telegram', state: 'sent'},
				],
			},
		]);
	});

	test('without events there is nothing to read', async () => {
		const journal = await open({clock: createFakeClock()});
		expect(await journal.listEventResults({limit: 10})).toEqual([]);
	});
});
