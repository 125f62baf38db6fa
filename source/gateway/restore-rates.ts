import {type Journal} from '../journal/journal.ts';
import {type EventBus} from '../state/event-bus.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {minuteMilliseconds, seriesSpan} from '../state/rate-series.ts';
import {type Clock} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';

/** By then the routes and servers are known, and the gateway has answered its first callers. */
const restMilliseconds = 1000;

/**
Publishes, a moment after the start, what came in by each route and was called of each server in the hour before (docs/dashboard.md, Overview). What
came since then is counted by the events themselves. The returned function ends it.
*/
export function restoreRates(
	{
		clock,
		eventBus,
		profile,
	}: {readonly clock: Clock; readonly eventBus: Pick<EventBus, 'publishFor'>; readonly profile: string},
	options: {
		readonly journal: Pick<Journal, 'listRates'>;
		/** Waits until the journal can be read. */
		readonly take: (read: () => Promise<void>) => Promise<void>;
		readonly live: Pick<LiveSnapshot, 'current'>;
		/** Milliseconds since the epoch. */
		readonly startedAt: number;
	},
): () => void {
	const {journal, take, live, startedAt: before} = options;
	const since = before - seriesSpan * minuteMilliseconds;
	const restore = async () => {
		const rates = await journal.listRates({since, before});
		const {routes, servers} = live.current();
		for (const {of, profile: owner, name, series} of rates) {
			const shown = safeText(name, {maximumCharacters: 300});
			const isKnown =
				of === 'route'
					? routes.some(({route}) => route === shown)
					: servers.some(row => row.server === shown && row.profile === owner);
			// Anybody may have asked for a route that never was.
			if (isKnown) {
				eventBus.publishFor(of === 'route' ? profile : owner)({type: 'rates.restored', of, name: shown, series});
			}
		}
	};

	const timer = clock.after(restMilliseconds, () => void take(restore));
	return timer.cancel;
}
