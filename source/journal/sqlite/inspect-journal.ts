import {statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {type Clock} from '../../util/clock.ts';
import {journalRemedy} from '../../util/file-remedies.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {checkFile} from './check-file.ts';
import {DamagedFile, isDamage} from './database-file.ts';
import {checkPages, checkVersion, OlderFile, versionOf} from './database.ts';
import {sqliteDialect} from '../tables/dialect.ts';
import {createJournalReader, type JournalReader} from '../tables/journal-reader.ts';
import {createQuery} from './query.ts';

/** A check of every page takes about a second for so many bytes. */
const maxCheckedBytes = 64 * 1_048_576;

/**
Opens the journal at `path` for reading alone: nothing is written, not even the files that SQLite keeps beside it, so what a process that was
killed had not yet moved into the file is not seen. Undefined when there is none, or an empty one, and for one that a gateway writes to:
of that, only the head is read. Throws `storage_unavailable` for a file that is no journal, a damaged one or one of another version.
*/
export function openJournalReader(path: string, use: 'unused' | 'of a gateway' = 'unused'): JournalReader | undefined {
	const size = statSync(path, {throwIfNoEntry: false})?.size ?? 0;
	// SQLite takes an empty file for a new database.
	if (size === 0 && !hasPending(path)) {
		return undefined;
	}

	let database: DatabaseSync | undefined;
	try {
		if (size === 0) {
			throw new DamagedFile('the file is missing or empty, but its -wal file is not');
		}

		const url = pathToFileURL(path);
		url.searchParams.set('immutable', '1');
		const opened = new DatabaseSync(url, {readOnly: true});
		database = opened;
		if (isOlder(database) || versionOf(database) === 0 || use === 'of a gateway') {
			database.close();
			return undefined;
		}

		if (size <= maxCheckedBytes && !hasPending(path)) {
			checkPages(database);
		}

		return createJournalReader(createQuery(database), sqliteDialect, async () => opened.close());
	} catch (caught) {
		database?.close();
		throw readProblem(path, caught);
	}
}

/** The result for the journal at `path`; `unchecked`: it has a log, without which it cannot be checked. */
export type PageCheck = 'intact' | 'partly' | 'unchecked';

/** Reads every page and index of a journal that nobody uses, until the signal aborts. Rejects with `storage_unavailable` when one is damaged. */
export async function checkUnusedJournal(path: string, clock: Clock, signal: AbortSignal): Promise<PageCheck> {
	if (hasPending(path)) {
		return 'unchecked';
	}

	const found = await checkFile({path, clock, depth: 'full', use: 'unused', signal});
	switch (found.kind) {
		case 'damaged':
			throw readProblem(path, new DamagedFile(found.detail));
		case 'failed':
			throw readProblem(path, new Error(found.detail));
		case 'intact':
		case 'partly':
			return found.kind;
	}
}

/** Such a journal is brought up to date at the next start, and its tables are others until then. Throws as `checkVersion` does. */
function isOlder(database: DatabaseSync): boolean {
	try {
		checkVersion(database);
		return false;
	} catch (caught) {
		if (caught instanceof OlderFile) {
			return true;
		}

		throw caught;
	}
}

function readProblem(path: string, caught: unknown): Problem {
	const isOther = caught instanceof Error && 'errcode' in caught && !isDamage(caught);
	const why = isOther ? 'The journal cannot be read' : 'The journal is damaged, or is not a journal';
	return new Problem('storage_unavailable', {
		message: `${caught instanceof Problem ? caught.message : why}: ${safeText(path)}`,
		detail: errorText(caught),
		remedy: journalRemedy(path, isOther ? 'unusable' : 'damaged'),
		cause: caught,
	});
}

/** Half of a checkpoint may be in the file: only what is in the log beside it completes it. */
function hasPending(path: string): boolean {
	return (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0) > 0;
}
