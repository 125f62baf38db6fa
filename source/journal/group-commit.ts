import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';

/** Collects the writes of one turn in one transaction, so that they share one wait for the disk. */
export type GroupCommit = {
	/**
	Runs `work` in the next transaction and resolves with its value after COMMIT.
	Rejects with `storage_unavailable` when any part of that transaction failed: nothing was written then, and the next write starts a new one.
	*/
	readonly write: <Value>(work: () => Value) => Promise<Value>;
	/** Commits pending writes at once and refuses later ones. */
	readonly close: () => void;
};

/** One write: `run` performs it and returns the function that resolves its promise once it is durable. */
type Job = {
	readonly run: () => () => void;
	readonly reject: (problem: Problem) => void;
};

/** While more writes arrive, a transaction waits this many turns: under load, one wait for the disk then serves far more of them. */
const mostTurns = 4;

/** Creates a group commit. The transaction runs after the input of the turn was handled (`clock.soon`); a single write waits no longer than that. */
export function createGroupCommit(options: {
	/** Runs the work and makes it durable, or undoes all of it and throws. */
	readonly transaction: <Value>(work: () => Value) => Value;
	readonly clock: Clock;
}): GroupCommit {
	const {transaction, clock} = options;
	let waiting: Job[] = [];
	let closed = false;

	const gather = (before: number, turnsLeft: number) => {
		if (waiting.length > before && turnsLeft > 0) {
			const joined = waiting.length;
			clock.soon(() => gather(joined, turnsLeft - 1));
		} else {
			commit();
		}
	};

	const commit = () => {
		const jobs = waiting;
		waiting = [];
		if (jobs.length === 0) {
			return;
		}

		try {
			const commitAll = transaction(() => jobs.map(job => job.run()));
			commitAll.forEach(report => report());
		} catch (caught) {
			const problem = toProblem(caught, 'storage_unavailable');
			jobs.forEach(job => job.reject(problem));
		}
	};

	return {
		write: <Value>(work: () => Value) =>
			new Promise<Value>((resolve, reject) => {
				if (closed) {
					reject(new Problem('storage_unavailable', {detail: 'the journal is closed'}));
					return;
				}

				const run = () => {
					const value = work();
					return () => resolve(value);
				};

				if (waiting.push({run, reject}) === 1) {
					clock.soon(() => gather(1, mostTurns));
				}
			}),
		close() {
			closed = true;
			commit();
		},
	};
}
