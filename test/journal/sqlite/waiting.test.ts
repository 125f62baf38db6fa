import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createTables} from '../../../source/journal/sqlite/transactions.ts';
import {applySchema, inTransaction} from '../../../source/journal/sqlite/database.ts';
import {sampleRun} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {queuedColumns} from '../../../source/journal/rows/columns.ts';

const steps = fc.array(
	fc.tuple(
		fc.constantFrom('queue', 'take', 'finish', 'again', 'put', 'close', 'begin', 'requeue', 'rollback', 'elsewhere'),
		fc.integer({min: 0, max: 3}),
	),
	{maxLength: 30},
);

function open(path: string) {
	const database = new DatabaseSync(path);
	database.exec('PRAGMA synchronous = OFF');
	applySchema(database);
	return {...createTables(database), database, write: (work: () => void) => inTransaction(database, work)};
}

test('the number of what waits is that of the queued runs and open windows, whatever happens to them', () => {
	const directory = temporaryDirectory();
	let files = 0;
	fc.assert(
		fc.property(steps, list => {
			const path = join(directory, `${files++}.db`);
			const {database, runs, queue: queued, windows, write} = open(path);
			const elsewhere = open(path);
			const window = (place: number) => ({route: 'r', key: String(place)});
			let made = 0;
			const waitingRun = () => queuedColumns(sampleRun({id: String(made++)}));
			const queue = () => queued.insert(waitingRun());
			const actions: Readonly<Record<(typeof list)[number][0], (place: number) => void>> = {
				queue: () => write(queue),
				take: place => write(() => queued.leave(String(place), {state: 'inbox', now: 1})),
				finish: place => write(() => runs.setState(String(place), {state: 'finished', now: 2})),
				again: () => write(() => runs.moveAbandoned('inbox', {state: 'queued', now: 3})),
				put: place => write(() => windows.put(window(place), queuedColumns(sampleRun()))),
				close: place => write(() => windows.take(window(place))),
				begin: place => write(() => queued.leave(String(place), {state: 'running', now: 1})),
				requeue: place => write(() => queued.comeBack(String(place), {now: 2})),
				rollback() {
					const fail = () => {
						queue();
						throw new Error('undone');
					};

					expect(() => write(fail)).toThrow('undone');
				},
				elsewhere: () => elsewhere.write(() => elsewhere.queue.insert(waitingRun())),
			};
			for (const [step, place] of list) {
				actions[step](place);
			}

			const counted = database
				.prepare(`SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count`)
				.get()?.['count'];
			expect(queued.count()).toBe(counted);
			elsewhere.database.close();
			database.close();
		}),
		{numRuns: 100},
	);
});
