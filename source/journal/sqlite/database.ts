import {type DatabaseSync} from 'node:sqlite';
import {journalRemedy} from '../../util/file-remedies.ts';
import {Problem, errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {DamagedFile, type DatabaseFile, isDamage, openDatabaseFile} from './database-file.ts';
import {schemaText, schemaVersion} from './schema.ts';

/** 8 MiB: a checkpoint waits for the disk several times, so it must run rarely, yet not be so large that it delays responses. */
const checkpointPages = 2048;

/** What is known of a file before it is opened. Of one that was found damaged, every page is checked before anything is written. */
export type FormerState = 'unknown' | 'damaged';

/**
Opens or creates the file (0600), creates the tables of a new one, and returns the result of `open`.
Throws `storage_unavailable` with the path in its message; nothing stays open then, and the content of the file is as it was.
*/
export function openDatabase<Opened>(
	path: string,
	open: (file: DatabaseFile) => Opened,
	former: FormerState = 'unknown',
): Opened {
	let file: DatabaseFile | undefined;
	try {
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
		const why = caught instanceof Problem ? caught.message : 'The journal cannot be opened';
		throw new Problem('storage_unavailable', {
			message: `${why}: ${safeText(path)}`,
			detail: errorText(caught),
			remedy: journalRemedy(path, caught instanceof Problem || isDamage(caught) ? 'damaged' : 'unusable'),
			cause: caught,
		});
	}
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

/** Creates the tables of an empty database in one transaction. Throws `storage_unavailable` for a database with another schema and leaves it unchanged. */
export function applySchema(database: DatabaseSync): void {
	if (versionOf(database) === 0) {
		inTransaction(database, () => {
			// Check again inside the transaction: another process may have opened the same new file.
			if (versionOf(database) === 0) {
				database.exec(schemaText);
				database.exec(`PRAGMA user_version = ${schemaVersion}`);
			}
		});
	}

	checkVersion(database);
}

/** Throws `storage_unavailable` for a database with another schema; an empty one is fine. */
export function checkVersion(database: DatabaseSync): void {
	const version = versionOf(database);
	const isOurs = version === schemaVersion || (version === 0 && !hasTables(database));
	if (!isOurs) {
		throw new Problem('storage_unavailable', {
			message:
				version === 0 ? 'The file is not a journal of Sluice' : 'The journal was written by another version of Sluice',
			detail: `schema ${version}, expected ${schemaVersion}`,
		});
	}
}

function hasTables(database: DatabaseSync): boolean {
	// Version and tables of a new journal appear at once, in one transaction.
	return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined && versionOf(database) === 0;
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
		// SQLite rolls the transaction back itself after some errors (a full disk, for example) and leaves it open after others.
		if (database.isTransaction) {
			database.exec('ROLLBACK');
		}

		throw caught;
	}
}
