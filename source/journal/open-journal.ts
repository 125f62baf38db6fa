import {type Problem, toProblem} from '../util/problem.ts';
import {type AttendedJournal, createJournal, type Journal, type JournalOptions} from './journal.ts';
import {type JournalDatabase} from './postgres/connection.ts';
import {type Hint} from './operations.ts';
import {openStorage} from './sqlite/operations.ts';
import {openStorageThread} from './sqlite/storage-thread.ts';

/** Where a journal is: a file, or a PostgreSQL database instead. */
export type JournalPlace = {readonly path: string; readonly database?: JournalDatabase | undefined};

/** Options of a journal for a gateway. Where it is is asked for each time it is opened: a configuration that cannot be read does not say it. */
export type AttendedJournalOptions = JournalOptions & {
	readonly path: string;
	readonly database?: () => Promise<JournalDatabase | undefined>;
	/** Called when another gateway or command on the database says that something changed. */
	readonly onHint?: (hint: Hint) => void;
} & Pick<Parameters<typeof openStorageThread>[0], 'program' | 'former' | 'signal'>;

/** Opens or creates the journal at `path` in this thread, which waits for the disk with each write: for one command. Throws `storage_unavailable`. */
export function openJournal(options: JournalOptions & {readonly path: string}): Journal {
	const storage = openStorage(options.path);
	const journal = createJournal(
		{run: async requests => storage.run(requests), close: async () => storage.close()},
		options,
	);
	return withoutPromises(journal, options);
}

/** Opens the journal for one command, wherever it is. Rejects with `storage_unavailable`. */
export async function openJournalAnywhere(options: JournalOptions & JournalPlace): Promise<Journal> {
	const {database} = options;
	if (!database) {
		return openJournal(options);
	}

	const {openPostgresStorage} = await import('./postgres/storage.ts');
	const storage = await openPostgresStorage({database, use: 'command', onLost: () => undefined});
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

/**
Opens or creates the journal for a gateway: the file in a thread of its own, or the database. Rejects with `storage_unavailable`. `onLost` is called
once when the thread or the connection is lost: what was asked of it is rejected, may be on disk or not, and the journal serves no more.
*/
export async function openAttendedJournal(
	options: AttendedJournalOptions & {readonly onLost: (problem: Problem) => void},
): Promise<AttendedJournal> {
	const {onLost, onHint, signal} = options;
	const database = await options.database?.();
	if (!database) {
		return createJournal(await openStorageThread(options), options);
	}

	const {openPostgresStorage} = await import('./postgres/storage.ts');
	return createJournal(await openPostgresStorage({database, use: 'gateway', onLost, onHint, signal}), options);
}
