import {z} from 'zod';
import {draftSeries, emptySeries, type RateSample, rateKey, type SeriesDraft} from '../../state/rate-series.ts';
import {callSample, requestSample} from '../../state/reduce-rates.ts';
import {type StoredRate} from './records.ts';
import {callOutcome} from './call-rows.ts';
import {webhookOutcome} from './event-rows.ts';

/** From when on, and until before when. Milliseconds since the epoch. */
export type RateQuery = {readonly since: number; readonly before: number};

/** A request by a route. */
export const requestRow = z.object({time: z.number(), name: z.string(), outcome: webhookOutcome, ms: z.number()});
/** A delivery that failed. */
export const failureRow = z.object({time: z.number(), name: z.string()});
/** A call of a server. */
export const calledRow = z.object({
	time: z.number(),
	profile: z.string(),
	name: z.string(),
	outcome: callOutcome,
	ms: z.number(),
});

/** The rates of what was read, each list oldest first. */
export function storedRates(rows: {
	readonly requests: ReadonlyArray<z.output<typeof requestRow>>;
	readonly failures: ReadonlyArray<z.output<typeof failureRow>>;
	readonly calls: ReadonlyArray<z.output<typeof calledRow>>;
}): readonly StoredRate[] {
	const rates = draftRates();
	for (const row of rows.requests) {
		rates.add({of: 'route', profile: '', name: row.name}, requestSample(row));
	}

	for (const {time, name} of rows.failures) {
		rates.add({of: 'route', profile: '', name}, {time, count: 0, failed: 1});
	}

	for (const row of rows.calls) {
		rates.add({of: 'server', profile: row.profile, name: row.name}, callSample(row));
	}

	return rates.result();
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
