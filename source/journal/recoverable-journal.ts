import {createBackOff} from '../util/back-off.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {
	type ConfirmedJournalOptions,
	createInstance,
	createSilence,
	type JournalInstance,
	openUnlessAborted,
	type InstanceOptions,
} from './confirmed-journal.ts';
import {delegateJournal} from './delegate-journal.ts';
import {type ConfirmedJournal, type Journal} from './journal.ts';
import {createRetriedWrites, type RetriedWritesState} from './retried-writes.ts';
import {diskSilence, isDamaged} from './operations/request-batches.ts';

/** A journal whose file may be unusable, at the start or later. The file is tried again, and never moved or overwritten (docs/journal.md, When the journal cannot be used). */
export type RecoverableJournal = {
	/** While the file is unusable, reads find nothing; pages of calls, a run by its id and writes reject with `storage_unavailable`. */
	readonly journal: Journal;
	readonly isOpen: () => boolean;
	/** Latest known milliseconds by which the journal's clock is ahead of this process; 0 before the journal was first open. */
	readonly clockAhead: () => number;
	/** Calls `recover` now, or as soon as the file can be used; an error of the journal in it counts as an unusable file. */
	readonly take: (recover: () => Promise<void>) => Promise<void>;
	/** The number of ends and claims that wait for it. */
	readonly waiting: () => number;
	/** The number of ends, waiting or under way, that are not known to be on disk. */
	readonly unwritten: () => number;
	/** The number of ends that a stop gave up: they are not on disk. */
	readonly givenUp: () => number;
	/** The time for which its file or database has answered nothing that it was asked; 0 while it is asked nothing. */
	readonly silentMilliseconds: () => number;
	/** Damage that was found beside it: the file is unusable. Without effect while none is open. */
	readonly reportDamage: (problem: Problem) => void;
	/** Tries an unusable file at once. */
	readonly tryAgain: () => void;
	/** Continues as another instance after another gateway has declared this one dead. */
	readonly enterAgain: () => Promise<void>;
	/** Call it when a stop begins: ends that wait are tried a last time, then their callers are refused. */
	readonly endWaiting: () => Promise<void>;
};

/** Interval between checks of an unused journal. */
const idleMilliseconds = 60_000;

const pauses = {firstMilliseconds: 5000, longestMilliseconds: 15_000};

type RecoverableJournalOptions = ConfirmedJournalOptions &
	InstanceOptions & {
		readonly onState: (fault: Problem | undefined) => void;
		/** A claim waits so long (`journal.patience`). Default: ten minutes. */
		readonly patienceMilliseconds?: () => number;
		readonly onRetriedWrites?: (state: RetriedWritesState) => void;
		/** Called when a newer version has changed the tables of the journal that was open: this one can use it no more. */
		readonly onNewer?: (problem: Problem) => void;
	};

/**
Opens or creates the journal in a thread; resolves after the first try, or once the disk did not answer for ten seconds, and never rejects.
`onState` gets the problem when the file becomes unusable or its thread is lost, and undefined when it can be used again; `onRetriedWrites` what
becomes of ends that cannot be written at once.
*/
export async function openRecoverableJournal(options: RecoverableJournalOptions): Promise<RecoverableJournal> {
	const silence = createSilence(options.clock);
	return {...(await openRetried({...options, silence})), silentMilliseconds: silence.milliseconds};
}

async function openRetried(options: RecoverableJournalOptions) {
	const {clock, onWrite, onState, onRetriedWrites} = options;
	const again = createBackOff(clock, pauses);
	const recoveries = createRecoveries();
	const fault = createFault(onState);
	const ending = new AbortController();
	const instance = createInstance(withDisowned(options, () => retried.disown()));
	const opened = createJournalHandle({instance, thread: options.thread}, first =>
		openUnlessAborted({...options, ...first, retried, instance, onWrite: reportWrite, onLost: lose}, ending.signal),
	);
	const {current} = opened;

	const lose = (caught: unknown) => {
		opened.lose(caught);
		const problem = toProblem(caught, 'storage_unavailable');
		if (!ending.signal.aborted) {
			again.schedule(() => void opening());
			fault.set(problem);
			opened.ifNewer(problem, options.onNewer);
		}
	};

	const loseIfDamaged = (caught: unknown) => {
		if (current() && isDamaged(caught)) lose(caught);
	};

	const reportWrite = (problem: Problem | undefined) => {
		loseIfDamaged(problem);
		onWrite?.(problem);
	};

	const retried = createRetriedWrites({...options, current, failed: loseIfDamaged, onState: onRetriedWrites});

	const recoverAll = async () => {
		await (current() && recoveries.run().catch(lose));
		if (current()) {
			again.reset();
			fault.set(undefined);
		}
	};

	const opening = createAttempt(clock, {
		work: () => opened.open().then(recoverAll).catch(lose),
		onLate: () => fault.current() ?? fault.set(diskSilence()),
	});

	const close = async () => {
		await retried.end(opening);
		ending.abort();
		watch.cancel();
		again.reset();
		await opening();
		await opened.close();
	};

	const journal = delegateJournal({current, refusal: fault.refusal, failed: loseIfDamaged, retried}, close);
	const watch = createWatch(clock, () => journal.countWaitingRuns());
	await opening();
	return {
		isOpen: () => current() !== undefined,
		waiting: retried.count,
		unwritten: retried.unwritten,
		givenUp: retried.givenUp,
		clockAhead: opened.clockAhead,
		async take(recover: () => Promise<void>) {
			recoveries.add(recover);
			await recoverAll();
		},
		reportDamage: loseIfDamaged,
		tryAgain: () => void opening(),
		enterAgain: () => instance.enterAgain(current()).catch(loseIfNewer(lose)),
		endWaiting() {
			watch.cancel();
			return retried.end(opening);
		},
		journal,
	};
}

/** The journal is lost to a gateway that cannot enter again because the tables are others now; the error goes on. */
function loseIfNewer(lose: (caught: unknown) => void): (caught: unknown) => never {
	return caught => {
		if (caught instanceof Problem && caught.code === 'schema_newer') {
			lose(caught);
		}

		throw caught;
	};
}

/** The problem of a refused write: it only says that there is no journal now. */
function unavailable(problem: Problem | undefined): Problem | undefined {
	const {code, message, detail, remedy} = problem ?? {};
	return code === 'schema_newer' ? new Problem('storage_unavailable', {message, detail, remedy}) : problem;
}

/** Earlier claims are refused first: none of them may be claimed as another instance. */
function withDisowned(options: RecoverableJournalOptions, disown: () => void): InstanceOptions {
	return {
		...options,
		onDeclaredDead() {
			disown();
			options.onDeclaredDead?.();
		},
	};
}

/** Polls once a minute after the last poll was over. Before its thread reads anything, it checks the files. */
function createWatch(clock: Clock, poll: () => Promise<unknown>): Timer {
	const ended = new AbortController();
	let timer: Timer | undefined;
	const schedule = () => {
		if (!ended.signal.aborted) {
			timer = clock.after(idleMilliseconds, () => void poll().then(schedule, schedule));
		}
	};

	schedule();
	return {
		cancel() {
			ended.abort();
			timer?.cancel();
		},
	};
}

/** Holds the journal that is open, if any. The thread is for the first opening. */
function createJournalHandle(
	{instance, thread}: {readonly instance: JournalInstance; readonly thread: ConfirmedJournalOptions['thread']},
	openAs: (
		first: Pick<ConfirmedJournalOptions, 'former' | 'thread' | 'whenEmpty'>,
	) => Promise<ConfirmedJournal | undefined>,
) {
	let current: ConfirmedJournal | undefined;
	let closing: Promise<void> | undefined;
	let former: ConfirmedJournalOptions['former'] = 'unknown';
	let unused = thread;
	let hasOpened = false;
	let clockAhead = 0;
	return {
		current: () => current,
		/** Says so when a newer version has changed the tables since. */
		ifNewer(problem: Problem, onNewer: RecoverableJournalOptions['onNewer']) {
			if (problem.code === 'schema_newer' && hasOpened) {
				onNewer?.(problem);
			}
		},
		clockAhead: () => current?.clockAhead() ?? clockAhead,
		/** Without effect when it is open. */
		async open() {
			if (!current) {
				// Two threads must not have the file open at once: what one closes ends the locks of the other.
				await closing;
				// A journal that was open and is gone is never made new.
				const first = {former, thread: unused, ...(hasOpened && {whenEmpty: () => 'refuse' as const})};
				unused = undefined;
				current = await openAs(first);
				hasOpened ||= current !== undefined;
				former = 'unknown';
			}
		},
		lose(caught: unknown) {
			clockAhead = current?.clockAhead() ?? clockAhead;
			closing = current?.close().catch(() => undefined) ?? closing;
			current = undefined;
			former = isDamaged(caught) ? 'damaged' : former;
		},
		async close() {
			await instance.leave(current);
			await current?.close();
		},
	};
}

/** Longer than a disk takes that works, however busy. */
const patienceMilliseconds = 10_000;

/** Starts `work`, which never rejects, unless it is under way; resolves when it is over, or when it is late: then `onLate` is called, and it goes on. */
function createAttempt(
	clock: Clock,
	{work, onLate}: {readonly work: () => Promise<void>; readonly onLate: () => void},
): () => Promise<void> {
	let running: Promise<void> | undefined;
	return () => {
		running ??= new Promise(resolve => {
			const timer = clock.after(patienceMilliseconds, () => {
				onLate();
				resolve();
			});
			void work().finally(() => {
				timer.cancel();
				running = undefined;
				resolve();
			});
		});
		return running;
	};
}

/** Work that runs once, as soon as the journal can be read. */
function createRecoveries() {
	const due: Array<() => Promise<void>> = [];
	return {
		add: (recover: () => Promise<void>) => void due.push(recover),
		/** All begin before anything else can be written; when one fails, all are due again. */
		async run() {
			const begun = due.splice(0);
			try {
				await Promise.all(begun.map(recover => recover()));
			} catch (caught) {
				due.push(...begun);
				throw caught;
			}
		},
	};
}

/** Creates what keeps the file from being used; `onState` is called with each change. */
function createFault(onState: (fault: Problem | undefined) => void) {
	let fault: Problem | undefined;
	return {
		current: () => fault,
		refusal: () => unavailable(fault),
		set(next: Problem | undefined) {
			const isSame = fault?.message === next?.message && fault?.detail === next?.detail;
			fault = next;
			if (!isSame) {
				onState(next);
			}
		},
	};
}
