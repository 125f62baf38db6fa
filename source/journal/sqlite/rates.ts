import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {draftSeries, emptySeries, type RateSample, rateKey, type SeriesDraft} from '../../state/rate-series.ts';
import {callSample, requestSample} from '../../state/reduce-rates.ts';
import {type StoredRate} from '../records.ts';
import {callOutcome} from './calls.ts';
import {webhookOutcome} from './events.ts';
import {readRows} from './read-rows.ts';

/** From when on, and until before when. Milliseconds since the epoch. */
export type RateQuery = {readonly since: number; readonly before: number};

/** Reads what came in by each route and was called of each server: the newest of that, since writes wait for a read. */
export type ReadRates = (query: RateQuery) => readonly StoredRate[];

/** A row takes a few microseconds; one of a call more, because its record is read for its server. */
const mostEvents = 20_000;
const mostCalls = 5000;

const requestRow = z.object({time: z.number(), name: z.string(), outcome: webhookOutcome, ms: z.number()});
const failureRow = z.object({time: z.number(), name: z.string()});
const callRow = z.object({
	time: z.number(),
	profile: z.string(),
	name: z.string(),
	outcome: callOutcome,
	ms: z.number(),
});

/** Prepares the statements. */
export function createRateReader(database: DatabaseSync): ReadRates {
	const requests = database.prepare(`SELECT * FROM (
		SELECT time, route AS name, outcome, ms FROM events WHERE time >= ? AND time < ? ORDER BY time DESC LIMIT ${mostEvents}
	) ORDER BY time`);
	const failures = database.prepare(`SELECT * FROM (
		SELECT changed_at AS time, json_extract(record, '$.route') AS name FROM answers
		WHERE changed_at >= ? AND changed_at < ? AND state IN ('failed', 'outcome_uncertain')
		ORDER BY changed_at DESC LIMIT ${mostCalls}
	) ORDER BY time`);
	const calls = database.prepare(`SELECT * FROM (
		SELECT time, json_extract(record, '$.profile') AS profile, json_extract(record, '$.server') AS name, outcome, ifnull(ms, 0) AS ms
		FROM calls WHERE time >= ? AND time < ? AND outcome IS NOT NULL ORDER BY time DESC LIMIT ${mostCalls}
	) ORDER BY time`);
	return ({since, before}) => {
		const rates = draftRates();
		for (const row of readRows(requestRow, () => requests.all(since, before))) {
			rates.add({of: 'route', profile: '', name: row.name}, requestSample(row));
		}

		for (const {time, name} of readRows(failureRow, () => failures.all(since, before))) {
			rates.add({of: 'route', profile: '', name}, {time, count: 0, failed: 1});
		}

		for (const row of readRows(callRow, () => calls.all(since, before))) {
			rates.add({of: 'server', profile: row.profile, name: row.name}, callSample(row));
		}

		return rates.result();
	};
}

type RateName = Omit<StoredRate, 'series'>;

function draftRates() {
	const drafts = new Map<string, {readonly name: RateName; readonly series: SeriesDraft}>();
	return {
		add(name: RateName, sample: RateSample | undefined) {
			const key = `${name.of} ${rateKey(name.profile, name.name)}`;
			const draft = drafts.get(key) ?? {name, series: draftSeries(emptySeries)};
			if (sample) {
				drafts.set(key, draft);
				draft.series.add(sample);
			}
		},
		result: (): readonly StoredRate[] =>
			[...drafts.values()].map(({name, series}) => ({...name, series: series.result()})),
	};
}
