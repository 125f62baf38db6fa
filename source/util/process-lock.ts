import {accessSync, closeSync, constants, lstatSync, openSync, rmSync, truncateSync} from 'node:fs';
import {dirname} from 'node:path';
import {type DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {type Clock, sleep} from './clock.ts';
import {makePrivateFolder} from './make-private-folder.ts';
import {systemErrorCode} from './problem.ts';
import {randomId} from './random-id.ts';

/** An exclusive lock held by one process. It ends with the process, however that ends. */
export type ProcessLock = {
	/** Releases the lock and removes the file. Releasing twice does nothing; never throws. */
	readonly release: () => void;
};

/** Garbage collection closes a database and frees its lock, so held locks stay referenced here. */
const heldDatabases = new Set<DatabaseSync>();

/** The number of attempts to lock a file that was removed between opening and locking it. */
const maximumAttempts = 32;

const pauseMilliseconds = 50;

/**
Takes the lock of the file at `path`; undefined while anyone holds it, this process included. Creates the file (0600) and its folder.
The file is an empty SQLite database with a write transaction that never ends, so the system frees it when its process dies.
No other code of this process may open and close the file: POSIX frees a process's locks on a file with any descriptor that it closes.
Rejects with the error of the system: `ENOLCK` where the file system has no locks, `ELOOP` for a symbolic link, whose file is left alone.
*/
export async function tryProcessLock(path: string): Promise<ProcessLock | undefined> {
	await makePrivateFolder(dirname(path));
	return tryProcessLockSync(path);
}

/** As `tryProcessLock`, at once, in a folder that is there. Throws the error of the system. */
export function tryProcessLockSync(path: string): ProcessLock | undefined {
	// Not imported: most commands take no lock.
	const {DatabaseSync: Database} = process.getBuiltinModule('node:sqlite');
	for (let attempt = 0; attempt < maximumAttempts; attempt++) {
		const result = lockFile(path, Database);
		if (result === 'held') {
			if (!supportsLocks(path, Database)) {
				throw withoutLocks();
			}

			return undefined;
		}

		if (typeof result === 'object') {
			return createLock(path, result);
		}
	}

	return undefined;
}

/** Takes the lock once it is free, polling every 50 ms. Rejects with the signal's reason if that aborts first, else as `tryProcessLock` does. */
export async function waitForProcessLock(path: string, clock: Clock, signal: AbortSignal): Promise<ProcessLock> {
	for (;;) {
		signal.throwIfAborted();
		const lock = await tryProcessLock(path);
		if (lock) {
			return lock;
		}

		await sleep(clock, pauseMilliseconds, signal);
	}
}

function createLock(path: string, {database, identity}: LockedFile): ProcessLock {
	heldDatabases.add(database);
	return {
		release() {
			if (!heldDatabases.delete(database)) {
				return;
			}

			try {
				if (fileIdentity(path) === identity) {
					rmSync(path, {force: true});
				}
			} catch {
				// The folder is no longer writable. The next holder reuses the file.
			} finally {
				database.close();
			}
		},
	};
}

/** In one step: closing a descriptor later would free a lock that this process has taken meanwhile. */
function makeFile(path: string): void {
	try {
		closeSync(openSync(path, 'wx', 0o600));
	} catch (error) {
		if (systemErrorCode(error) !== 'EEXIST') {
			throw error;
		}
	}
}

/** Identifies a file, as opposed to a later one at the same path; undefined when there is none. Throws ELOOP for a symbolic link. */
function fileIdentity(path: string): string | undefined {
	const stats = lstatSync(path, {bigint: true, throwIfNoEntry: false});
	if (stats?.isSymbolicLink()) {
		throw Object.assign(new Error('The lock is a symbolic link'), {code: 'ELOOP'});
	}

	return stats && `${stats.dev}/${stats.ino}/${stats.birthtimeNs}`;
}

type LockedFile = {readonly database: DatabaseSync; readonly identity: string};

/** Creates the file and opens a write transaction on it. `replaced`: it was removed meanwhile, or was not a database and is empty now. */
function lockFile(path: string, Database: typeof DatabaseSync): LockedFile | 'held' | 'replaced' {
	makeFile(path);
	const identity = fileIdentity(path);
	if (identity === undefined) {
		return 'replaced';
	}

	let database: DatabaseSync | undefined;
	try {
		const url = pathToFileURL(path);
		url.searchParams.set('mode', 'rw');
		database = new Database(url, {timeout: 0});
		// Nothing is committed, so nothing is written. The change fails where SQLite could open the file only for reading.
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1');
	} catch (error) {
		database?.close();
		return lockFailure(path, identity, error);
	}

	// The holder removes the file before it releases the lock: a lock on a removed file excludes nobody.
	if (fileIdentity(path) !== identity) {
		database.close();
		return 'replaced';
	}

	return {database, identity};
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const busy = 5;
const notDatabase = 26;
/** PERM, and the IOERR codes of RDLOCK, CHECKRESERVEDLOCK and LOCK: the errors of a file system without locks. */
const noLocks: ReadonlySet<number> = new Set([3, 2314, 3594, 3850]);

function lockFailure(path: string, identity: string, error: unknown): 'held' | 'replaced' {
	const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
	// The low byte is the kind, the rest gives details.
	const kind = code & 0xff;
	if (kind === busy) {
		return 'held';
	}

	try {
		// SQLite does not report the system's reason.
		accessSync(path, constants.R_OK | constants.W_OK);
		if (kind === notDatabase) {
			// Not removed: another process may have locked it by now.
			truncateSync(path);
			return 'replaced';
		}

		throw noLocks.has(code) ? withoutLocks(error) : error;
	} catch (reason) {
		if (fileIdentity(path) === identity) {
			throw reason;
		}

		return 'replaced';
	}
}

/** Some network file systems refuse every lock as if it were held by someone else: test with a file that nobody else knows. */
function supportsLocks(path: string, Database: typeof DatabaseSync): boolean {
	const unknownPath = `${path}.${randomId()}`;
	try {
		const result = lockFile(unknownPath, Database);
		if (typeof result === 'object') {
			result.database.close();
		}

		return result !== 'held';
	} catch {
		// No file can be created now, so this remains unknown.
		return true;
	} finally {
		rmSync(unknownPath, {force: true});
	}
}

function withoutLocks(cause?: unknown): Error {
	return Object.assign(new Error('The file system has no locks', {cause}), {code: 'ENOLCK'});
}
