import {type Journal} from '../../journal/journal.ts';
import {type Clock} from '../../util/clock.ts';
import {type Outcome} from './outcome.ts';
import {quotaMilliseconds} from './route-limits.ts';

/** Counts requests per route in fixed windows, together with the other gateways of the journal (docs/postgresql.md, Several machines). */
export type SharedRateLimit = {
	/** Counts one request; resolves with the refusal when all gateways together have had `limit`, or when the journal cannot say. Never rejects. */
	readonly takeQuota: (route: string, limit: number) => Promise<Outcome | undefined>;
};

type SharedRateLimitOptions = {
	readonly clock: Pick<Clock, 'elapsed'>;
	readonly journal: Pick<Journal, 'takeQuotaBlock'>;
	/** Receives why the journal could not be asked, which no sender may see. */
	readonly report: (caught: unknown) => void;
	/** Another window, for tests. */
	readonly milliseconds?: number;
};

/** Creates a limiter that has nothing of any quota yet. Count only the names of known routes, or it would grow without bound. */
export function createSharedRateLimit(options: SharedRateLimitOptions): SharedRateLimit {
	const quotas = new Map<string, {readonly limit: number; readonly take: TakeOne}>();
	return {
		takeQuota(route, limit) {
			let quota = quotas.get(route);
			// A block taken under another limit must not be used up under this one.
			if (quota?.limit !== limit) {
				quota = {limit, take: createQuota(route, limit, options)};
				quotas.set(route, quota);
			}

			return quota.take();
		},
	};
}

type TakeOne = () => Promise<Outcome | undefined>;

/**
The quota of one route. A block of it is counted down here, and the next one is taken when it is used up: all requests that wait for it by then share one
statement, and are served in their order. That nothing is left holds until the window ends.
*/
function createQuota(route: string, limit: number, options: SharedRateLimitOptions): TakeOne {
	const {clock, journal, report, milliseconds = quotaMilliseconds} = options;
	const waiting: Array<(refusal: Outcome | undefined) => void> = [];
	let block = {granted: 0, left: 0, endsAt: Number.NEGATIVE_INFINITY};

	const takeBlock = async () => {
		// Counted from the question, however long the answer takes: the window is not over before in the journal, so nothing of it is used in the next one.
		const askedAt = clock.elapsed();
		const query = {limit, wanted: waiting.length, windowMilliseconds: milliseconds};
		const {granted, leftMilliseconds} = await journal.takeQuotaBlock(route, query);
		block = {granted, left: granted, endsAt: askedAt + leftMilliseconds};
	};

	/** Answers those that wait, in turn, until nobody does. */
	const serve = async () => {
		while (waiting.length > 0) {
			const remaining = block.endsAt - clock.elapsed();
			if (remaining > 0 && block.left > 0) {
				block.left--;
				waiting.shift()?.(undefined);
			} else if (remaining > 0 && block.granted === 0) {
				waiting.shift()?.({kind: 'rate-limited', retryAfterSeconds: Math.ceil(remaining / 1000)});
			} else {
				await takeBlock();
			}
		}
	};

	return () =>
		new Promise(resolve => {
			waiting.push(resolve);
			if (waiting.length === 1) {
				serve().catch((caught: unknown) => {
					report(caught);
					waiting.splice(0).forEach(refuse => refuse({kind: 'storage-unavailable'}));
				});
			}
		});
}
