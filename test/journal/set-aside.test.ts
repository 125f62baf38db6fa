import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {openConnection} from '../../source/journal/postgres/connection.ts';
import {movedRow} from '../../source/journal/rows/run-rows.ts';
import {createQuery} from '../../source/journal/sqlite/query.ts';
import {setAside} from '../../source/journal/tables/set-aside.ts';
import {type Query} from '../../source/journal/tables/query.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {sampleRun} from '../helpers/journal-records.ts';

const queued = `SELECT sequence, record FROM runs WHERE state = 'queued' ORDER BY sequence`;

/** Reads and writes the tables of a journal beside it. */
async function openTables({path, database}: JournalPlace): Promise<Query> {
	if (database) {
		const connection = await openConnection(database, {onLost: () => undefined});
		onTestFinished(() => connection.close());
		return connection.query;
	}

	const file = new DatabaseSync(path, {timeout: 5000});
	onTestFinished(() => file.close());
	return createQuery(file);
}

describe.each(journalEngines)('A row that cannot be read, in $engine,', ({newPlace, open}) => {
	test('is not set aside once somebody has ended it meanwhile', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		for (const id of ['a', 'b', 'c']) {
			await journal.queueRun(sampleRun({id, eventId: ''}));
		}

		const query = await openTables(place);
		await query(`UPDATE runs SET record = '{"id":' WHERE id <> 'c'`);
		const found = await query(queued);
		// As a person or another gateway does.
		await query(`UPDATE runs SET state = 'cancelled', reason = 'by a person' WHERE id = 'a'`);
		const rows = Promise.resolve(found);
		const queuedRuns = await setAside(query, 'runs', {schema: movedRow, rows, state: 'queued'});
		expect(queuedRuns.map(({record}) => record.id)).toEqual(['c']);
		expect(await query('SELECT id, state, reason FROM runs ORDER BY id')).toMatchObject([
			{id: 'a', state: 'cancelled', reason: 'by a person'},
			{id: 'b', state: 'unreadable', reason: expect.stringContaining('cannot be read')},
			{id: 'c', state: 'queued', reason: null},
		]);
	});
});
