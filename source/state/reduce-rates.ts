import {memoizeByObject} from '../util/memoize.ts';
import {type GatewayEvent} from './event.ts';
import {draftSeries, emptySeries, rateKey, type Rates, type RateSample, type RateSeries} from './rate-series.ts';
import {type RouteRow, type ServerRow, type Snapshot} from './snapshot.ts';

/** The events from which rates are counted. */
type RateEvent = Extract<
	GatewayEvent,
	{
		type:
			| 'webhook.settled'
			| 'delivery.settled'
			| 'tool.finished'
			| 'rates.restored'
			| 'route.removed'
			| 'server.removed';
	}
>;

const rateTypes = {
	'webhook.settled': true,
	'delivery.settled': true,
	'tool.finished': true,
	'rates.restored': true,
	'route.removed': true,
	'server.removed': true,
} satisfies Readonly<Record<RateEvent['type'], true>>;

/** The rates while a batch is counted: each series is copied once for all of it. */
export type RatesDraft = {
	/** Counts an event, if it is one that is counted and its route or server is among the rows. */
	readonly note: (event: GatewayEvent, rows: Pick<Snapshot, 'routes' | 'servers'>) => void;
	/** The same object as before when nothing was counted. */
	readonly result: () => Rates;
};

/** Begins to count. */
export function draftRates(rates: Rates): RatesDraft {
	const routes = draftTable(rates.routes);
	const servers = draftTable(rates.servers);
	return {
		note(event, rows) {
			if (!isRateEvent(event)) {
				return;
			}

			const {profile} = event;
			switch (event.type) {
				case 'webhook.settled': {
					const key = routeKeys(rows.routes).own.get(rateKey(profile, event.route));
					return event.node === undefined
						? routes.add(key, requestSample(event))
						: routes.join(key, seriesOf(requestSample(event)));
				}

				case 'delivery.settled': {
					const key = routeKeys(rows.routes).served.get(rateKey(profile, event.route ?? ''));
					const hasNotFailed = event.outcome === 'delivered' || event.outcome === 'retrying';
					return hasNotFailed ? undefined : routes.add(key, {time: event.time, count: 0, failed: 1});
				}

				case 'tool.finished':
					// The servers are those of this gateway.
					return event.node === undefined
						? servers.add(serverKeys(rows.servers).get(rateKey(profile, event.server)), callSample(event))
						: undefined;
				case 'rates.restored':
					return event.of === 'route'
						? routes.join(routeKeys(rows.routes).own.get(rateKey(profile, event.name)), event.series)
						: servers.join(serverKeys(rows.servers).get(rateKey(profile, event.name)), event.series);
				case 'route.removed':
					return routes.remove(rateKey(profile, event.route));
				case 'server.removed':
					return servers.remove(rateKey(profile, event.server));
			}
		},
		result() {
			const next = {routes: routes.result(), servers: servers.result()};
			return next.routes === rates.routes && next.servers === rates.servers ? rates : next;
		},
	};
}

/** One sample as a series: another gateway may have had it long before the newest of this one. */
function seriesOf(sample: RateSample): RateSeries {
	const draft = draftSeries(emptySeries);
	draft.add(sample);
	return draft.result();
}

function isRateEvent(event: GatewayEvent): event is RateEvent {
	return Object.hasOwn(rateTypes, event.type);
}

/** More routes or servers than this have no series. */
const maxSeries = 1000;

type Table = Readonly<Record<string, RateSeries>>;

/** A table that is being changed. Without a key, nothing is counted: the name is nobody's, and names may be anything. */
function draftTable(table: Table) {
	const drafts = new Map<string, ReturnType<typeof draftSeries>>();
	let rest = table;
	let count = Object.keys(table).length;
	const draftOf = (key: string) => {
		const known = drafts.get(key);
		if (known || (rest[key] === undefined && count >= maxSeries)) {
			return known;
		}

		count += rest[key] === undefined ? 1 : 0;
		const draft = draftSeries(rest[key] ?? emptySeries);
		drafts.set(key, draft);
		return draft;
	};

	return {
		add: (key: string | undefined, sample: RateSample | undefined): void =>
			key === undefined || !sample ? undefined : draftOf(key)?.add(sample),
		join: (key: string | undefined, series: RateSeries): void =>
			key === undefined ? undefined : draftOf(key)?.join(series),
		remove(key: string): void {
			drafts.delete(key);
			if (rest[key] !== undefined) {
				const {[key]: _removed, ...others} = rest;
				rest = others;
				count--;
			}
		},
		result: (): Table =>
			drafts.size === 0
				? rest
				: {...rest, ...Object.fromEntries([...drafts].map(([key, draft]) => [key, draft.result()]))},
	};
}

/** The keys of the routes by what names them: in webhook requests, and in deliveries, which belong to the profile that serves the route. */
const routeKeys = memoizeByObject((routes: readonly RouteRow[]) => {
	const keyOf = ({profile, route}: RouteRow) => rateKey(profile, route);
	return {
		own: new Map(routes.map(row => [keyOf(row), keyOf(row)])),
		served: new Map(routes.map(row => [rateKey(row.servedBy, row.route), keyOf(row)])),
	};
});

const serverKeys = memoizeByObject(
	(servers: readonly ServerRow[]) =>
		new Map(servers.map(({profile, server}) => [rateKey(profile, server), rateKey(profile, server)])),
);

/** A webhook request. One whose delivery failed is counted as failed by the delivery. */
export function requestSample({
	time,
	outcome,
	ms,
}: Pick<Extract<GatewayEvent, {type: 'webhook.settled'}>, 'time' | 'outcome' | 'ms'>): RateSample {
	return outcome === 'rejected' || outcome === 'unavailable'
		? {time, count: 1, failed: 1}
		: {time, count: 1, failed: 0, ms};
}

/** A tool call; undefined for one that its server never got. Only answered ones tell how fast a server is. */
export function callSample({
	time,
	outcome,
	ms,
}: Pick<Extract<GatewayEvent, {type: 'tool.finished'}>, 'time' | 'outcome' | 'ms'>): RateSample | undefined {
	switch (outcome) {
		case 'ok':
			return {time, count: 1, failed: 0, ms};
		case 'tool_error':
			return {time, count: 1, failed: 1, ms};
		case 'failed':
		case 'outcome_uncertain':
			return {time, count: 1, failed: 1};
		case 'approved':
		case 'denied':
		case 'timed_out':
		case 'no_channel':
		case 'cancelled':
			return undefined;
	}
}
