import {type StoredRate} from '../rows/records.ts';
import {calledRow, failureRow, type RateQuery, requestRow, storedRates} from '../rows/rates.ts';
import {readRows, type TableAccess} from './query.ts';

/** Reads what came in by each route and was called of each server: the newest of that. */
export type ReadRates = (query: RateQuery) => Promise<readonly StoredRate[]>;

/** The gateway counts these rows once, at its start, in the thread that answers its senders. */
const maxEvents = 20_000;
const maxCalls = 5000;

/** The newest rows within the time of the query, oldest first. */
const oldestFirst = (newest: string) => `SELECT * FROM (${newest}) AS newest ORDER BY time`;

const requests = oldestFirst(`
	SELECT time, route AS name, outcome, ms FROM events
	WHERE time >= $1 AND time < $2 ORDER BY time DESC LIMIT ${maxEvents}
`);

/** The three statements. Other gateways of a journal count what they did themselves. */
export function createRateReader({query, dialect, owner}: TableAccess): ReadRates {
	const failures = oldestFirst(`
		SELECT changed_at AS time, route AS name FROM answers
		WHERE changed_at >= $1 AND changed_at < $2 AND state IN ('failed', 'outcome_uncertain') AND ${dialect.isOwn}
		ORDER BY changed_at DESC LIMIT ${maxCalls}
	`);
	const calls = oldestFirst(`
		SELECT time, profile, server AS name, outcome, coalesce(ms, 0) AS ms FROM calls
		WHERE time >= $1 AND time < $2 AND outcome IS NOT NULL AND ${dialect.isOwn} ORDER BY time DESC LIMIT ${maxCalls}
	`);
	return async ({since, before}) => {
		const within = [since, before];
		return storedRates({
			requests: await readRows(requestRow, query(requests, within)),
			failures: await readRows(failureRow, query(failures, [...within, owner.instanceId])),
			calls: await readRows(calledRow, query(calls, [...within, owner.instanceId])),
		});
	};
}
