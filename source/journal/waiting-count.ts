import {type DatabaseSync} from 'node:sqlite';
import {inTransaction} from './database.ts';

/**
How many runs wait: queued ones and open windows. It is asked at each event, so it is counted along in memory, and read from the tables only when it
may be another: at the start, after a transaction that failed, and when another process wrote (one that claims a job does).
*/
export type WaitingCount = {
	readonly value: () => number;
	/** So many more wait, or fewer. */
	readonly add: (change: number) => void;
	/** Does `work` in a transaction, whose writes it counts along. Throws what `work` throws, with nothing kept and nothing counted. */
	readonly transaction: <Value>(work: () => Value) => Value;
};

/** Prepares the count. */
export function createWaitingCount(database: DatabaseSync): WaitingCount {
	const count = database.prepare(`
		SELECT (SELECT count(*) FROM runs WHERE state = 'queued') + (SELECT count(*) FROM windows) AS count
	`);
	const version = database.prepare('PRAGMA data_version');
	let known: number | undefined;
	let knownVersion: unknown;
	/** Nobody else writes while a transaction is open: it needs to look once. */
	let isCurrent = false;
	const look = () => {
		const found = version.get()?.['data_version'];
		known = found === knownVersion ? known : undefined;
		knownVersion = found;
		isCurrent = database.isTransaction;
	};

	return {
		value() {
			if (!isCurrent) {
				look();
			}

			known ??= Number(count.get()?.['count']);
			return known;
		},
		add(change) {
			known = known === undefined ? undefined : known + change;
		},
		transaction(work) {
			try {
				return inTransaction(database, work);
			} catch (caught) {
				known = undefined;
				throw caught;
			} finally {
				isCurrent = false;
			}
		},
	};
}
