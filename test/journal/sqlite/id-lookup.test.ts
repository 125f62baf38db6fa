import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {findNamedRow} from '../../../source/journal/named-row.ts';
import {orderedId} from '../../../source/util/random-id.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {acceptRun, openTestJournal, sampleEvent, sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const start = 1_700_000_000_000;

test('a row is found by the end or the beginning of its id, among ids of older versions too', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	const [event, run] = [orderedId(start), orderedId(start + 1)];
	await acceptRun(journal, sampleRun({id: run, eventId: event}));
	await journal.acceptEvent({event: sampleEvent({id: '4f1c09d2a7be'})});
	expect([
		await findNamedRow(journal, 'event', event),
		await findNamedRow(journal, 'event', event.slice(-8)),
		await findNamedRow(journal, 'event', event.slice(0, 13)),
		await findNamedRow(journal, 'event', '4f1c'),
		await findNamedRow(journal, 'event', '09d2a7be'),
		await findNamedRow(journal, 'run', run.slice(-8)),
		await findNamedRow(journal, 'call', event.slice(-8)),
		await findNamedRow(journal, 'event', run.slice(-8)),
	]).toEqual([event, event, event, '4f1c09d2a7be', '4f1c09d2a7be', run, undefined, undefined]);
});

test('quotes and wildcards of SQL are characters like others', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	await journal.acceptEvent({event: sampleEvent({id: orderedId(start)})});
	expect([
		await findNamedRow(journal, 'event', '%%%%'),
		await findNamedRow(journal, 'event', '____'),
		await findNamedRow(journal, 'event', "' OR 1=1 --"),
	]).toEqual([undefined, undefined, undefined]);
});

test('what several rows have is refused, and too short a text is', async () => {
	const journal = openTestJournal({clock: createFakeClock()});
	const ids = [orderedId(start + 2), orderedId(start + 3)];
	await Promise.all(ids.map(id => journal.acceptEvent({event: sampleEvent({id})})));
	await expect(findNamedRow(journal, 'event', ids[0]?.slice(0, 8) ?? '')).rejects.toMatchObject({
		code: 'ambiguous_id',
		message: expect.stringContaining(ids.toReversed().join(', ')),
	});
	await expect(findNamedRow(journal, 'event', '01')).rejects.toMatchObject({code: 'bad_usage'});
});

test('among more rows than one look sees, every one counts: the oldest is found, and makes an end ambiguous', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const journal = openTestJournal({clock: createFakeClock(), path});
	const oldest = `${orderedId(start + 50).slice(0, -8)}0123zzzz`;
	const ids = Array.from({length: 25_000}, (_, index) => orderedId(start + 100 + index));
	fillCalls(path, [oldest, ...ids]);
	const slices: number[] = [];
	const counted = {
		findIds: async (query: Parameters<typeof journal.findIds>[0]) => {
			const slice = await journal.findIds(query);
			slices.push(slice.ids.length);
			return slice;
		},
	};
	expect(await findNamedRow(counted, 'call', '0123zzzz')).toBe(oldest);
	expect(slices).toEqual([0, 0, 1]);
	fillCalls(path, [`${orderedId(start + 90_000).slice(0, -8)}9999zzzz`]);
	await expect(findNamedRow(counted, 'call', 'zzzz')).rejects.toMatchObject({code: 'ambiguous_id'});
});

function fillCalls(path: string, ids: readonly string[]): void {
	const database = new DatabaseSync(path);
	const insert = database.prepare(
		`INSERT INTO calls (id, time, profile, server, read_only, record) VALUES (?, 1, '', '', 0, '{}')`,
	);
	database.exec('BEGIN');
	ids.forEach(id => insert.run(id));
	database.exec('COMMIT');
	database.close();
}
