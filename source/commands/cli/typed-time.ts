import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

const units: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** A time as typed: how long ago (`10m`, `2h`, `1d`), or an ISO date or time, local where it names no zone. Throws `bad_usage`. */
export function readTime(text: string, now: number, flag: '--since' | '--until'): number {
	const ago = /^(?<count>\d{1,6})(?<unit>[smhd])$/u.exec(text.trim())?.groups;
	const unit = units[ago?.['unit'] ?? ''];
	if (unit !== undefined) {
		return now - Number(ago?.['count']) * unit;
	}

	const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u.test(text.trim());
	// A date alone would be taken in UTC, a time without a zone is local.
	const typed = text.trim().replace(' ', 'T');
	const time = iso ? Date.parse(typed.includes('T') ? typed : `${typed}T00:00`) : NaN;
	if (!Number.isFinite(time)) {
		throw new Problem('bad_usage', {
			message: `${flag} cannot be "${safeText(text, {maximumCharacters: 40})}". Allowed: an age such as 10m, 2h or 1d, or a time such as 2026-05-04T14:00`,
		});
	}

	return time;
}
