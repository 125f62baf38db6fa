import {createBackOff} from '../util/back-off.ts';
import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type ConfirmedJournal} from './journal.ts';
import {takenOver} from './operations/request-batches.ts';
import {createWaitingWrite, type WaitingWrite, type Write} from './waiting-write.ts';

/** The state of the ends that failed: reported when the first begins to wait, when all are on disk, and when some were given up. */
export type RetriedWritesState =
	| {readonly kind: 'waiting' | 'written'}
	| {readonly kind: 'given-up'; readonly count: number; readonly problem: Problem};

/** The way in which a claim waits. */
export type ClaimOptions = {
	/** Ends the wait with its reason. */
	readonly signal?: AbortSignal | undefined;
	/** `patience`: as long as `journal.patience` says; `unbounded`: as an end does. */
	readonly wait: 'patience' | 'unbounded';
	/** Carried out when nobody waits for the claim any more, though it may be on disk. */
	readonly undo?: Write<unknown> | undefined;
};

/** Writes that are tried until they are on disk (docs/journal.md, When the journal cannot be used). */
export type RetriedWrites = {
	/** The ends of runs, calls and deliveries. Resolves when the write is on disk. Rejects with `storage_unavailable` only after `end`. */
	readonly write: <Value>(write: Write<Value>, kind?: 'end' | 'recovery') => Promise<Value>;
	/** A claim must be on disk before something is done. Rejects with `storage_unavailable` when it waited too long, after `end`, and once this gateway was declared dead. */
	readonly claim: <Value>(write: Write<Value>, options: ClaimOptions) => Promise<Value>;
	/** The number of writes that wait. */
	readonly count: () => number;
	/** The number of ends that are not known to be on disk, including those that are tried for the first time. */
	readonly unwritten: () => number;
	/** The number of ends that a stop gave up: they are not on disk. */
	readonly givenUp: () => number;
	/** Another gateway has declared this one dead: what was claimed before is refused, and what is being claimed is undone. */
	readonly disown: () => void;
	/** Carries out those that wait, in order, in a journal that nothing else writes to yet. Rejects when one fails: it waits on. */
	readonly catchUp: (journal: ConfirmedJournal) => Promise<void>;
	/** Tries those that wait a last time, behind `reopen`, and rejects the rest. From now on a write is tried once. */
	readonly end: (reopen: () => Promise<void>) => Promise<void>;
};

/** A claim waits so long before the configuration has been read (`journal.patience`). */
export const usualPatienceMilliseconds = 600_000;

const pauses = {firstMilliseconds: 1000, longestMilliseconds: 60_000};

type RetriedWritesOptions = {
	readonly clock: Clock;
	/** A claim waits so long; read when it begins to. Default: ten minutes. */
	readonly patienceMilliseconds?: (() => number) | undefined;
	/** The journal that is open, if any. While there is none, `catchUp` is the next try. */
	readonly current: () => ConfirmedJournal | undefined;
	/** Called with every error of the journal. */
	readonly failed: (caught: unknown) => void;
	readonly onState: ((state: RetriedWritesState) => void) | undefined;
};

/** Creates the writes; none waits at first. */
export function createRetriedWrites(options: RetriedWritesOptions): RetriedWrites {
	const {current, failed, onState = () => undefined} = options;
	let givenUp = 0;
	const reportGivenUp = (ones: readonly WaitingWrite[], problem: Problem) => {
		givenUp += ones.filter(({kind}) => kind === 'end').length;
		onState({kind: 'given-up', count: ones.length, problem});
	};

	const waiting = createWaiting(options);
	let phase: 'open' | 'stopped' = 'open';

	/** Undefined once it is over, else the problem with which it failed. */
	const tryOnce = async (one: WaitingWrite): Promise<Problem | undefined> => {
		const journal = current();
		if (!journal) {
			return new Problem('storage_unavailable');
		}

		try {
			await one.attempt(journal);
			return undefined;
		} catch (caught) {
			failed(caught);
			return toProblem(caught, 'storage_unavailable');
		}
	};

	const ends = new Set<WaitingWrite>();
	const begin: typeof createWaitingWrite = (...one) => {
		const begun = createWaitingWrite(...one);
		if (begun.one.kind === 'end') {
			ends.add(begun.one);
			const leave = () => void ends.delete(begun.one);
			begun.result.then(leave, leave);
		}

		return begun;
	};

	const write: RetriedWrites['write'] = async (end, kind = 'end') => {
		const {one, result} = begin(end, {kind});
		const problem = await tryOnce(one);
		if (problem && phase === 'open') {
			waiting.add(one);
		} else if (problem) {
			reportGivenUp([one], problem);
			one.giveUp(problem);
		}

		return result;
	};

	const endOnce = async (reopen: () => Promise<void>) => {
		phase = 'stopped';
		await waiting.rest();
		await reopen();
		const journal = current();
		await (journal && waiting.tryAll(journal).catch(failed));
		const detail = 'the gateway stopped before the journal could be written';
		const problem = new Problem('storage_unavailable', {detail});
		const left = waiting.reject(problem).filter(isEnd);
		if (left.length > 0) {
			reportGivenUp(left, problem);
		}
	};

	// The end of the runs and that of the journal both ask for it: a second last try would reject what the first still writes.
	let ended: Promise<void> | undefined;
	return {
		write,
		...createClaims(options, {waiting, begin, write, tryOnce, reportGivenUp, isStopped: () => phase === 'stopped'}),
		count: waiting.count,
		unwritten: () => ends.size,
		givenUp: () => givenUp,
		catchUp: waiting.tryAll,
		end(reopen) {
			ended ??= endOnce(reopen);
			return ended;
		},
	};
}

/** The claims, which may be given up while they wait. */
function createClaims(
	{clock, patienceMilliseconds = () => usualPatienceMilliseconds}: RetriedWritesOptions,
	{
		waiting,
		begin,
		write,
		tryOnce,
		reportGivenUp,
		isStopped,
	}: {
		readonly waiting: ReturnType<typeof createWaiting>;
		readonly begin: typeof createWaitingWrite;
		readonly write: RetriedWrites['write'];
		readonly tryOnce: (one: WaitingWrite) => Promise<Problem | undefined>;
		readonly reportGivenUp: (ones: readonly WaitingWrite[], problem: Problem) => void;
		readonly isStopped: () => boolean;
	},
): Pick<RetriedWrites, 'claim' | 'disown'> {
	const claims = new Set<WaitingWrite>();
	const waitToClaim = (one: WaitingWrite, problem: Problem, {signal, wait}: ClaimOptions): (() => void) => {
		const giveUp = (reason: unknown) => {
			waiting.leave(one);
			one.giveUp(reason);
		};

		if (isStopped() || signal?.aborted === true || one.isOver()) {
			if (one.kind === 'end' && signal?.aborted !== true && !one.isOver()) {
				reportGivenUp([one], problem);
			}

			giveUp(signal?.reason ?? problem);
			return () => undefined;
		}

		waiting.add(one);
		const timer = wait === 'patience' ? clock.after(patienceMilliseconds(), () => giveUp(problem)) : undefined;
		const onAbort = () => giveUp(signal?.reason);
		signal?.addEventListener('abort', onAbort, {once: true});
		return () => {
			timer?.cancel();
			signal?.removeEventListener('abort', onAbort);
		};
	};

	return {
		async claim(claim, claiming) {
			const {signal, undo} = claiming;
			signal?.throwIfAborted();
			const withdraw = () => undo && void write(undo).catch(() => undefined);
			const {one, result} = begin(claim, {kind: claiming.wait === 'patience' ? 'claim' : 'end', withdraw});
			claims.add(one);
			const problem = await tryOnce(one);
			const endWaiting = problem && waitToClaim(one, problem, claiming);
			return result.finally(() => {
				endWaiting?.();
				claims.delete(one);
			});
		},
		disown() {
			for (const one of claims) {
				waiting.leave(one);
				one.giveUp(takenOver());
			}
		},
	};
}

/** True for a write that is reported while it waits. */
function isEnd({kind}: WaitingWrite): boolean {
	return kind !== 'claim';
}

/** The writes that failed, in their order; while a journal is open, they are tried after pauses. */
function createWaiting({clock, current, failed, onState = () => undefined}: RetriedWritesOptions) {
	const waiting = new Set<WaitingWrite>();
	const again = createBackOff(clock, pauses);
	let phase: 'open' | 'resting' = 'open';
	let trying: Promise<void> | undefined;
	const ends = () => [...waiting].filter(isEnd).length;
	const leave = (one: WaitingWrite) => {
		if (!waiting.delete(one)) {
			return;
		}

		if (isEnd(one) && ends() === 0) {
			onState({kind: 'written'});
		}

		if (waiting.size === 0) {
			again.reset();
		}
	};

	const tryAll = async (journal: ConfirmedJournal): Promise<void> => {
		const attempt = async (one: WaitingWrite) => {
			await one.attempt(journal);
			if (one.isOver()) {
				leave(one);
			}
		};

		const tried = await Promise.allSettled([...waiting].map(attempt));
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
			again.schedule(() => {
				trying = tryAgain();
			});
		}
	};

	return {
		tryAll,
		leave,
		count: () => waiting.size,
		add(one: WaitingWrite) {
			waiting.add(one);
			if (isEnd(one) && ends() === 1) {
				onState({kind: 'waiting'});
			}

			if (waiting.size === 1) {
				schedule();
			}
		},
		/** Nothing is tried after a pause any more. Resolves when nothing is being tried. */
		async rest() {
			phase = 'resting';
			again.reset();
			await trying;
		},
		/** Rejects all, and returns them. */
		reject(problem: Problem): readonly WaitingWrite[] {
			const left = [...waiting];
			waiting.clear();
			left.forEach(one => one.giveUp(problem));
			return left;
		},
	};
}
