import {randomUUID} from 'node:crypto';
import {type Clock} from '../util/clock.ts';
import {type Problem} from '../util/problem.ts';
import {createJournal} from './create-journal.ts';
import {requireIdentity} from './journal-identity.ts';
import {type ConfirmedJournal, type JournalOptions} from './journal.ts';
import {type Hint, type WhenEmpty} from './operations/operation-values.ts';
import {type JournalDatabase} from './postgres/connection.ts';
import {type RetriedWrites} from './retried-writes.ts';
import {type NodeInstance} from './rows/node-rows.ts';
import {openStorageThread} from './sqlite/storage-thread.ts';

/** Options of a journal for a gateway. Where it is is asked for each time it is opened: a configuration that cannot be read does not say it. */
export type ConfirmedJournalOptions = JournalOptions & {
	readonly path: string;
	readonly database?: () => Promise<JournalDatabase | undefined>;
	/** Called when another gateway or command on the database says that something changed. */
	readonly onHint?: (hint: Hint) => void;
	/** Asked each time it is opened. Default: one is made where there is none. */
	readonly whenEmpty?: (database: JournalDatabase | undefined) => WhenEmpty;
	/** The one that the journal must have, asked each time it is opened. Default: any will do. */
	readonly identity?: (database: JournalDatabase | undefined) => string | undefined;
	/** Default: nobody asks how long it has been silent. */
	readonly silence?: Silence;
} & Pick<Parameters<typeof openStorageThread>[0], 'program' | 'former' | 'signal' | 'thread'>;

/** The time for which the storage of a journal has answered nothing that it was asked, opening and closing included. */
export type Silence = {
	readonly track: <Value>(work: Promise<Value>) => Promise<Value>;
	/** 0 while it is asked nothing. */
	readonly milliseconds: () => number;
};

/** Creates it for a storage that was asked nothing yet. */
export function createSilence(clock: Pick<Clock, 'elapsed'>): Silence {
	let asked = 0;
	let since = 0;
	return {
		track(work) {
			since = asked === 0 ? clock.elapsed() : since;
			asked++;
			return work.finally(() => {
				asked--;
				since = clock.elapsed();
			});
		},
		milliseconds: () => (asked === 0 ? 0 : clock.elapsed() - since),
	};
}

/**
Opens or creates the journal for a gateway: the file in a thread of its own, or the database. Rejects with `storage_unavailable`. `onLost` is called
once when the thread or the connection is lost: what was asked of it is rejected, may be on disk or not, and the journal serves no more.
The code that reads and writes the file is loaded in the thread only.
*/
export async function openConfirmedJournal(
	options: ConfirmedJournalOptions & {readonly onLost: (problem: Problem) => void},
): Promise<ConfirmedJournal> {
	const {clock, onLost, onHint, signal, silence = createSilence(options.clock)} = options;
	const database = await options.database?.();
	const whenEmpty = options.whenEmpty?.(database) ?? 'create';
	const open = async () => {
		if (!database) {
			return openStorageThread({...options, whenEmpty});
		}

		const {openPostgresStorage} = await import('./postgres/storage.ts');
		return openPostgresStorage({database, clock, whenEmpty, onLost, onHint, signal});
	};

	const storage = await silence.track(open());
	const watched = {
		...storage,
		run: (...requests: Parameters<typeof storage.run>) => silence.track(storage.run(...requests)),
		close: () => silence.track(storage.close()),
	};
	return requireIdentity(createJournal(watched, options), options.identity?.(database), {...options, database});
}

/**
Undefined when the signal aborted: nothing is open then. Ends that wait are written before anything else can be: a run that was put back is not taken
before, and a retry of a sender meets what its first request left. Rejects with `storage_unavailable`.
*/
export async function openUnlessAborted(
	{
		retried,
		instance,
		...options
	}: Parameters<typeof openConfirmedJournal>[0] & {
		readonly retried: Pick<RetriedWrites, 'catchUp'>;
		readonly instance: JournalInstance;
	},
	signal: AbortSignal,
): Promise<ConfirmedJournal | undefined> {
	const journal = signal.aborted ? undefined : await openConfirmedJournal({...options, signal});
	try {
		await instance.enter(journal);
		await (journal && retried.catchUp(journal));
	} catch (caught) {
		await journal?.close().catch(() => undefined);
		throw caught;
	}

	if (signal.aborted) {
		await journal?.close();
		return undefined;
	}

	return journal;
}

/** The instance of this gateway in its journal. It stays the same across openings until another gateway declares it dead. */
export type JournalInstance = {
	readonly enter: (journal: ConfirmedJournal | undefined) => Promise<void>;
	/** After another gateway has declared it dead: as another instance, whatever the journal still knows of the former one. */
	readonly enterAgain: (journal: ConfirmedJournal | undefined) => Promise<void>;
	/** Never rejects: a gateway that cannot say that it leaves is declared dead. */
	readonly leave: (journal: ConfirmedJournal | undefined) => Promise<void>;
};

/** The name of a gateway in its journal, and the call when others declared it dead. */
export type InstanceOptions = {
	/** Absent: written rows have no owner. */
	readonly node?: () => Promise<Omit<NodeInstance, 'instanceId'>>;
	/** Another gateway has declared this one dead, and takes over what it had under way; it goes on as another instance. */
	readonly onDeclaredDead?: () => void;
};

/** Creates the first instance; nothing is written before it enters a journal. */
export function createInstance({node, onDeclaredDead}: InstanceOptions): JournalInstance {
	let id: string = randomUUID();
	let entered: string | undefined;
	/** Says it before anything is written: a connection may be lost at any time, and this is learned only once. */
	const replace = () => {
		id = randomUUID();
		onDeclaredDead?.();
	};

	const enter = async (journal: ConfirmedJournal | undefined) => {
		const named = journal && (await node?.());
		if (!named) {
			return;
		}

		if ((await journal.enterNode({...named, instanceId: id})) === 'dead') {
			replace();
			await journal.enterNode({...named, instanceId: id});
		}

		entered = id;
	};

	return {
		enter,
		async enterAgain(journal) {
			// One that could not enter was not declared dead: that was the one before.
			if (entered === id) {
				replace();
			}

			await enter(journal);
		},
		async leave(journal) {
			await (node && journal?.leaveNode().catch(() => undefined));
		},
	};
}
