import {type Clock, type Timer} from '../util/clock.ts';

/** Interval of polls for changes that were not announced. */
const pollMilliseconds = 1000;

/** Takes over what others change in a database that is shared with them. */
export type Following = {
	/** Polls at once: another gateway has announced a change. */
	readonly poll: () => void;
	readonly close: () => void;
};

/** Polls each second and on a notification, one poll at a time. A later poll reads anything that one could not. */
export function followOthers(clock: Clock, pollOnce: () => Promise<void>): Following {
	let phase: 'waiting' | 'polling' | 'polling again' | 'closed' = 'waiting';
	let timer: Timer | undefined;
	const current = () => phase;
	const poll = async () => {
		timer?.cancel();
		phase = 'polling';
		await pollOnce().catch(() => undefined);
		if (current() === 'polling again') {
			await poll();
		} else if (current() === 'polling') {
			wait();
		}
	};

	const wait = () => {
		phase = 'waiting';
		timer = clock.after(pollMilliseconds, () => void poll());
	};

	wait();
	return {
		poll() {
			if (phase === 'waiting') {
				void poll();
			} else if (phase === 'polling') {
				phase = 'polling again';
			}
		},
		close() {
			phase = 'closed';
			timer?.cancel();
		},
	};
}
