import {accessSync, closeSync, constants, openSync, rmSync, statSync, truncateSync} from 'node:fs';
import {dirname} from 'node:path';
import {type DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {type Clock, sleep} from './clock.ts';
import {makePrivateFolder} from './make-private-folder.ts';
import {systemErrorCode} from './problem.ts';
import {randomId} from './random-id.ts';

/** The right of one process to what a file stands for. It ends with the process, however that ends. */
export type ProcessLock = {
	/** Gives the right back and removes the file. Releasing twice does nothing; never throws. */
	readonly release: () => void;
};

/** A database that is collected as garbage is closed, and its lock is gone: those that are held stay referenced here. */
const heldDatabases = new Set<DatabaseSync>();

/** How often the lock is tried again because its file was removed between opening and locking it. */
const maximumAttempts = 32;

const pauseMilliseconds = 50;

/**
Takes the lock that the file at `path` stands for; undefined while anybody holds it, this process included. Makes the file (0600) and its folder.
The file is an empty SQLite database with a write transaction that never ends, so the system frees it when its process dies.
Nothing else in this process may open and close the file: POSIX frees the locks of a process on a file with any descriptor that it closes.
Rejects with the error of the system, `ENOLCK` where the file system has no locks.
*/
export async function tryProcessLock(path: string): Promise<ProcessLock | undefined> {
	const {DatabaseSync: Database} = await import('node:sqlite');
	await makePrivateFolder(dirname(path));
	for (let attempt = 0; attempt < maximumAttempts; attempt++) {
		const result = lockFile(path, Database);
		if (result === 'held') {
			if (!supportsLocks(path, Database)) {
				throw withoutLocks();
			}

			return undefined;
		}

		if (typeof result === 'object') {
			return hold(path, result);
		}
	}

	return undefined;
}

/** Takes the lock as soon as it is free, looking every 50 ms. Rejects with the signal's reason when that aborts first, else as `tryProcessLock` does. */
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

function hold(path: string, {database, identity}: LockedFile): ProcessLock {
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
				// The folder is no longer writable. The next holder takes the file that is there.
			} finally {
				database.close();
			}
		},
	};
}

/** In one step: a descriptor that is closed later would free a lock that this process has taken meanwhile. */
function makeFile(path: string): void {
	try {
		closeSync(openSync(path, 'wx', 0o600));
	} catch (error) {
		if (systemErrorCode(error) !== 'EEXIST') {
			throw error;
		}
	}
}

/** Tells one file from another that later has the same path; undefined when there is none. */
function fileIdentity(path: string): string | undefined {
	const stats = statSync(path, {bigint: true, throwIfNoEntry: false});
	return stats && `${stats.dev}/${stats.ino}/${stats.birthtimeNs}`;
}

type LockedFile = {readonly database: DatabaseSync; readonly identity: string};

/** Makes the file and opens a write transaction on it. `replaced`: it was removed meanwhile, or held something else than a database and is empty now. */
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
		// Nothing is committed, so nothing is written. The change is what fails where SQLite could open the file for reading alone.
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1');
	} catch (error) {
		database?.close();
		return lockFailure(path, identity, error);
	}

	// Whoever held the lock removed its file before giving it back: a lock on a removed file excludes nobody.
	if (fileIdentity(path) !== identity) {
		database.close();
		return 'replaced';
	}

	return {database, identity};
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const busy = 5;
const notDatabase = 26;
/** PERM, and the IOERR codes of RDLOCK, CHECKRESERVEDLOCK and LOCK: what a file system without locks answers. */
const noLocks: ReadonlySet<number> = new Set([3, 2314, 3594, 3850]);

function lockFailure(path: string, identity: string, error: unknown): 'held' | 'replaced' {
	const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
	// The low byte is the kind, the rest says more about it.
	const kind = code & 0xff;
	if (kind === busy) {
		return 'held';
	}

	try {
		// SQLite does not name the reason of the system.
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

/** Some network file systems refuse every lock as if somebody else had it: there even a file is refused that nobody else knows. */
function supportsLocks(path: string, Database: typeof DatabaseSync): boolean {
	const unknownPath = `${path}.${randomId()}`;
	try {
		const result = lockFile(unknownPath, Database);
		if (typeof result === 'object') {
			result.database.close();
		}

		return result !== 'held';
	} catch {
		// No file can be made now, so this remains unknown.
		return true;
	} finally {
		rmSync(unknownPath, {force: true});
	}
}

function withoutLocks(cause?: unknown): Error {
	return Object.assign(new Error('The file system has no locks', {cause}), {code: 'ENOLCK'});
}
