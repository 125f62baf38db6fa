import {randomBytes} from 'node:crypto';

const pooledBytes = 2048;

/** Random digits are fetched for many ids at once: a call for each would cost more than the rest of an id. */
let pool = '';
let used = 0;

function randomDigits(count: number): string {
	if (used + count > pool.length) {
		pool = randomBytes(pooledBytes).toString('hex');
		used = 0;
	}

	used += count;
	return pool.slice(used - count, used);
}

/** A new short name of twelve random hexadecimal digits: for cron jobs, remembered approvals and files. Rows of the journal have an `orderedId`. */
export function randomId(): string {
	return randomDigits(12);
}

const counterSteps = 0x10_00;
let counter = 0;
let latest = 0;
/** The digits of `latest`, shared by the ids of a millisecond. */
let timeDigits = '';

/**
A new UUID of version 7 (RFC 9562, 5.7): 48 bits of time, a counter of 12 bits (6.2, method 1) and 62 random bits. It sorts after all earlier ones
of this process, so that rows with such ids are adjacent in an index; random ones would touch a page each, which made a commit twice as slow.
`now` is milliseconds since the epoch; a clock that is set back, or a full counter, goes on from the latest time.
*/
export function orderedId(now: number): string {
	const time = Math.floor(now);
	if (time > latest) {
		startMillisecond(time);
	} else if (++counter === counterSteps) {
		startMillisecond(latest + 1);
	}

	const variant = '89ab'.charAt(Number.parseInt(randomDigits(1), 16) % 4);
	return `${timeDigits}-7${counter.toString(16).padStart(3, '0')}-${variant}${randomDigits(3)}-${randomDigits(12)}`;
}

/** The counter begins at random in its lower half, and so has room for at least 2,048 ids of a millisecond. */
function startMillisecond(time: number): void {
	latest = time;
	counter = Number.parseInt(randomDigits(3), 16) % (counterSteps / 2);
	const digits = latest.toString(16).padStart(12, '0');
	timeDigits = `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** The time when an `orderedId` was made, in milliseconds since the epoch, or a little later; undefined for other texts. */
export function timeOfId(id: string): number | undefined {
	return /^[\da-f]{8}-[\da-f]{4}-7/u.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
