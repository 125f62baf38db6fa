import {type LogRow, type Snapshot} from '../../state/snapshot.ts';
import {memoizeByObject} from '../../util/memoize.ts';

/** The cause of a warning or error, by which lines that repeat it are known; undefined for other lines. Addresses, counts and ids in a text are no part of it. */
export const causeOf = memoizeByObject(({level, area, text, profile}: LogRow): string | undefined =>
	level === 'warning' || level === 'error'
		? [profile, area, ...text.split(/\s+/u).map(word => (isNumber(word) ? '#' : word))].join(' ')
		: undefined,
);

/** A word of digits, signs and hexadecimal letters. */
function isNumber(word: string): boolean {
	return /\d/u.test(word) && !/[g-z]/iu.test(word);
}

/** Lines that say what a person did: the answers to commands, and holds. */
function isOwnAct({area, text}: LogRow): boolean {
	return area === 'commands' || (area === 'hold' && /^(?:held|released) /u.test(text));
}

/** The number of causes of trouble in the log after `seq`, without what persons did themselves. */
export function countTroubles({log}: Pick<Snapshot, 'log'>, seq: number): number {
	const after = log.slice(log.findLastIndex(row => row.seq <= seq) + 1);
	return new Set(
		after
			.filter(row => !isOwnAct(row))
			.map(causeOf)
			.filter(cause => cause !== undefined),
	).size;
}
