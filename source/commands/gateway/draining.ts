import {type Gateway} from '../../gateway/gateway.ts';

/** The time before a stop in which a gateway refuses nothing yet, once. */
export type Draining = {
	readonly drain: (reason: string) => Promise<void>;
	/** Ends it, if it is under way and was not ended before. */
	readonly skip: () => 'skipped' | 'nothing-to-skip';
};

/** Prepares it; it begins with `drain`. */
export function createDraining(gateway: Pick<Gateway, 'drain'>): Draining {
	const skipping = new AbortController();
	let phase: 'before' | 'draining' | 'over' = 'before';
	return {
		async drain(reason) {
			phase = 'draining';
			await gateway.drain(reason, skipping.signal);
			phase = 'over';
		},
		skip() {
			if (phase !== 'draining') {
				return 'nothing-to-skip';
			}

			phase = 'over';
			skipping.abort();
			return 'skipped';
		},
	};
}
