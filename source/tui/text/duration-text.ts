import {timeOfDay} from '../../state/time-text.ts';

export {minutesText, tookText} from '../../state/time-text.ts';

/** How long something has run, in its two largest units: `3 d 4 h`, `2 h 11 min`, `5 min`. */
export function uptimeText(milliseconds: number): string {
	const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
	const hours = Math.floor(minutes / 60);
	if (hours >= 24) {
		return `${Math.floor(hours / 24)} d ${hours % 24} h`;
	}

	return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** A time near `now`: the time of day, with the date if it is another day. Both are milliseconds since the epoch; the result is in local time. */
export function dayAndTime(time: number, now: number): string {
	const date = new Date(time);
	const clock = timeOfDay(time).slice(0, 5);
	const day = `${date.getDate()} ${months[date.getMonth()]}`;
	return date.toDateString() === new Date(now).toDateString() ? clock : `${day} ${clock}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
