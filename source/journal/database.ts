import {chmodSync, closeSync, openSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {Problem, errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {schemaText, schemaVersion} from './schema.ts';

/** How long a statement waits for another process of the same user that is writing. */
const busyTimeoutMilliseconds = 2000;

/** 8 MiB: a checkpoint waits for the disk several times over, so it must not come with every hundredth call, nor hold up answers for long. */
const checkpointPages = 2048;

/**
Opens or creates the file (0600), gives a new one its tables, and returns what `open` makes of it.
Throws `storage_unavailable`, whose message names the path, and then leaves nothing open.
*/
export function openDatabase<Opened>(path: string, open: (database: DatabaseSync) => Opened): Opened {
	let database: DatabaseSync | undefined;
	try {
		// SQLite gives its side files (-wal, -shm) the mode of this one.
		closeSync(openSync(path, 'a', 0o600));
		chmodSync(path, 0o600);
		database = new DatabaseSync(path);
		setPragmas(database);
		applySchema(database);
		return open(database);
	} catch (caught) {
		database?.close();
		const why = caught instanceof Problem ? caught.message : 'The journal cannot be opened';
		throw new Problem('storage_unavailable', {
			message: `${why}: ${safeText(path)}`,
			detail: errorText(caught),
			cause: caught,
		});
	}
}

/** WAL with FULL: a commit is on the disk before it is reported. Incremental vacuum lets pruning give space back. */
function setPragmas(database: DatabaseSync): void {
	database.exec(`
		PRAGMA busy_timeout = ${busyTimeoutMilliseconds};
		PRAGMA auto_vacuum = INCREMENTAL;
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		PRAGMA wal_autocheckpoint = ${checkpointPages};
		PRAGMA journal_size_limit = ${64 * 1024 * 1024};
	`);
}

/** Creates the tables of an empty database, all or none. Throws `storage_unavailable` for a database with another schema, and leaves that alone. */
export function applySchema(database: DatabaseSync): void {
	if (versionOf(database) === 0) {
		inTransaction(database, () => {
			// Read again inside the transaction: another process may have opened the same new file.
			if (versionOf(database) === 0) {
				database.exec(schemaText);
				database.exec(`PRAGMA user_version = ${schemaVersion}`);
			}
		});
	}

	const version = versionOf(database);
	if (version !== schemaVersion) {
		throw new Problem('storage_unavailable', {
			message: 'The journal was written by another version of Sluice',
			detail: `schema ${version}, expected ${schemaVersion}`,
		});
	}
}

function versionOf(database: DatabaseSync): number {
	return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Runs `work` between BEGIN and COMMIT, or rolls back and throws what went wrong. */
export function inTransaction<Value>(database: DatabaseSync, work: () => Value): Value {
	database.exec('BEGIN IMMEDIATE');
	try {
		const value = work();
		database.exec('COMMIT');
		return value;
	} catch (caught) {
		// SQLite ends the transaction itself after some errors (a full disk, for one) and leaves it open after others.
		if (database.isTransaction) {
			database.exec('ROLLBACK');
		}

		throw caught;
	}
}
