import {randomInt} from 'node:crypto';

const perMillisecond = 0x10_00;
const wrapMilliseconds = 2 ** 36;

let counter = randomInt(perMillisecond);
let latest = 0;
/** `latest` in digits: ids that are made together share it. */
let latestDigits = digits(latest, 9);

/**
A fresh identifier that sorts behind those before it: nine hexadecimal digits of the time, which come around again after two years, and three
that count. Rows with such ids lie side by side in an index; random ones would touch another page of it each, which made a commit twice as slow.
`now` is milliseconds since the epoch; a clock that goes back does not make an id come twice.
*/
export function orderedId(now: number): string {
	const before = latest;
	latest = Math.max(latest, Math.floor(now));
	counter = (counter + 1) % perMillisecond;
	// Once around: those before it have a millisecond of their own, however long the clock stands still.
	latest += counter === 0 ? 1 : 0;
	if (latest !== before) {
		latestDigits = digits(latest % wrapMilliseconds, 9);
	}

	return latestDigits + digits(counter, 3);
}

/** When an ordered id was made, and its count among those of that millisecond. */
export type OrderedMoment = {readonly time: number; readonly count: number};

/**
Reads an ordered id; undefined for any other text. Of the times its digits may mean, the one nearest to `near` (milliseconds since the epoch) is
taken. A random id of the same length is read as well, as some time.
*/
export function readOrderedId(id: string, near: number): OrderedMoment | undefined {
	if (!/^[0-9a-f]{12}$/u.test(id)) {
		return undefined;
	}

	const behind = Number.parseInt(id.slice(0, 9), 16) - near;
	const distance = behind - wrapMilliseconds * Math.round(behind / wrapMilliseconds);
	return {time: near + distance, count: Number.parseInt(id.slice(9), 16)};
}

/** The ordered id of a moment. */
export function orderedIdOf({time, count}: OrderedMoment): string {
	return digits(((time % wrapMilliseconds) + wrapMilliseconds) % wrapMilliseconds, 9) + digits(count, 3);
}

function digits(value: number, count: number): string {
	return value.toString(16).padStart(count, '0');
}
