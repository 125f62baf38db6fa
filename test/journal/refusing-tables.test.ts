import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';
import {administer} from '../helpers/postgres-server.ts';

describe.each(journalEngines)('$engine: the tables that refuse', ({newPlace, open}) => {
	test('are none of a journal that is whole, and each that was dropped', async () => {
		const place = await newPlace();
		const {path, database} = place;
		const journal = await open({clock: createFakeClock(), place});
		expect(await journal.listRefusingTables()).toEqual([]);
		if (database) {
			const {url, schema} = database;
			await administer(url, `DROP TABLE ${schema}.decisions`, `DROP TABLE ${schema}.calls CASCADE`);
		} else {
			const other = new DatabaseSync(path);
			other.exec('DROP TABLE decisions; DROP TABLE calls');
			other.close();
		}

		expect(await journal.listRefusingTables()).toMatchObject([
			{table: 'calls', why: 'missing'},
			{table: 'decisions', why: 'missing'},
		]);
		await expect(journal.listCalls({limit: 1})).rejects.toMatchObject({code: 'storage_unavailable'});
	});
});
