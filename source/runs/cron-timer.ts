import {type Clock, type Timer} from '../util/clock.ts';
import {type Cron} from './cron.ts';

/** Fires due jobs until it is closed. */
export type CronTimer = {
	/** The jobs changed: waits for the next due job. */
	readonly reset: () => void;
	/** Resolves when all fired jobs are in the journal. */
	readonly close: () => Promise<void>;
};

/** The file may be edited by hand and the clock may jump, so no wait is longer than this. */
const longestWaitMilliseconds = 30_000;
const shortestWaitMilliseconds = 50;
/** Until jobs are tried again that could not be fired at their time. */
const postponedMilliseconds = 5000;

/** Starts the timer. An unreadable file is reported and read again later. */
export function openCronTimer(
	cron: Pick<Cron, 'fireDue' | 'nextAt'>,
	options: {readonly clock: Clock; readonly report: (caught: unknown) => void},
): CronTimer {
	const {clock, report} = options;
	let timer: Timer | undefined;
	let work: Promise<void> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	let due: 'done' | 'postponed' = 'done';

	const wait = () => {
		timer?.cancel();
		if (phase === 'open') {
			timer = clock.after(delay(), fire);
		}
	};

	const delay = () => {
		try {
			const until = (cron.nextAt() ?? Number.POSITIVE_INFINITY) - clock.now();
			const shortest = due === 'done' ? shortestWaitMilliseconds : postponedMilliseconds;
			return Math.min(Math.max(until, shortest), longestWaitMilliseconds);
		} catch (caught) {
			report(caught);
			return longestWaitMilliseconds;
		}
	};

	const fire = () => {
		work = work.then(fireDue).catch(report);
		void work.finally(wait);
	};

	const fireDue = async () => {
		due = await cron.fireDue();
	};

	wait();
	return {
		reset: wait,
		close() {
			phase = 'closed';
			timer?.cancel();
			return work;
		},
	};
}
