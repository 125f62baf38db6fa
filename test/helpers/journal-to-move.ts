import {join} from 'node:path';
import {moveJournal, type MoveProgress} from '../../source/journal/move-journal.ts';
import {movedTables} from '../../source/journal/tables/moved-rows.ts';
import {type JournalDatabase} from '../../source/journal/postgres/connection.ts';
import {createFakeClock} from './fake-clock.ts';
import {filledFrom} from './filled-journal.ts';
import {newPostgresPlace} from './journal-engines.ts';
import {acceptRun, openTestJournal, sampleRun} from './journal-records.ts';
import {neverAborted} from './never-aborted.ts';
import {administer} from './postgres-server.ts';
import {openStorageOf} from './postgres-storage.ts';
import {refusalOf} from './refusal-of.ts';
import {temporaryDirectory} from './temporary-directory.ts';

const clock = createFakeClock(filledFrom);

/** A path where no journal is yet. */
export const newFile = () => join(temporaryDirectory(), 'journal.db');

/** A journal in a file with nine rows, closed. */
export async function someJournal(): Promise<string> {
	const path = newFile();
	const journal = openTestJournal({clock, path});
	for (const id of ['one', 'two', 'three']) {
		await acceptRun(journal, sampleRun({id, eventId: `event ${id}`}));
		await journal.startCall({...someCall, id});
	}

	await journal.close();
	return path;
}

/** A call as it starts. */
export const someCall = {
	id: 'call',
	time: filledFrom,
	profile: 'default',
	server: 's',
	tool: 't',
	arguments: {},
	origin: {kind: 'command-line'},
} as const;

/** A database without a journal. */
export const newDatabase = async () => (await newPostgresPlace()).database;

type Options = {readonly signal?: AbortSignal; readonly onProgress?: (progress: MoveProgress) => void};

/** Moves the journal at `path`. */
export function move(
	path: string,
	database: JournalDatabase,
	{signal = neverAborted(), onProgress = () => undefined}: Options = {},
) {
	return moveJournal({path, database, documents: [], signal, onProgress});
}

/** The code, message and remedy that a move is refused with. */
export async function refusalToMove(path: string, database: JournalDatabase, options?: Options) {
	const {code, message, remedy} = await refusalOf(move(path, database, options));
	return {code, message, remedy};
}

/** The number of rows in the tables of a schema. */
export async function rowsIn({url, schema}: JournalDatabase): Promise<unknown> {
	const counts = movedTables.map(table => `(SELECT count(*) FROM ${schema}.${table})`);
	const [row] = await administer(url, `SELECT (${counts.join(' + ')})::integer AS rows`);
	return (row as {readonly rows: number}).rows;
}

/** A journal without rows, whose table does something at each insert. */
export async function withTrigger(table: string, body: string, when = 'BEFORE INSERT'): Promise<JournalDatabase> {
	const {database, close} = await openStorageOf();
	await close();
	const {url, schema} = database;
	const kind = when.startsWith('AFTER') ? 'CONSTRAINT TRIGGER' : 'TRIGGER';
	const deferred = when.startsWith('AFTER') ? 'DEFERRABLE INITIALLY DEFERRED' : '';
	await administer(
		url,
		`CREATE FUNCTION ${schema}.meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`,
		`CREATE ${kind} meddle ${when} ON ${schema}.${table} ${deferred} FOR EACH ROW EXECUTE FUNCTION ${schema}.meddle()`,
	);
	return database;
}
