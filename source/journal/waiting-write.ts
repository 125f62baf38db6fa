import {type ConfirmedJournal} from './journal.ts';
import {isRefused, isTakenOver} from './operations/request-batches.ts';

/** A write of the journal. It may be carried out more than once, so that one of which nobody knows whether it is on disk is simply repeated. */
export type Write<Value> = (journal: ConfirmedJournal) => Promise<Value>;

/** A write that may wait. */
export type WaitingWrite = {
	/** Ends and claims without a bound are reported. `recovery`: of what an earlier process left, which the next start finds again. */
	readonly kind: 'end' | 'recovery' | 'claim';
	/** Resolves when it is over, also because nobody waits for it any more. Rejects when it failed. */
	readonly attempt: (journal: ConfirmedJournal) => Promise<void>;
	/** Rejects it; what may be on disk is withdrawn. */
	readonly giveUp: (reason: unknown) => void;
	readonly isOver: () => boolean;
};

/** Creates a write that is tried until it is over, and its result. */
export function createWaitingWrite<Value>(
	write: Write<Value>,
	{kind, withdraw = () => undefined}: Pick<WaitingWrite, 'kind'> & {readonly withdraw?: () => unknown},
): {readonly one: WaitingWrite; readonly result: Promise<Value>} {
	const {promise: result, resolve, reject} = Promise.withResolvers<Value>();
	// Its caller may look at it only once it has been tried.
	result.catch(() => undefined);
	let phase: 'waiting' | 'trying' | 'over' = 'waiting';
	let onDisk: 'no' | 'maybe' = 'no';
	const isOver = () => phase === 'over';
	const one: WaitingWrite = {
		kind,
		isOver,
		async attempt(journal) {
			if (phase !== 'waiting') {
				return;
			}

			phase = 'trying';
			try {
				const value = await write(journal);
				onDisk = 'maybe';
				resolve(value);
			} catch (caught) {
				onDisk = isRefused(caught) ? onDisk : 'maybe';
				if (!isTakenOver(caught) && !isOver()) {
					phase = 'waiting';
					throw caught;
				}

				reject(caught);
			}

			// It was given up meanwhile.
			if (isOver() && onDisk === 'maybe') {
				withdraw();
			}

			phase = 'over';
		},
		giveUp(reason) {
			if (phase === 'waiting' && onDisk === 'maybe') {
				withdraw();
			}

			phase = 'over';
			reject(reason);
		},
	};
	return {one, result};
}
