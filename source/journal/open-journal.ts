import {createJournal, fireAndForget} from './create-journal.ts';
import {type JournalPlace} from './journal-identity.ts';
import {type Journal, type JournalOptions} from './journal.ts';
import {type WhenEmpty} from './operations/operation-values.ts';
import {openStorage} from './sqlite/operations.ts';
import {openUpgraded} from './sqlite/upgrade-file.ts';

export {type JournalPlace};

/** Opens or creates the journal at `path` in this thread, which waits for the disk with each write: for one command. Throws `storage_unavailable`. */
export function openJournal(
	options: JournalOptions & {readonly path: string; readonly whenEmpty?: WhenEmpty},
): Journal {
	const {path, whenEmpty = 'create'} = options;
	const storage = openStorage(path, {whenEmpty});
	const journal = createJournal({run: storage.run, close: storage.close}, options);
	return fireAndForget(journal, options);
}

/** Opens the journal for one command, wherever it is. Rejects with `storage_unavailable`. */
export async function openJournalAnywhere(
	options: JournalOptions & JournalPlace & {readonly whenEmpty?: WhenEmpty},
): Promise<Journal> {
	const {database, clock, whenEmpty} = options;
	if (!database) {
		return openUpgraded(options.path, () => openJournal(options));
	}

	const {openPostgresStorage} = await import('./postgres/storage.ts');
	const storage = await openPostgresStorage({database, clock, whenEmpty, onLost: () => undefined});
	return fireAndForget(createJournal(storage, options), options);
}
