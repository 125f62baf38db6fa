import {type Failures, noFailures} from '../../state/entities/delivery.ts';
import {routeEntity} from '../../state/entities/route.ts';
import {failedShare, medianMilliseconds, perSecond, rateKey, type RateSeries} from '../../state/rate-series.ts';
import {type FailedDeliveryRow, type RouteRow, type Snapshot} from '../../state/snapshot.ts';
import {rateWords} from '../text/rate-text.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberPairs} from './list-row.ts';

/** The rows of the webhook routes, each with the deliveries that fail for it. */
export function routeRows({
	routes,
	failedDeliveries,
	gateway,
	rates,
}: Pick<Snapshot, 'routes' | 'failedDeliveries' | 'gateway' | 'rates'>): ListRow[] {
	return routes.map(route => {
		const rows = failuresOfRoute(route, failedDeliveries);
		const requests = rates.routes[rateKey(route.profile, route.route)];
		return rows.length === 0
			? steadyRow(route, requests)
			: routeRow(route, requests, {rows, gateway, nameOf: ({target}) => `to ${target}`});
	});
}

/** The deliveries that fail for a route. */
export function failuresOfRoute(route: RouteRow, failed: readonly FailedDeliveryRow[]): readonly FailedDeliveryRow[] {
	return failed.filter(row => row.route === route.route && row.profile === route.servedBy);
}

/** True if a route that should take events takes none, or its deliveries fail. */
export function isRouteInTrouble({state}: RouteRow, failures: readonly FailedDeliveryRow[]): boolean {
	return failures.length > 0 || state === 'failed' || state === 'skipped';
}

/** The route for which deliveries fail, if it is still there. */
export function routeOf(failed: FailedDeliveryRow, routes: readonly RouteRow[]): RouteRow | undefined {
	return routes.find(({route, servedBy}) => failed.route === route && failed.profile === servedBy);
}

/** A route whose deliveries arrive. */
const steadyRow = rememberPairs((route: RouteRow, requests: RateSeries | undefined) =>
	routeRow(route, requests, noFailures),
);

/** A route with the deliveries that fail for it, and how often it is called. */
function routeRow(route: RouteRow, requests: RateSeries | undefined, failing: Failures): ListRow {
	const row = entityRow(routeEntity, {...route, failing, requests: (now: number) => rateWords(requests, now)});
	return {
		...row,
		...(isRouteInTrouble(route, failing.rows) && {trouble: true}),
		values: at => ({
			...row.values?.(at),
			rate: requests && perSecond(requests, at),
			failed: requests && failedShare(requests, at),
			p50: requests && medianMilliseconds(requests),
			last: requests?.lastAt,
		}),
	};
}
