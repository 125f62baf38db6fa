import {randomInt} from 'node:crypto';

const perMillisecond = 0x10_00;
const wrapMilliseconds = 2 ** 36;

let counter = randomInt(perMillisecond);
let latest = 0;
/** The digits of `latest`, shared by ids of the same millisecond. */
let latestDigits = digits(latest, 9);

/**
A new identifier that sorts after all earlier ones: nine hexadecimal digits of the time, which wrap around after two years, and three
of a counter. Rows with such ids are adjacent in an index; random ones would touch a page each, which made a commit twice as slow.
`now` is milliseconds since the epoch; a clock that is set back does not repeat an id.
*/
export function orderedId(now: number): string {
	const before = latest;
	latest = Math.max(latest, Math.floor(now));
	counter = (counter + 1) % perMillisecond;
	// After a wrap the counter continues in the next millisecond, even if the clock stands still.
	latest += counter === 0 ? 1 : 0;
	if (latest !== before) {
		latestDigits = digits(latest % wrapMilliseconds, 9);
	}

	return latestDigits + digits(counter, 3);
}

function digits(value: number, count: number): string {
	return value.toString(16).padStart(count, '0');
}
