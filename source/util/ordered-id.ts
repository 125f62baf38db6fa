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

/** The creation time of an ordered id, and its count within that millisecond. */
export type OrderedMoment = {readonly time: number; readonly count: number};

/**
Parses an ordered id; undefined for any other text. Its digits match several times; the one nearest to `near` (milliseconds since the epoch) is
returned. A random id of the same length is also parsed, as an arbitrary time.
*/
export function readOrderedId(id: string, near: number): OrderedMoment | undefined {
	if (!/^[0-9a-f]{12}$/u.test(id)) {
		return undefined;
	}

	const behind = Number.parseInt(id.slice(0, 9), 16) - near;
	const distance = behind - wrapMilliseconds * Math.round(behind / wrapMilliseconds);
	return {time: near + distance, count: Number.parseInt(id.slice(9), 16)};
}

/** The ordered id of a time. */
export function orderedIdOf({time, count}: OrderedMoment): string {
	return digits(((time % wrapMilliseconds) + wrapMilliseconds) % wrapMilliseconds, 9) + digits(count, 3);
}

function digits(value: number, count: number): string {
	return value.toString(16).padStart(count, '0');
}
