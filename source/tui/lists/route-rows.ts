import {failedShare, medianMilliseconds, perSecond, rateKey, type RateSeries} from '../../state/rate-series.ts';
import {type FailedDeliveryRow, type RouteRow, type Snapshot} from '../../state/snapshot.ts';
import {wideCells} from './columns.ts';
import {type Failures, failuresDetail, failuresNote, failuresStatus, noFailures} from './failed-delivery-lines.ts';
import {type KeyNames, labelled, type ListRow, nextActionText, rememberPairs} from './list-row.ts';
import {rateWords} from '../text/rate-text.ts';
import {cell, type Line, span} from '../text/span.ts';
import {failingText, routeText} from '../../state/entities/status-text.ts';
import {stateValue} from './sorting.ts';

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
		return rows.length === 0 ? steadyRow(route, requests) : routeRow(route, {rows, gateway, requests});
	});
}

/** The deliveries that fail for a route. */
export function failuresOfRoute(route: RouteRow, failed: readonly FailedDeliveryRow[]): readonly FailedDeliveryRow[] {
	return failed.filter(row => row.route === route.route && row.profile === route.servedBy);
}

/** Whether nothing comes in by a route that should, or its deliveries fail. */
export function isRouteInTrouble({state}: RouteRow, failures: readonly FailedDeliveryRow[]): boolean {
	return failures.length > 0 || state === 'failed' || state === 'skipped';
}

/** The route for which deliveries fail, if it is still there. */
export function routeOf(failed: FailedDeliveryRow, routes: readonly RouteRow[]): RouteRow | undefined {
	return routes.find(({route, servedBy}) => failed.route === route && failed.profile === servedBy);
}

/** A route whose deliveries arrive. */
const steadyRow = rememberPairs((route: RouteRow, requests: RateSeries | undefined) =>
	routeRow(route, {...noFailures, requests}),
);

/** What is known of a route beside its state: the deliveries that fail for it, and how often it is called. */
type Known = Omit<Failures, 'nameOf'> & {readonly requests: RateSeries | undefined};

function routeRow(route: RouteRow, {rows, gateway, requests}: Known): ListRow {
	const failures: Failures = {rows, gateway, nameOf: ({target}) => `to ${target}`};
	return {
		id: routeId(route),
		copy: route.url,
		...(isRouteInTrouble(route, rows) && {trouble: true}),
		fields: () => ({
			route: route.route,
			state: rows.length === 0 ? route.state : `${route.state} ${failingText.word}`,
			source: route.source,
			deliver: route.deliver,
			events: route.events.join(' '),
			reason: [route.reason ?? '', failuresNote(failures)].join(' ').trim(),
			profile: route.servedBy,
		}),
		values: at => ({
			name: route.route,
			state: stateValue(rows.length === 0 ? routeText[route.state] : failingText),
			rate: requests && perSecond(requests, at),
			failed: requests && failedShare(requests, at),
			p50: requests && medianMilliseconds(requests),
			last: requests?.lastAt,
		}),
		line: width => routeLine(route, failures, width),
		detail: (width, now, keys) => routeDetail(route, failures, {width, keys, requests: rateWords(requests, now)}),
	};
}

/** Routes of two profiles may share a name. */
export function routeId(route: {readonly profile: string; readonly route: string}): string {
	return `${route.profile}/${route.route}`;
}

function routeLine(route: RouteRow, failures: Failures, width: number): Line {
	const isFailing = failures.rows.length > 0;
	const {glyph, word, tone} = isFailing ? failingText : routeText[route.state];
	const trouble = isFailing ? failuresNote(failures) : route.reason;
	return width < 60
		? [span(`${glyph} `, tone), cell(route.route, 17, 'strong'), span(word, tone)]
		: [
				span(`${glyph} `, tone),
				cell(route.route, wideCells(19, 0.1, width), 'strong'),
				cell(word, 10, tone),
				cell(route.deliver, 15, 'dim'),
				cell(route.events.join(' ') || 'all events', 21),
				span(trouble ?? route.url, trouble === undefined ? 'dim' : tone),
			];
}

function routeDetail(
	route: RouteRow,
	failures: Failures,
	{width, keys, requests}: {readonly width: number; readonly keys: KeyNames; readonly requests: string},
): Line[] {
	return [
		failuresStatus(routeText[route.state], failures),
		...failuresDetail(failures, width, keys),
		...labelled('reason', route.reason, width),
		...labelled('next', nextActionText({...route, profile: route.servedBy}, keys), width),
		...labelled('route', route.route, width),
		...labelled('requests', requests, width),
		...labelled('address', route.url, width),
		...labelled('events', route.events.join(', ') || 'all', width),
		...labelled('deliver', route.deliver, width),
		...labelled('source', route.source === 'config' ? 'config.yaml' : 'a subscription', width),
		...labelled('profile', route.servedBy, width),
	];
}
