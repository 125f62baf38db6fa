import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {openConnection} from '../../source/journal/postgres/connection.ts';
import {setAside} from '../../source/journal/postgres/set-aside.ts';
import {movedRow} from '../../source/journal/rows/run-rows.ts';
import {prepareSetAside} from '../../source/journal/sqlite/set-aside.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {sampleRun} from '../helpers/journal-records.ts';

const queued = `SELECT sequence, record FROM runs WHERE state = 'queued' ORDER BY sequence`;

/** The queue of a journal as one who looks through it has read it, and what he then sets aside. */
async function openQueue({path, database}: JournalPlace) {
	if (database) {
		const connection = await openConnection(database, {onLost: () => undefined});
		onTestFinished(() => connection.close());
		const {query} = connection;
		return {
			change: async (text: string) => void (await query(text)),
			read: query,
			setAside: (rows: readonly unknown[]) =>
				setAside(query, 'runs', {schema: movedRow, rows: Promise.resolve(rows), state: 'queued'}),
		};
	}

	const file = new DatabaseSync(path, {timeout: 5000});
	onTestFinished(() => file.close());
	return {
		change: async (text: string) => file.exec(text),
		read: async (text: string): Promise<readonly unknown[]> => file.prepare(text).all(),
		setAside: async (rows: readonly unknown[]) => prepareSetAside(file, 'runs')(movedRow, rows, 'queued'),
	};
}

describe.each(journalEngines)('A row that cannot be read, in $engine,', ({newPlace, open}) => {
	test('is not set aside once somebody has ended it meanwhile', async () => {
		const place = await newPlace();
		const journal = await open({place, clock: createFakeClock()});
		for (const id of ['a', 'b', 'c']) {
			await journal.queueRun(sampleRun({id, eventId: ''}));
		}

		const queue = await openQueue(place);
		await queue.change(`UPDATE runs SET record = '{"id":' WHERE id <> 'c'`);
		const found = await queue.read(queued);
		// As a person or another gateway does.
		await queue.change(`UPDATE runs SET state = 'cancelled', reason = 'by a person' WHERE id = 'a'`);
		expect((await queue.setAside(found)).map(({record}) => record.id)).toEqual(['c']);
		expect(await queue.read('SELECT id, state, reason FROM runs ORDER BY id')).toMatchObject([
			{id: 'a', state: 'cancelled', reason: 'by a person'},
			{id: 'b', state: 'unreadable', reason: expect.stringContaining('cannot be read')},
			{id: 'c', state: 'queued', reason: null},
		]);
	});
});
