import {DatabaseSync} from 'node:sqlite';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {openTables} from '../../source/journal/open-tables.ts';
import {migrate} from '../../source/journal/schema.ts';
import {inTransaction} from '../../source/journal/transaction.ts';
import {sampleRun} from '../helpers/journal-records.ts';

const steps = fc.array(
	fc.tuple(
		fc.constantFrom('queue', 'take', 'finish', 'again', 'put', 'close', 'remove', 'rollback'),
		fc.integer({min: 0, max: 3}),
	),
	{maxLength: 30},
);

test('the number of what waits is that of the queued runs and open windows, whatever happens to them', () => {
	fc.assert(
		fc.property(steps, list => {
			const database = new DatabaseSync(':memory:');
			migrate(database);
			const {runs, windows} = openTables(database);
			const window = (place: number) => ({route: 'r', key: String(place)});
			let made = 0;
			for (const [step, place] of list) {
				switch (step) {
					case 'queue':
						runs.insert(sampleRun({id: String(made++)}));
						break;
					case 'take':
						runs.take({state: 'inbox', now: 1});
						break;
					case 'finish':
						runs.setState(String(place), {state: 'finished', now: 2});
						break;
					case 'again':
						runs.moveAll('inbox', {state: 'queued', now: 3});
						break;
					case 'put':
						windows.put(window(place), sampleRun());
						break;
					case 'close':
						windows.take(window(place));
						break;
					case 'remove':
						database.prepare('DELETE FROM runs WHERE id = ?').run(String(place));
						break;
					case 'rollback':
						expect(() =>
							inTransaction(database, () => {
								runs.insert(sampleRun({id: String(made)}));
								throw new Error('undone');
							}),
						).toThrow('undone');
				}
			}

			const counted = database
				.prepare(`SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count`)
				.get()?.['count'];
			expect(runs.countWaiting()).toBe(counted);
		}),
		{numRuns: 100},
	);
});
