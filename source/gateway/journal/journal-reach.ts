import {type RecoverableJournal} from '../../journal/recoverable-journal.ts';
import {atMost, type Clock} from '../../util/clock.ts';
import {type Problem} from '../../util/problem.ts';

/** Reachability of the journal for probes every few seconds. It writes nothing, and reads only if no write has succeeded lately. */
type JournalReach = {
	/** Takes the result of a write; undefined means that it is on disk. */
	readonly setWrite: (problem: Problem | undefined) => void;
	/** True when the journal gave a good answer lately, and refused no write since. Never rejects. */
	readonly isReached: (journal: Pick<RecoverableJournal, 'isOpen' | 'journal'>) => Promise<boolean>;
};

/** Milliseconds for which a success counts, and a refused write: the next write finds out whether the disk has room. */
const latelyMilliseconds = 15_000;
/** With a younger answer the journal is left alone. */
const pollMilliseconds = 5000;
/** Milliseconds that a probe waits for the journal once no result counts any more. */
const patienceMilliseconds = 1000;

/** Creates it for a journal that has not answered yet. */
export function createJournalReach(clock: Clock): JournalReach {
	let reachedAt = Number.NEGATIVE_INFINITY;
	let refusedAt = Number.NEGATIVE_INFINITY;
	let polling: Promise<unknown> | undefined;
	const age = (time: number) => clock.elapsed() - time;
	const poll = ({isOpen, journal}: Parameters<JournalReach['isReached']>[0]) => {
		polling ??= journal
			.countWaitingRuns()
			// A closed journal was not reached, whatever the read returned.
			.then(() => (reachedAt = isOpen() ? clock.elapsed() : reachedAt))
			.catch(() => undefined)
			.finally(() => (polling = undefined));
		return polling;
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
			if (journal.isOpen() && age(reachedAt) >= pollMilliseconds) {
				const polled = poll(journal);
				await (age(reachedAt) >= latelyMilliseconds && atMost(patienceMilliseconds, polled, clock));
			}

			return journal.isOpen() && age(reachedAt) < latelyMilliseconds && age(refusedAt) >= latelyMilliseconds;
		},
	};
}
