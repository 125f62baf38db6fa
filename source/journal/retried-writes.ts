import {createBackOff} from '../util/back-off.ts';
import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type AttendedJournal} from './journal.ts';

/** A write of the journal. It may be carried out more than once, so that one of which nobody knows whether it is on disk is simply repeated. */
type Write<Value> = (journal: AttendedJournal) => Promise<Value>;

/** What became of the writes that failed: reported when the first begins to wait, when all are on disk, and when some were given up. */
export type RetriedWritesState =
	| {readonly kind: 'waiting' | 'written'}
	| {readonly kind: 'given-up'; readonly count: number; readonly problem: Problem};

/** Writes that are tried until they are on disk: how runs, calls and deliveries ended (docs/webhooks.md, When the journal cannot be used). */
export type RetriedWrites = {
	/** Resolves when the write is on disk. Rejects with `storage_unavailable` only after `end`, or when too many wait. */
	readonly write: <Value>(write: Write<Value>) => Promise<Value>;
	/** Carries out those that wait, in order, in a journal that nothing else writes to yet. Rejects when one fails: it waits on. */
	readonly catchUp: (journal: AttendedJournal) => Promise<void>;
	/** Tries those that wait a last time, behind `reopen`, and rejects the rest. From now on a write is tried once. */
	readonly end: (reopen: () => Promise<void>) => Promise<void>;
};

type Waiting = {
	readonly attempt: (journal: AttendedJournal) => Promise<void>;
	readonly reject: (problem: Problem) => void;
};

const pauses = {firstMilliseconds: 1000, longestMilliseconds: 60_000};

/** Each belongs to something that was under way when the journal failed; nothing that needs it begins without the journal. */
const mostWaiting = 10_000;

type RetriedWritesOptions = {
	readonly clock: Clock;
	/** The journal that is open, if any. While there is none, `catchUp` is the next try. */
	readonly current: () => AttendedJournal | undefined;
	/** Called with every error of the journal. */
	readonly failed: (caught: unknown) => void;
	readonly onState: ((state: RetriedWritesState) => void) | undefined;
};

/** Creates the writes; none waits at first. */
export function createRetriedWrites(options: RetriedWritesOptions): RetriedWrites {
	const {current, failed, onState = () => undefined} = options;
	const waiting = createWaiting(options);
	let phase: 'open' | 'stopped' = 'open';
	const postpone = async <Value>(write: Write<Value>, problem: Problem): Promise<Value> => {
		if (phase === 'stopped' || waiting.isFull()) {
			onState({kind: 'given-up', count: 1, problem});
			throw problem;
		}

		return waiting.add(write);
	};

	return {
		async write(write) {
			const journal = current();
			if (!journal) {
				return postpone(write, new Problem('storage_unavailable'));
			}

			try {
				return await write(journal);
			} catch (caught) {
				failed(caught);
				return postpone(write, toProblem(caught, 'storage_unavailable'));
			}
		},
		catchUp: waiting.tryAll,
		async end(reopen) {
			phase = 'stopped';
			waiting.rest();
			await reopen();
			const journal = current();
			await (journal && waiting.tryAll(journal).catch(failed));
			const detail = 'the gateway stopped before the journal could be written';
			const problem = new Problem('storage_unavailable', {detail});
			const count = waiting.reject(problem);
			if (count > 0) {
				onState({kind: 'given-up', count, problem});
			}
		},
	};
}

/** The writes that failed, in their order; while a journal is open, they are tried after pauses. */
function createWaiting({clock, current, failed, onState = () => undefined}: RetriedWritesOptions) {
	const waiting = new Set<Waiting>();
	const again = createBackOff(clock, pauses);
	let phase: 'open' | 'resting' = 'open';
	const tryAll = async (journal: AttendedJournal): Promise<void> => {
		const tried = await Promise.allSettled([...waiting].map(one => one.attempt(journal)));
		const failure = tried.find(({status}) => status === 'rejected');
		if (failure?.status === 'rejected') {
			throw failure.reason;
		}
	};

	const tryAgain = async () => {
		const journal = current();
		await (journal && tryAll(journal).catch(failed));
		schedule();
	};

	const schedule = () => {
		if (waiting.size > 0 && phase === 'open') {
			again.schedule(() => void tryAgain());
		}
	};

	const leave = (one: Waiting) => {
		if (waiting.delete(one) && waiting.size === 0) {
			again.reset();
			onState({kind: 'written'});
		}
	};

	return {
		tryAll,
		isFull: () => waiting.size >= mostWaiting,
		add: <Value>(write: Write<Value>): Promise<Value> =>
			new Promise((resolve, reject) => {
				const one: Waiting = {
					async attempt(journal) {
						const value = await write(journal);
						leave(one);
						resolve(value);
					},
					reject,
				};
				waiting.add(one);
				if (waiting.size === 1) {
					onState({kind: 'waiting'});
					schedule();
				}
			}),
		/** Nothing is tried after a pause any more. */
		rest() {
			phase = 'resting';
			again.reset();
		},
		/** Rejects all; returns how many there were. */
		reject(problem: Problem): number {
			const left = [...waiting];
			waiting.clear();
			left.forEach(one => one.reject(problem));
			return left.length;
		},
	};
}
