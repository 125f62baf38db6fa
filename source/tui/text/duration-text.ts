export {dayAndTime, deadlineText, leftAt, minutesText, shortDeadlineText, tookText} from '../../state/time-text.ts';

/** A duration in its two largest units: `3 d 4 h`, `2 h 11 min`, `5 min`. */
export function uptimeText(milliseconds: number): string {
	const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
	const hours = Math.floor(minutes / 60);
	if (hours >= 24) {
		return `${Math.floor(hours / 24)} d ${hours % 24} h`;
	}

	return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
