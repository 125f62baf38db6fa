import {type Clock, type Timer} from '../../util/clock.ts';

/** Gathers notices that a list has changed. */
export type Relisting = {
	readonly changed: () => void;
	readonly cancel: () => void;
};

const gatherMilliseconds = 250;

/** The first notice starts a short wait, and `list` runs once at its end: fifty notices a second mean four listings. */
export function createRelisting(clock: Clock, list: () => void): Relisting {
	let timer: Timer | undefined;
	return {
		changed() {
			timer ??= clock.after(gatherMilliseconds, () => {
				timer = undefined;
				list();
			});
		},
		cancel() {
			timer?.cancel();
			timer = undefined;
		},
	};
}
