import {type Gateway} from '../../gateway/gateway.ts';
import {type Clock, sleep} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';

/** The time before a stop in which a gateway refuses nothing yet, once. */
export type Draining = {
	readonly drain: (reason: string) => Promise<void>;
	/** Ends it, if it is under way and was not ended before. */
	readonly skip: () => 'skipped' | 'nothing-to-skip';
};

/** Longer than a start takes on a disk that works, however busy. */
const startSeconds = 20;

/** Waits for a start that is to be followed by a stop at once. Rejects with `storage_unavailable` when it hangs. */
export async function startToStop(start: Promise<unknown>, clock: Clock): Promise<void> {
	const over = new AbortController();
	const late = sleep(clock, startSeconds * 1000, over.signal).then(() => {
		throw new Problem('storage_unavailable', {
			message: `The gateway was asked to stop, but its start did not end within ${startSeconds} seconds`,
			remedy: 'Check the disk that holds the state directory',
		});
	});
	await Promise.race([start, late]).finally(() => {
		late.catch(() => undefined);
		over.abort();
	});
}

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
