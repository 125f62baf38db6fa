import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {errorText, Problem} from '../../util/problem.ts';
import {checkVersion, versionOf} from './database.ts';
import {type Journal} from '../journal.ts';
import {createTables} from './transactions.ts';

/** A journal that nothing is written to. */
export type JournalReader = Pick<Journal, 'findEvent' | 'listEvents' | 'listFailedDeliveries' | 'close'>;

/** A check of every page takes about a second for so many bytes. */
const mostCheckedBytes = 64 * 1_048_576;

/**
Opens the journal at `path` for reading alone: nothing is written, not even the files that SQLite keeps beside it, so what a process that was
killed had not yet moved into the file is not seen. Undefined when there is none, or an empty one, and for one that a gateway writes to:
of that, only the head is looked at. Throws `storage_unavailable` for a file that is no journal, a damaged one or one of another version.
*/
export function openJournalReader(path: string, use: 'unused' | 'of a gateway' = 'unused'): JournalReader | undefined {
	const size = statSync(path, {throwIfNoEntry: false})?.size ?? 0;
	// SQLite takes an empty file for a new database.
	if (size === 0) {
		return undefined;
	}

	let database: DatabaseSync | undefined;
	try {
		const url = pathToFileURL(path);
		url.searchParams.set('immutable', '1');
		database = new DatabaseSync(url, {readOnly: true});
		checkVersion(database);
		if (versionOf(database) === 0 || use === 'of a gateway') {
			database.close();
			return undefined;
		}

		assertSound(database, size <= mostCheckedBytes && !hasPending(path));
		return readerOf(database);
	} catch (caught) {
		database?.close();
		throw caught instanceof Problem
			? caught
			: new Problem('storage_unavailable', {
					message: 'The journal is damaged, or is not a journal',
					detail: errorText(caught),
					cause: caught,
				});
	}
}

/** Half of a checkpoint may be in the file: only what is in the log beside it makes it whole. */
function hasPending(path: string): boolean {
	return (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0) > 0;
}

function assertSound(database: DatabaseSync, everyPage: boolean): void {
	if (everyPage && database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') {
		throw new Error('PRAGMA quick_check found damage');
	}
}

function readerOf(database: DatabaseSync): JournalReader {
	const {events, failedDeliveries} = createTables(database);
	return {
		findEvent: async id => events.find(id),
		listEvents: async query => events.list(query),
		listFailedDeliveries: async query => failedDeliveries.list(query),
		close: async () => database.close(),
	};
}
