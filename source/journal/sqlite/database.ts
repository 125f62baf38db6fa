import {statSync} from 'node:fs';
import {type DatabaseSync} from 'node:sqlite';
import {type RefusingTable, type WhenEmpty} from '../operations/operation-values.ts';
import {emptyJournalRemedy, journalRemedy, otherLogRemedy} from '../../util/file-remedies.ts';
import {Problem, errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {OtherLog, DamagedFile, type DatabaseFile, isDamage, openDatabaseFile} from './database-file.ts';
import {schemaRefusal} from '../tables/schema-refusal.ts';
import {fileVersions, missingSteps, tablesOf, versionState} from '../tables/schema-steps.ts';
import {schemaText} from './schema.ts';

/** 8 MiB: a checkpoint waits for the disk several times, so it must run rarely, yet not be so large that it delays responses. */
const checkpointPages = 2048;

/** Knowledge of a file before it is opened. Every page of a `damaged` one is checked before anything is written. */
export type FormerState = 'unknown' | 'damaged';

/** The way in which a file is opened. Default: nothing is known of it, and a new one may be made. */
export type OpenOptions = {readonly former?: FormerState; readonly whenEmpty?: WhenEmpty};

/** There is no journal where there was one. */
export class EmptyFile extends Error {}

/**
Opens or creates the file (0600), creates the tables of a new one, and returns the result of `open`.
Throws `storage_unavailable` or `schema_newer` with the path in its message, or `OlderFile`; nothing stays open then, and the content of the file is as it was.
*/
export function openDatabase<Opened>(
	path: string,
	open: (file: DatabaseFile) => Opened,
	{former = 'unknown', whenEmpty = 'create'}: OpenOptions = {},
): Opened {
	let file: DatabaseFile | undefined;
	try {
		if (whenEmpty === 'refuse' && isEmptyFile(path)) {
			throw new EmptyFile('The journal that this state directory had is missing or empty');
		}

		file = openDatabaseFile(path, {
			examine(database) {
				// A file that is not ours is left as it is.
				checkVersion(database);
				if (former === 'damaged') {
					checkPages(database);
				}
			},
			prepare(database) {
				setPragmas(database);
				applySchema(database);
			},
		});
		return open(file);
	} catch (caught) {
		file?.closeAsIs();
		if (caught instanceof OlderFile) {
			throw caught;
		}

		const why =
			caught instanceof Problem || caught instanceof EmptyFile ? caught.message : 'The journal cannot be opened';
		throw new Problem(isNewer(caught) ? 'schema_newer' : 'storage_unavailable', {
			message: `${why}: ${safeText(path)}`,
			detail: errorText(caught),
			...(!isNewer(caught) && {remedy: remedyOf(caught, path)}),
			cause: caught,
		});
	}
}

function remedyOf(caught: unknown, path: string): string {
	if (caught instanceof OtherLog) {
		return otherLogRemedy(path);
	}

	return caught instanceof EmptyFile
		? emptyJournalRemedy(path)
		: journalRemedy(path, caught instanceof Problem || isDamage(caught) ? 'damaged' : 'unusable');
}

/** True where nothing is. A log without its file is damage, which is said elsewhere. */
export function isEmptyFile(path: string): boolean {
	return ['', '-wal'].every(end => (statSync(path + end, {throwIfNoEntry: false})?.size ?? 0) === 0);
}

function isNewer(caught: unknown): boolean {
	return caught instanceof Problem && caught.code === 'schema_newer';
}

/** Throws when a page of the database is damaged. */
export function checkPages(database: DatabaseSync): void {
	if (database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') {
		throw new DamagedFile('PRAGMA quick_check found damage');
	}
}

/** WAL with FULL: a commit is on disk before it is reported. Incremental vacuum returns space after pruning. */
function setPragmas(database: DatabaseSync): void {
	database.exec(`
		PRAGMA auto_vacuum = INCREMENTAL;
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		PRAGMA wal_autocheckpoint = ${checkpointPages};
		PRAGMA journal_size_limit = ${64 * 1024 * 1024};
	`);
}

/** Creates the tables of an empty database in one transaction. Throws for a database with another schema and leaves it unchanged. */
export function applySchema(database: DatabaseSync): void {
	if (versionOf(database) === 0) {
		inTransaction(database, () => {
			// Check again inside the transaction: another process may have opened the same new file.
			if (versionOf(database) === 0) {
				database.exec(schemaText);
				applySteps(database, fileVersions.first);
			}
		});
	}

	checkVersion(database);
}

/** Brings tables of this version up to date, a step at a time. Call it inside a transaction. */
export function applySteps(database: DatabaseSync, version: number): void {
	for (const step of missingSteps(version, fileVersions)) {
		database.exec(step.text);
	}

	database.exec(`PRAGMA user_version = ${fileVersions.current}`);
}

/** A file with the tables of an older version, which can be brought up to date (`upgradeFile`). */
export class OlderFile extends Error {}

/** Throws for a database with another schema: `schema_newer`, `storage_unavailable`, or `OlderFile`. An empty one is fine. */
export function checkVersion(database: DatabaseSync): void {
	const version = versionOf(database);
	if (version === 0 && !hasTables(database)) {
		return;
	}

	if (version === 0) {
		throw new Problem('storage_unavailable', {message: 'The file is not a journal of Sluice'});
	}

	const refusal = schemaRefusal(version, fileVersions);
	if (refusal) {
		throw refusal;
	}

	if (versionState(version, fileVersions) === 'older') {
		throw new OlderFile(`schema ${version}`);
	}
}

function hasTables(database: DatabaseSync): boolean {
	// Version and tables of a new journal appear at once, in one transaction.
	return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined && versionOf(database) === 0;
}

const ownTables = tablesOf(schemaText, fileVersions);

/** The tables that somebody has dropped. */
export function missingTables(database: DatabaseSync): readonly RefusingTable[] {
	const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
	const there = new Set(rows.map(({name}) => name));
	return ownTables
		.filter(table => !there.has(table))
		.sort()
		.map(table => ({table, why: 'missing'}));
}

/** The version of the schema; 0 of a new file. */
export function versionOf(database: DatabaseSync): number {
	return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Runs `work` between BEGIN and COMMIT; on an error rolls back and rethrows. */
export function inTransaction<Value>(database: DatabaseSync, work: () => Value): Value {
	database.exec('BEGIN IMMEDIATE');
	try {
		const value = work();
		database.exec('COMMIT');
		return value;
	} catch (caught) {
		rollBack(database);
		throw caught;
	}
}

/** Rolls back the transaction that is under way. SQLite does so itself after some errors (a full disk, for example) and leaves it open after others. */
export function rollBack(database: DatabaseSync): void {
	if (database.isTransaction) {
		database.exec('ROLLBACK');
	}
}
