import {type DatabaseSync} from 'node:sqlite';
import {type StoredRate} from '../records.ts';
import {calledRow, failureRow, type RateQuery, requestRow, storedRates} from '../rows/rates.ts';
import {readRows} from '../rows/read-rows.ts';

/** Reads what came in by each route and was called of each server: the newest of that, since writes wait for a read. */
export type ReadRates = (query: RateQuery) => readonly StoredRate[];

/** A row takes a few microseconds. */
const mostEvents = 20_000;
const mostCalls = 5000;

/** Prepares the statements. */
export function createRateReader(database: DatabaseSync): ReadRates {
	const requests = database.prepare(`SELECT * FROM (
		SELECT time, route AS name, outcome, ms FROM events WHERE time >= ? AND time < ? ORDER BY time DESC LIMIT ${mostEvents}
	) ORDER BY time`);
	const failures = database.prepare(`SELECT * FROM (
		SELECT changed_at AS time, CASE WHEN json_valid(record) THEN json_extract(record, '$.route') END AS name FROM answers
		WHERE changed_at >= ? AND changed_at < ? AND state IN ('failed', 'outcome_uncertain')
		ORDER BY changed_at DESC LIMIT ${mostCalls}
	) ORDER BY time`);
	const calls = database.prepare(`SELECT * FROM (
		SELECT time, profile, server AS name, outcome, ifnull(ms, 0) AS ms
		FROM calls WHERE time >= ? AND time < ? AND outcome IS NOT NULL ORDER BY time DESC LIMIT ${mostCalls}
	) ORDER BY time`);
	return ({since, before}) =>
		storedRates({
			requests: readRows(requestRow, () => requests.all(since, before)),
			failures: readRows(failureRow, () => failures.all(since, before)),
			calls: readRows(calledRow, () => calls.all(since, before)),
		});
}
