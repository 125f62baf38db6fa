/** Counts what is under way on a session. */
export type Usage = {
	readonly run: <Value>(work: () => Promise<Value>) => Promise<Value>;
	readonly busy: () => boolean;
	/** Resolves when nothing is under way; at once when nothing is. */
	readonly idle: () => Promise<void>;
};

/** Opens a count at zero. `onIdle` is called each time the last work has ended. */
export function createUsage(onIdle: () => void): Usage {
	const waiters = new Set<() => void>();
	let running = 0;
	return {
		async run(work) {
			running++;
			try {
				return await work();
			} finally {
				running--;
				if (running === 0) {
					waiters.forEach(waiter => waiter());
					waiters.clear();
					onIdle();
				}
			}
		},
		busy: () => running > 0,
		async idle() {
			if (running > 0) {
				await new Promise<void>(resolve => {
					waiters.add(resolve);
				});
			}
		},
	};
}
