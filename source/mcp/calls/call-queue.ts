import PQueue from 'p-queue';
import {Problem} from '../../util/problem.ts';

/** Lets a bounded number of calls through at a time, in order of arrival. */
export type CallQueue = {
	/** Runs `work` when its turn has come. Rejects with the signal's reason when that aborts before; Problem `server_unavailable` when too many wait. */
	readonly run: <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;
};

const waitingLimit = 1000;

/** Opens a queue of `width` calls at a time. */
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

			// p-queue gives the place of a running task away when its signal aborts; a call keeps its place until it has ended.
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
