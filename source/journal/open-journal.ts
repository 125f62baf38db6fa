import {toProblem} from '../util/problem.ts';
import {createJournal} from './create-journal.ts';
import {type JournalPlace} from './journal-identity.ts';
import {type AttendedJournal, type Journal, type JournalOptions} from './journal.ts';
import {type WhenEmpty} from './operations.ts';
import {openStorage} from './sqlite/operations.ts';
import {openUpgraded} from './sqlite/upgrade-file.ts';

export {type JournalPlace};

/** Opens or creates the journal at `path` in this thread, which waits for the disk with each write: for one command. Throws `storage_unavailable`. */
export function openJournal(
	options: JournalOptions & {readonly path: string; readonly whenEmpty?: WhenEmpty},
): Journal {
	const {path, whenEmpty = 'create'} = options;
	const storage = openStorage(path, {whenEmpty});
	const journal = createJournal(
		{run: async requests => storage.run(requests), close: async () => storage.close()},
		options,
	);
	return withoutPromises(journal, options);
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
	return withoutPromises(createJournal(storage, options), options);
}

/** Nobody waits for an end: one that fails is reported. */
function withoutPromises(journal: AttendedJournal, {report}: Pick<JournalOptions, 'report'>): Journal {
	const unattended = (written: Promise<void>) =>
		void written.catch((caught: unknown) => report?.(toProblem(caught, 'storage_unavailable')));
	return {
		...journal,
		settleEvent: (id, end) => unattended(journal.settleEvent(id, end)),
		releaseOpenDeliveries: before => unattended(journal.releaseOpenDeliveries(before)),
		releaseJob: claim => unattended(journal.releaseJob(claim)),
		finishCall: (id, end) => unattended(journal.finishCall(id, end)),
		requests: {...journal.requests, end: (id, end) => unattended(journal.requests.end(id, end))},
	};
}
