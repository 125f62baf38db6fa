import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';

/** Puts every write asked for in one turn into one transaction, so that one wait for the disk serves all of them. */
export type GroupCommit = {
	/**
	Runs `work` in the next transaction and resolves with its value after COMMIT.
	Rejects with `storage_unavailable` when anything in that transaction failed: nothing of it was kept then, and the next write starts afresh.
	*/
	readonly write: <Value>(work: () => Value) => Promise<Value>;
	/** Commits what waits, at once, and refuses later writes. */
	readonly close: () => void;
};

/** One write: `run` does it and answers how to tell its waiter once it is durable. */
type Job = {
	readonly run: () => () => void;
	readonly reject: (problem: Problem) => void;
};

/** While others keep joining, a transaction waits for so many turns: under load a wait for the disk then serves far more of them. */
const mostTurns = 4;

/** Opens the group commit of a database. The transaction runs when the input of the turn has been served (`clock.soon`), a lone write at once then. */
export function createGroupCommit(options: {
	/** Does the work and makes it durable, or throws and undoes all of it. */
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
