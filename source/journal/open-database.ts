import {chmodSync, closeSync, openSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {Problem, errorText} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {migrate} from './schema.ts';

/** How long a statement waits for another process of the same user that is writing. */
const busyTimeoutMilliseconds = 2000;

/**
Opens or creates the file (0600), brings it to the newest schema and answers what `open` makes of it.
Throws `storage_unavailable`, whose message names the path, and leaves nothing open then.
*/
export function openDatabase<Opened>(path: string, open: (database: DatabaseSync) => Opened): Opened {
	let database: DatabaseSync | undefined;
	try {
		// SQLite gives its side files (-wal, -shm) the mode of this one.
		closeSync(openSync(path, 'a', 0o600));
		chmodSync(path, 0o600);
		database = new DatabaseSync(path);
		prepare(database);
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

/** 8 MiB: a checkpoint waits for the disk several times over, so it must not come with every hundredth call, nor hold up answers for long. */
const checkpointPages = 2048;

/** WAL with FULL: a commit is on the disk before it is told. Incremental vacuum lets pruning give space back. */
function prepare(database: DatabaseSync): void {
	database.exec(`
		PRAGMA busy_timeout = ${busyTimeoutMilliseconds};
		PRAGMA auto_vacuum = INCREMENTAL;
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		PRAGMA wal_autocheckpoint = ${checkpointPages};
		PRAGMA journal_size_limit = ${64 * 1024 * 1024};
	`);
	migrate(database);
}
