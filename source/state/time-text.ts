import {type RequestDeadline} from './approval-event.ts';

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

/** A countdown or an age in minutes and seconds, `4:19`; below zero it stays at `0:00`. */
export function minutesText(milliseconds: number): string {
	const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The time that a request has, in words: `expires in 4:19`, or `paused, 4:19 left` while it stands still. `now` in milliseconds since the epoch. */
export function deadlineText(deadline: RequestDeadline, now: number): string {
	return deadline.expiresAt === null
		? `paused, ${minutesText(leftAt(deadline, now))} left`
		: `expires in ${minutesText(leftAt(deadline, now))}`;
}

/** The same for a column: `expires 4:19`, `paused 4:19`. */
export function shortDeadlineText(deadline: RequestDeadline, now: number): string {
	return `${deadline.expiresAt === null ? 'paused' : 'expires'} ${minutesText(leftAt(deadline, now))}`;
}

/** The milliseconds that a request has left. */
export function leftAt({expiresAt, left = 0}: RequestDeadline, now: number): number {
	return expiresAt === null ? left : expiresAt - now;
}

/** A change of the time of a request, as a line of the log. */
export function deadlineLogText({expiresAt, left = 0}: RequestDeadline): string {
	return expiresAt === null
		? `stands still while everything is held, with ${minutesText(left)} left`
		: `expires at ${timeOfDay(expiresAt)}`;
}

/** The time of day at which it expires, or that it stands still. */
export function untilText(expiresAt: number | null): string {
	return expiresAt === null ? 'paused' : timeOfDay(expiresAt);
}

/** A duration in words: `38 ms`, `4.2 s`, `3:05`. */
export function tookText(milliseconds: number): string {
	if (milliseconds < 1000) {
		return `${Math.round(milliseconds)} ms`;
	}

	return milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(1)} s` : minutesText(milliseconds);
}

/** A time near `now`: the time of day, with the date if it is another day. Both are milliseconds since the epoch; the result is in local time. */
export function dayAndTime(time: number, now: number): string {
	const date = new Date(time);
	const clock = timeOfDay(time).slice(0, 5);
	const day = `${date.getDate()} ${months[date.getMonth()]}`;
	return date.toDateString() === new Date(now).toDateString() ? clock : `${day} ${clock}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
