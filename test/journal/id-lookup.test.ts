import {DatabaseSync} from 'node:sqlite';
import {Client} from 'pg';
import {describe, expect, test} from 'vitest';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {findNamedRow} from '../../source/journal/named-row.ts';
import {orderedId} from '../../source/util/random-id.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {acceptRun, sampleEvent, sampleRun} from '../helpers/journal-records.ts';

const start = 1_700_000_000_000;

describe.each(journalEngines)('on $engine', ({open, newPlace}) => {
	test('a row is found by the end or the beginning of its id, among ids of older versions too', async () => {
		const journal = await open({clock: createFakeClock()});
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
		const journal = await open({clock: createFakeClock()});
		await journal.acceptEvent({event: sampleEvent({id: orderedId(start)})});
		expect([
			await findNamedRow(journal, 'event', '%%%%'),
			await findNamedRow(journal, 'event', '____'),
			await findNamedRow(journal, 'event', "' OR 1=1 --"),
		]).toEqual([undefined, undefined, undefined]);
	});

	test('what several rows have is refused, and too short a text is', async () => {
		const journal = await open({clock: createFakeClock()});
		const ids = [orderedId(start + 2), orderedId(start + 3)];
		await Promise.all(ids.map(id => journal.acceptEvent({event: sampleEvent({id})})));
		await expect(findNamedRow(journal, 'event', ids[0]?.slice(0, 8) ?? '')).rejects.toMatchObject({
			code: 'ambiguous_id',
			message: expect.stringContaining(ids.toReversed().join(', ')),
		});
		await expect(findNamedRow(journal, 'event', '01')).rejects.toMatchObject({code: 'bad_usage'});
	});

	test('among more rows than one look sees, every one counts: the oldest is found, and makes an end ambiguous', async () => {
		const place = await newPlace();
		const journal = await open({clock: createFakeClock(), place});
		const oldest = `${orderedId(start + 50).slice(0, -8)}0123zzzz`;
		const ids = Array.from({length: 25_000}, (_, index) => orderedId(start + 100 + index));
		await fillCalls(place, [oldest, ...ids]);
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
		await fillCalls(place, [`${orderedId(start + 90_000).slice(0, -8)}9999zzzz`]);
		await expect(findNamedRow(counted, 'call', 'zzzz')).rejects.toMatchObject({code: 'ambiguous_id'});
	});
});

const columns = '(id, time, profile, server, read_only, record)';
const others = `1, 'default', 's', 0, '{}'`;

async function fillCalls({path, database}: JournalPlace, ids: readonly string[]): Promise<void> {
	if (database) {
		const client = new Client({connectionString: database.url});
		await client.connect();
		const text = `INSERT INTO ${database.schema}.calls ${columns} SELECT id, ${others} FROM unnest($1::text[]) AS id`;
		await client.query(text, [ids]);
		await client.end();
	} else {
		const file = new DatabaseSync(path);
		const text = `INSERT INTO calls ${columns} SELECT value, ${others} FROM json_each(?)`;
		file.prepare(text).run(JSON.stringify(ids));
		file.close();
	}
}
