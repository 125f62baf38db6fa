import {type RecoverableJournal} from '../../journal/recoverable-journal.ts';
import {atMost, type Clock} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';

/** Whether the journal was reached lately, for whoever asks every few seconds: nothing is written for that, and read only where nothing else was written. */
type JournalReach = {
	/** What became of a write; undefined: it is on disk. */
	readonly setWrite: (problem: Problem | undefined) => void;
	/** True when the journal gave a good answer lately, and refused no write since. Never rejects. */
	readonly isReached: (journal: Pick<RecoverableJournal, 'isOpen' | 'journal'>) => Promise<boolean>;
};

/** How long a good answer counts, and how long a refused write: a disk that has room again is found out by the next write. */
const latelyMilliseconds = 15_000;
/** With a younger answer the journal is left alone. */
const lookMilliseconds = 5000;
/** How long one who asks waits where no answer counts any more. */
const patienceMilliseconds = 1000;

/** Creates it for a journal that has not answered yet. */
export function createJournalReach(clock: Clock): JournalReach {
	let reachedAt = Number.NEGATIVE_INFINITY;
	let refusedAt = Number.NEGATIVE_INFINITY;
	let looking: Promise<unknown> | undefined;
	const age = (time: number) => clock.elapsed() - time;
	const look = ({isOpen, journal}: Parameters<JournalReach['isReached']>[0]) => {
		looking ??= journal
			.countWaitingRuns()
			// Where none is open, there is nothing to count.
			.then(() => (reachedAt = isOpen() ? clock.elapsed() : reachedAt))
			.catch(() => undefined)
			.finally(() => (looking = undefined));
		return looking;
	};

	return {
		setWrite(problem) {
			if (problem) {
				refusedAt = clock.elapsed();
			} else {
				reachedAt = clock.elapsed();
				refusedAt = Number.NEGATIVE_INFINITY;
			}
		},
		async isReached(journal) {
			if (journal.isOpen() && age(reachedAt) >= lookMilliseconds) {
				const looked = look(journal);
				await (age(reachedAt) >= latelyMilliseconds && atMost(patienceMilliseconds, looked, clock));
			}

			return journal.isOpen() && age(reachedAt) < latelyMilliseconds && age(refusedAt) >= latelyMilliseconds;
		},
	};
}
