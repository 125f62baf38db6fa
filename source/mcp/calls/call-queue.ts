import PQueue from 'p-queue';
import {Problem} from '../../util/problem.ts';

/** Runs a bounded number of calls at a time, in order of arrival. */
export type CallQueue = {
	/** Runs `work` in its turn. Rejects with the signal's reason if that aborts before; with Problem `server_unavailable` when too many wait. */
	readonly run: <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;
};

const waitingLimit = 1000;

/** Creates a queue that runs `width` calls at a time. */
export function createCallQueue(width: number): CallQueue {
	const queue = new PQueue({concurrency: width});
	return {
		async run(work, signal) {
			signal.throwIfAborted();
			if (queue.size >= waitingLimit) {
				throw new Problem('server_unavailable', {
					message: `${waitingLimit} calls are already waiting for this server`,
				});
			}

			// p-queue frees the slot of a running task when its signal aborts; a call holds its slot until it has ended.
			const waiting = new AbortController();
			const onAbort = () => waiting.abort(signal.reason);
			signal.addEventListener('abort', onAbort, {once: true});
			const start = () => {
				signal.removeEventListener('abort', onAbort);
				return work();
			};

			return queue.add(start, {signal: waiting.signal});
		},
	};
}
