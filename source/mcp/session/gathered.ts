import {type Clock, type Timer} from '../../util/clock.ts';

/** Collects notifications of one kind. */
export type Gathered = {
	readonly changed: () => void;
	readonly cancel: () => void;
};

const gatherMilliseconds = 250;

/** The first notification starts a short wait, and `run` is called once at its end: fifty notifications a second cause four calls. */
export function createGathered(clock: Clock, run: () => void): Gathered {
	let timer: Timer | undefined;
	return {
		changed() {
			timer ??= clock.after(gatherMilliseconds, () => {
				timer = undefined;
				run();
			});
		},
		cancel() {
			timer?.cancel();
			timer = undefined;
		},
	};
}
