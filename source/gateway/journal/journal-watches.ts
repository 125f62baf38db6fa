import {type Journal} from '../../journal/journal.ts';
import {type RecoverableJournal} from '../../journal/recoverable-journal.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';
import {type Repetition} from '../../util/repeat.ts';
import {type createJournalFault} from './journal-fault.ts';
import {startPageChecks} from './page-checks.ts';

const usualMilliseconds = 60_000;
/** While a table cannot be used: somebody is about to restore it. */
const faultMilliseconds = 5000;
/** Between two looks for which there was a reason. */
const pauseMilliseconds = 1000;

/** Looks at the tables of a journal, since a good write to one of them says nothing of another. */
type TableWatch = {
	/** Begins to poll, once a minute by itself. */
	readonly start: (journal: Pick<Journal, 'listRefusingTables' | 'listUnreadableRows'>) => void;
	/** Something was refused, or the journal is open again. */
	readonly poll: () => void;
	/** The outcome of a write. A good one clears no refusal before the tables were looked at. */
	readonly setWrite: (problem: Problem | undefined) => void;
	readonly stop: () => void;
};

/** The checks of a journal that nobody may ask just now: of its tables, and of the pages of its file. */
type JournalWatches = Pick<TableWatch, 'poll' | 'setWrite'> & {
	readonly start: (stored: Pick<RecoverableJournal, 'journal' | 'isOpen' | 'reportDamage'>) => void;
	/** The journal became unusable, or can be used again. */
	readonly setUnusable: (problem: Problem | undefined) => void;
	/** Resolves once no process has the file open for them. */
	readonly stop: () => Promise<void>;
};

/** Creates the watches; nothing is looked at before `start`. */
export function createJournalWatches(
	options: Omit<Parameters<typeof startPageChecks>[0], 'journal'> & {readonly fault: WatchedFault},
): JournalWatches {
	const {poll, setWrite, ...tables} = createTableWatch(options.clock, options.fault);
	let checks: Repetition | undefined;
	return {
		poll,
		setWrite,
		setUnusable(problem) {
			options.fault.setUnusable(problem);
			poll();
		},
		start(stored) {
			tables.start(stored.journal);
			checks = startPageChecks({...options, journal: stored});
		},
		async stop() {
			tables.stop();
			await checks?.stop();
		},
	};
}

type WatchedFault = Pick<
	ReturnType<typeof createJournalFault>,
	'setUnusable' | 'setWrite' | 'setTables' | 'setUnreadable' | 'hasRefusingTable'
>;

function createTableWatch(clock: Clock, fault: WatchedFault): TableWatch {
	let journal: Parameters<TableWatch['start']>[0] | undefined;
	let timer: Timer | undefined;
	let running: Promise<void> | undefined;
	let polledAt = Number.NEGATIVE_INFINITY;
	let lastWrite: 'good' | 'refused' | 'unknown' = 'unknown';
	const schedule = () => {
		timer?.cancel();
		timer = journal && clock.after(fault.hasRefusingTable() ? faultMilliseconds : usualMilliseconds, pollNow);
	};

	const pollOnce = async () => {
		polledAt = clock.elapsed();
		// A journal that cannot be asked is said to be so elsewhere.
		const found = await journal?.listRefusingTables().catch(() => undefined);
		if (found && journal) {
			fault.setTables(found);
			fault.setUnreadable(await journal.listUnreadableRows().catch(() => []));
		}
	};

	const pollNow = () => {
		running ??= pollOnce().finally(() => {
			running = undefined;
			if (lastWrite === 'good') {
				fault.setWrite(undefined);
			}

			schedule();
		});
	};

	const poll = () => {
		if (journal && clock.elapsed() - polledAt >= pauseMilliseconds) {
			pollNow();
		} else if (journal && !running) {
			timer?.cancel();
			timer = clock.after(pauseMilliseconds, pollNow);
		}
	};

	return {
		start(open) {
			journal = open;
			poll();
		},
		poll,
		setWrite(problem) {
			lastWrite = problem ? 'refused' : 'good';
			if (problem ?? !running) {
				fault.setWrite(problem);
			}

			if (!problem && fault.hasRefusingTable()) {
				poll();
			}
		},
		stop() {
			journal = undefined;
			timer?.cancel();
		},
	};
}
