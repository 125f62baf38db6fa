import {Problem} from '../../util/problem.ts';

/** Lets a bounded number of calls through at a time, in order of arrival. */
export type CallQueue = {
	/** Runs `work` when its turn has come. Rejects with the signal's reason when that aborts before; Problem `server_unavailable` when too many wait. */
	readonly run: <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;
};

const waitingLimit = 1000;

/** Opens a queue of `width` calls at a time. */
export function createCallQueue(width: number): CallQueue {
	const waiting: Array<() => void> = [];
	let running = 0;

	const takeTurn = async (signal: AbortSignal): Promise<void> => {
		signal.throwIfAborted();
		if (running < width) {
			running++;
			return;
		}

		if (waiting.length >= waitingLimit) {
			throw new Problem('server_unavailable', {message: `${waitingLimit} calls are already waiting for this server`});
		}

		await new Promise<void>((resolve, reject) => {
			const onTurn = () => {
				signal.removeEventListener('abort', onAbort);
				resolve();
			};

			const onAbort = () => {
				waiting.splice(waiting.indexOf(onTurn), 1);
				reject(signal.reason);
			};

			waiting.push(onTurn);
			signal.addEventListener('abort', onAbort, {once: true});
		});
	};

	const endTurn = () => {
		const next = waiting.shift();
		if (next) {
			// The place is handed on, so that nobody can slip in between.
			next();
		} else {
			running--;
		}
	};

	return {
		async run(work, signal) {
			await takeTurn(signal);
			try {
				return await work();
			} finally {
				endTurn();
			}
		},
	};
}
