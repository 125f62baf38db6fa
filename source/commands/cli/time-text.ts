import {dateAndTime} from '../../state/time-text.ts';

/** A time of a listing, to the second in local time; `-` when there is none. */
export function timeText(time: number | null): string {
	return time === null ? '-' : dateAndTime(time);
}
