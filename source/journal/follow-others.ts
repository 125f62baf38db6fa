import {type Clock, type Timer} from '../util/clock.ts';

/** Interval of polls for changes that were not announced. */
const lookMilliseconds = 1000;

/** Takes over what others change in a database that is shared with them. */
export type Following = {
	/** Somebody says that something changed. */
	readonly look: () => void;
	readonly close: () => void;
};

/** Polls each second and on a notification, one poll at a time. A later poll reads anything that one could not. */
export function followOthers(clock: Clock, lookOnce: () => Promise<void>): Following {
	let phase: 'waiting' | 'looking' | 'asked again' | 'closed' = 'waiting';
	let timer: Timer | undefined;
	const current = () => phase;
	const look = async () => {
		timer?.cancel();
		phase = 'looking';
		await lookOnce().catch(() => undefined);
		if (current() === 'asked again') {
			await look();
		} else if (current() === 'looking') {
			wait();
		}
	};

	const wait = () => {
		phase = 'waiting';
		timer = clock.after(lookMilliseconds, () => void look());
	};

	wait();
	return {
		look() {
			if (phase === 'waiting') {
				void look();
			} else if (phase === 'looking') {
				phase = 'asked again';
			}
		},
		close() {
			phase = 'closed';
			timer?.cancel();
		},
	};
}
