import {Problem} from '../../util/problem.ts';

/** A bounded number of places, and a bounded queue before them. */
export type ThreadPlaces = {
	/** Waits for a place; the returned function gives it back. Rejects with the reason of the signal, or `fetch_failed` when too many wait. */
	readonly take: (signal: AbortSignal) => Promise<() => void>;
};

/** Opens `most` places; who comes first gets one first. */
export function openThreadPlaces(most: number, mostWaiting: number): ThreadPlaces {
	const waiting = new Set<() => void>();
	let taken = 0;

	const give = () => {
		taken--;
		const [next] = waiting;
		next?.();
	};

	const enter = () => {
		taken++;
		return give;
	};

	return {
		take(signal) {
			return new Promise((resolve, reject) => {
				if (signal.aborted) {
					reject(signal.reason);
				} else if (taken < most) {
					resolve(enter());
				} else if (waiting.size >= mostWaiting) {
					reject(new Problem('fetch_failed', {message: 'Too many pages are being read; try again later'}));
				} else {
					const leaveQueue = () => {
						waiting.delete(proceed);
						signal.removeEventListener('abort', onAbort);
					};
					const proceed = () => {
						leaveQueue();
						resolve(enter());
					};
					const onAbort = () => {
						leaveQueue();
						reject(signal.reason);
					};
					waiting.add(proceed);
					signal.addEventListener('abort', onAbort, {once: true});
				}
			});
		},
	};
}
