import {type Clock} from '../../util/clock.ts';

const mostPerMinute = 10;
const minuteMilliseconds = 60_000;

/** Lets the first ten warnings of a minute through and counts the rest: a server must not fill the log by asking. */
export function createLimitedWarning(clock: Clock, warn: (text: string) => void): (text: string) => void {
	let minute = Number.NEGATIVE_INFINITY;
	let told = 0;
	let untold = 0;
	return text => {
		const now = clock.elapsed();
		if (now - minute >= minuteMilliseconds) {
			if (untold > 0) {
				warn(`${untold} more remarks about what it asks were left out`);
			}

			minute = now;
			told = 0;
			untold = 0;
		}

		if (told < mostPerMinute) {
			told++;
			warn(text);
		} else {
			untold++;
		}
	};
}
