/** A bounded number of places, and a bounded queue for them. */
export type Slots = {
	/** Waits for a slot; the returned function releases it. Rejects with the reason of the signal, or with the refusal when too many wait. */
	readonly take: (signal: AbortSignal) => Promise<() => void>;
	/** True while no slot is taken. */
	readonly areFree: () => boolean;
};

/** Creates `max` slots, assigned in the order of the calls. */
export function createSlots(
	max: number,
	{maxWaiting, refusal}: {readonly maxWaiting: number; readonly refusal: () => Error},
): Slots {
	const waiting = new Set<() => void>();
	let taken = 0;

	const release = () => {
		taken--;
		const [next] = waiting;
		next?.();
	};

	const occupy = () => {
		taken++;
		return release;
	};

	return {
		areFree: () => taken === 0,
		take(signal) {
			return new Promise((resolve, reject) => {
				if (signal.aborted) {
					reject(signal.reason);
				} else if (taken < max) {
					resolve(occupy());
				} else if (waiting.size >= maxWaiting) {
					reject(refusal());
				} else {
					const leaveQueue = () => {
						waiting.delete(proceed);
						signal.removeEventListener('abort', onAbort);
					};
					const proceed = () => {
						leaveQueue();
						resolve(occupy());
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
