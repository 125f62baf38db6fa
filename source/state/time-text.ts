/** The local time of day, `14:02:31`; `time` is milliseconds since the epoch. */
export function timeOfDay(time: number): string {
	const date = new Date(time);
	return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => String(part).padStart(2, '0')).join(':');
}

/** The local date and time, `2026-05-04 14:02:31`. */
export function dateAndTime(time: number): string {
	return new Date(time).toLocaleString('sv');
}

/** The local time of day with milliseconds, `14:02:31.018`. */
export function preciseTimeOfDay(time: number): string {
	return `${timeOfDay(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}
