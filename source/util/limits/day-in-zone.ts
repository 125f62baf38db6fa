/** A day of a time zone: its date as a number, 20260131, and its first and last moment in milliseconds since the epoch. */
export type Day = {readonly date: number; readonly startsAt: number; readonly endsAt: number};

/** True if the name is that of a time zone. */
export function isTimeZone(name: string): boolean {
	try {
		formatOf(name);
		return true;
	} catch {
		return false;
	}
}

/** No day of any zone is longer. */
const longestMilliseconds = 26 * 60 * 60 * 1000;

/** The day of a time zone at a moment. */
export function dayInZone(now: number, timeZone: string): Day {
	const format = formatOf(timeZone);
	const dateAt = (time: number) => dateOf(format, time);
	const date = dateAt(now);
	return {
		date,
		startsAt: firstSuch(now - longestMilliseconds, now, time => dateAt(time) >= date),
		endsAt: firstSuch(now, now + longestMilliseconds, time => dateAt(time) > date),
	};
}

/** A date as people write it: 2026-01-31. */
export function dateText(date: number): string {
	const digits = String(date).padStart(8, '0');
	return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** The first moment from which on a condition holds, which does not hold at `from` and holds at `to`. */
function firstSuch(from: number, to: number, holds: (time: number) => boolean): number {
	let [low, high] = [Math.floor(from), Math.ceil(to)];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (holds(middle)) {
			high = middle;
		} else {
			low = middle;
		}
	}

	return high;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat('en-US', {
		timeZone,
		calendar: 'gregory',
		numberingSystem: 'latn',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
	});
}

function dateOf(format: Intl.DateTimeFormat, time: number): number {
	const parts = new Map(format.formatToParts(time).map(({type, value}) => [type, value]));
	return Number(`${parts.get('year')}${parts.get('month')}${parts.get('day')}`);
}
