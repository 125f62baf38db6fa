import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {applySchema} from '../../../source/journal/sqlite/database.ts';
import {createQuery} from '../../../source/journal/sqlite/query.ts';
import {sqliteDialect} from '../../../source/journal/tables/dialect.ts';
import {createTables} from '../../../source/journal/tables/transactions.ts';
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
	const owner = {instanceId: null, clockAhead: 0};
	const write = async (work: () => Promise<unknown>) => {
		database.exec('BEGIN IMMEDIATE');
		try {
			await work();
			database.exec('COMMIT');
		} catch (caught) {
			database.exec('ROLLBACK');
			throw caught;
		}
	};

	return {...createTables({query: createQuery(database), dialect: sqliteDialect, owner}), database, write};
}

test('the number of what waits is that of the queued runs and open windows, whatever happens to them', async () => {
	const directory = temporaryDirectory();
	let files = 0;
	await fc.assert(
		fc.asyncProperty(steps, async list => {
			const path = join(directory, `${files++}.db`);
			const {database, runs, queue: queued, windows, write} = open(path);
			const elsewhere = open(path);
			const window = (place: number) => ({route: 'r', key: String(place), windowSeconds: 1, maxWaitSeconds: 2});
			let made = 0;
			const waitingRun = () => queuedColumns(sampleRun({id: String(made++)}));
			const queue = () => queued.insert(waitingRun());
			const actions: Readonly<Record<(typeof list)[number][0], (place: number) => Promise<unknown>>> = {
				queue: () => write(queue),
				take: place => write(() => queued.leave([String(place)], {state: 'inbox', now: 1})),
				finish: place => write(() => runs.setState(String(place), {state: 'finished', now: 2})),
				again: () => write(() => runs.moveAbandoned('inbox', {state: 'queued', now: 3})),
				put: place => write(() => windows.put(window(place), queuedColumns(sampleRun()))),
				close: place => write(() => windows.take(window(place))),
				begin: place => write(() => queued.leave([String(place)], {state: 'running', now: 1})),
				requeue: place => write(() => queued.comeBack(String(place), {now: 2})),
				async rollback() {
					const fail = async () => {
						await queue();
						throw new Error('undone');
					};

					await expect(write(fail)).rejects.toThrow('undone');
				},
				elsewhere: () => elsewhere.write(() => elsewhere.queue.insert(waitingRun())),
			};
			for (const [step, place] of list) {
				await actions[step](place);
			}

			const counted = database
				.prepare(`SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count`)
				.get()?.['count'];
			expect(await queued.count()).toBe(counted);
			elsewhere.database.close();
			database.close();
		}),
		{numRuns: 100},
	);
});
