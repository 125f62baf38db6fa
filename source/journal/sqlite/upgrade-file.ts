import {closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {backup, DatabaseSync} from 'node:sqlite';
import {shellWord} from '../../util/named-commands.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {fileVersions} from '../tables/schema-steps.ts';
import {applySteps, checkVersion, inTransaction, OlderFile, versionOf} from './database.ts';

/** Of the journal as it was before its last step. One is kept. */
export function olderCopy(path: string): string {
	return `${path}.older`;
}

/** Pages that are copied at once. */
const pagesPerCopy = 2000;

/** Opens a file, once it is brought up to date where an older version of Sluice wrote it. Rejects as `open` and `upgradeFile` do. */
export async function openUpgraded<Opened>(path: string, open: () => Opened): Promise<Opened> {
	try {
		return open();
	} catch (caught) {
		if (!(caught instanceof OlderFile)) {
			throw caught;
		}
	}

	await upgradeFile(path);
	return open();
}

/**
Copies the file beside itself, then brings its tables up to date in one transaction, while no other process has it open: one of the older version
would not notice. Rejects with `storage_unavailable`; the journal is as it was then.
*/
async function upgradeFile(path: string): Promise<void> {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path, {timeout: 2000});
		takeAlone(database, path);
		const version = versionOf(database);
		await copyFile(database, path);
		inTransaction(database, () => applySteps(database as DatabaseSync, version));
		checkVersion(database);
	} catch (caught) {
		if (caught instanceof Problem) {
			throw caught;
		}

		throw new Problem('storage_unavailable', {
			message: `The journal of an older version of Sluice could not be updated to schema ${fileVersions.current}, and is not changed: ${safeText(path)}`,
			detail: errorText(caught),
			remedy: `Check owner and disk space: a copy is made first, \`df -h ${shellWord(dirname(path))}\``,
			cause: caught,
		});
	} finally {
		database?.close();
	}
}

/** From here on no other process can open the file. In this mode its content is in one file alone. */
function takeAlone(database: DatabaseSync, path: string): void {
	try {
		database.exec('PRAGMA synchronous = FULL; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
		database.exec('BEGIN EXCLUSIVE; COMMIT');
		return;
	} catch (caught) {
		const users = otherUsers(path);
		throw new Problem('storage_unavailable', {
			message: `${users.length === 0 ? 'Another process' : `Process ${users.join(', ')}`} has the journal open, and cannot follow its change from schema ${versionOf(database)} to ${fileVersions.current}: ${safeText(path)}`,
			detail: errorText(caught),
			remedy: `End it (it may be a \`sluice mcp serve\` of an agent): \`${users.length === 0 ? `fuser -v ${shellWord(path)}` : `ps -p ${users.join(',')}`}\` shows it`,
			cause: caught,
		});
	}
}

/** The processes with a lock on the file, where the system tells them (proc_locks(5)). */
function otherUsers(path: string): readonly number[] {
	try {
		const {ino} = statSync(path);
		const lines = readFileSync('/proc/locks', 'utf8').split('\n');
		const pids = lines.flatMap(line => {
			const [, pid, file] = /\s(\d+)\s+\w+:\w+:(\d+)\s/u.exec(line) ?? [];
			return file === String(ino) && Number(pid) !== process.pid ? [Number(pid)] : [];
		});
		return [...new Set(pids)];
	} catch {
		return [];
	}
}

/** A copy that is whole, or none: its name comes last. */
async function copyFile(database: DatabaseSync, path: string): Promise<void> {
	const part = `${olderCopy(path)}.part`;
	try {
		// SQLite writes into the file that is there, with its mode.
		closeSync(openSync(part, 'w', 0o600));
		await backup(database, part, {rate: pagesPerCopy});
		flush(part, 'r+');
		renameSync(part, olderCopy(path));
		flush(dirname(path), 'r');
	} finally {
		rmSync(part, {force: true});
	}
}

function flush(path: string, mode: 'r' | 'r+'): void {
	const descriptor = openSync(path, mode);
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
