import {chmodSync, closeSync, openSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {journalRemedy} from '../../util/file-remedies.ts';
import {Problem, errorText} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {schemaText, schemaVersion} from './schema.ts';

/** How long a statement waits while another process of the same user writes. */
const busyTimeoutMilliseconds = 2000;

/** 8 MiB: a checkpoint waits for the disk several times, so it must run rarely, yet not be so large that it delays responses. */
const checkpointPages = 2048;

/**
Opens or creates the file (0600), creates the tables of a new one, and returns the result of `open`.
Throws `storage_unavailable` with the path in its message; nothing stays open then.
*/
export function openDatabase<Opened>(path: string, open: (database: DatabaseSync) => Opened): Opened {
	let database: DatabaseSync | undefined;
	try {
		// SQLite gives its side files (-wal, -shm) the mode of this one.
		closeSync(openSync(path, 'a', 0o600));
		chmodSync(path, 0o600);
		database = new DatabaseSync(path);
		database.exec(`PRAGMA busy_timeout = ${busyTimeoutMilliseconds}`);
		// A file that is not ours is left as it is.
		checkVersion(database);
		setPragmas(database);
		applySchema(database);
		return open(database);
	} catch (caught) {
		database?.close();
		const why = caught instanceof Problem ? caught.message : 'The journal cannot be opened';
		throw new Problem('storage_unavailable', {
			message: `${why}: ${safeText(path)}`,
			detail: errorText(caught),
			remedy: journalRemedy(path, caught instanceof Problem || isDamage(caught) ? 'damaged' : 'unusable'),
			cause: caught,
		});
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

/** SQLITE_CORRUPT and SQLITE_NOTADB: the content of the file cannot be read (https://www.sqlite.org/rescode.html). */
const damageCodes: ReadonlySet<number> = new Set([11, 26]);

/** True for an error that says that the file is damaged. */
export function isDamage(caught: unknown): boolean {
	const error = caught instanceof Problem ? caught.cause : caught;
	return (
		error instanceof Error &&
		'errcode' in error &&
		typeof error.errcode === 'number' &&
		damageCodes.has(error.errcode % 256)
	);
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
