import {
	emptySeries,
	failedShare,
	lastMinute,
	perSecond,
	rateKey,
	type RateSeries,
	secondMilliseconds,
} from '../../state/rate-series.ts';
import {type FailedDeliveryRow, type RouteRow, type Snapshot} from '../../state/snapshot.ts';
import {isServerInTrouble} from '../../state/waiting.ts';
import {agoText, failureTone, medianSpan, nothing, rateText, shareText} from '../text/rate-text.ts';
import {type Line, type Span, span} from '../text/span.ts';
import {failingText, routeText, type StatusLabel} from '../../state/entities/status-text.ts';
import {barColumns, type Column, columnsLine, partsThatFit} from './columns.ts';
import {type ListRow} from './list-row.ts';
import {failuresOfRoute, isRouteInTrouble, routeRows} from './route-rows.ts';
import {routeId} from '../../state/entities/route.ts';
import {overviewNameCells, serverRows} from './server-rows.ts';

type Sources = Pick<Snapshot, 'routes' | 'servers' | 'failedDeliveries' | 'gateway' | 'rates'>;

/** The rows of the overview: the routes, then the servers; of both, those first where something is wrong. */
export function overviewRows(snapshot: Sources): ListRow[] {
	return [...troubleFirst(overviewRoutes(snapshot)), ...troubleFirst(serverRows(snapshot))];
}

/** The first row where something is wrong; else the first server, for most keys are for servers. */
export function overviewStart(rows: readonly ListRow[]): number {
	const trouble = rows.findIndex(row => row.trouble);
	return Math.max(0, trouble === -1 ? rows.findIndex(row => !isRouteRow(row)) : trouble);
}

function troubleFirst(rows: readonly ListRow[]): readonly ListRow[] {
	return rows.toSorted((first, second) => Number(second.trouble ?? false) - Number(first.trouble ?? false));
}

/** At how many routes and servers something is wrong. */
export function countTrouble({
	routes,
	servers,
	failedDeliveries,
}: Pick<Snapshot, 'routes' | 'servers' | 'failedDeliveries'>): number {
	const failing = routes.filter(route => isRouteInTrouble(route, failuresOfRoute(route, failedDeliveries)));
	return failing.length + servers.filter(isServerInTrouble).length;
}

/** The row of a route in the overview: servers there may have the same name. */
export function overviewRouteId(route: Pick<RouteRow, 'profile' | 'route'>): string {
	return `${routePrefix}${routeId(route)}`;
}

const routePrefix = 'route ';

/** True for rows of routes in the overview; the others are servers. */
export function isRouteRow({id}: Pick<ListRow, 'id'>): boolean {
	return id.startsWith(routePrefix);
}

function overviewRoutes(snapshot: Sources): ListRow[] {
	const rows = routeRows(snapshot);
	return rows.flatMap((row, index): ListRow[] => {
		const route = snapshot.routes[index];
		if (!route) {
			return [];
		}

		const series = snapshot.rates.routes[rateKey(route.profile, route.route)];
		const failures = failuresOfRoute(route, snapshot.failedDeliveries);
		const shown: Shown = {route, series, ...statusOf(route, failures)};
		return [
			{
				...row,
				id: overviewRouteId(route),
				line: (width, now): Line => columnsLine(routeColumns(width), shown, now),
			},
		];
	});
}

/** The status of a route: while deliveries fail, their target and reason, whatever its own state. */
function statusOf(route: RouteRow, failures: readonly FailedDeliveryRow[]): Pick<Shown, 'status' | 'reason'> {
	const last = failures.toSorted((first, second) => first.lastAt - second.lastAt).at(-1);
	return last
		? {status: failingText, reason: `${last.target}: ${last.reason}`}
		: {status: routeText[route.state], reason: route.reason ?? ''};
}

type Shown = {
	readonly route: RouteRow;
	readonly status: StatusLabel;
	readonly reason: string;
	readonly series: RateSeries | undefined;
};

/** The columns of a route: how much comes in by it, how much of that fails, and what is wrong. */
export function routeColumns(width: number): ReadonlyArray<Column<Shown>> {
	const isNarrow = width < 58;
	const nameCells = overviewNameCells(width);
	const parts = isNarrow ? 0 : partsThatFit(width - nameCells - (width < 98 ? 50 : 66));
	return [
		{head: '', cells: 2, value: ({status: {glyph, tone}}) => span(glyph, tone)},
		{head: '', cells: isNarrow ? 14 : nameCells, value: ({route}) => span(route.route, 'strong')},
		...barsOf(parts),
		{
			head: '/s',
			cells: isNarrow ? 7 : 6,
			side: 'right',
			value({series}, now) {
				const rate = series ? perSecond(series, now) : 0;
				return rate === 0 ? nothing : span(rateText(rate));
			},
		},
		{head: 'failed', cells: isNarrow ? 7 : 8, side: 'right', value: failedSpan},
		...(isNarrow ? [] : [medianColumn]),
		...(width < 98 ? [] : [lastColumn]),
		{head: '', cells: 'rest', value: isNarrow ? wordNote : width < 98 ? shortNote : longNote},
	];
}

function barsOf(parts: number): ReadonlyArray<Column<Shown>> {
	return barColumns(parts, {
		head: 'last 60 s',
		unit: 's',
		slotsOf: ({series = emptySeries}, now) => ({slots: series.seconds, last: Math.floor(now / secondMilliseconds)}),
	});
}

const medianColumn: Column<Shown> = {head: 'p50', cells: 9, side: 'right', value: ({series}) => medianSpan(series)};

const lastColumn: Column<Shown> = {
	head: 'last',
	cells: 8,
	side: 'right',
	value: ({series}, now) => (series?.lastAt === undefined ? nothing : span(agoText(now - series.lastAt), 'dim')),
};

/** The share of failures in the last minute, or of the last hour in a fainter tone if the minute is empty. */
function failedSpan({series = emptySeries}: Shown, now: number): Span {
	const share = failedShare(series, now);
	if (share === undefined) {
		return nothing;
	}

	const isOld = share === 0 || lastMinute(series, now).count === 0;
	return span(shareText(share), isOld ? 'dim' : failureTone(share));
}

function wordNote({series, status, reason}: Shown, now: number): Span {
	const ago = series?.lastAt === undefined ? '' : agoText(now - series.lastAt);
	return isFine(status, reason) ? span(ago, 'dim') : span(status.word, status.tone);
}

function isFine({word}: StatusLabel, reason: string): boolean {
	return word === routeText.served.word && reason === '';
}

/** The trouble, or the time of the last event. */
function shortNote(shown: Shown, now: number): Span {
	const {series, status, reason} = shown;
	if (!isFine(status, reason)) {
		return longNote(shown);
	}

	return span(series?.lastAt === undefined ? 'no event yet' : `last ${agoText(now - series.lastAt)} ago`, 'dim');
}

function longNote({route, status, reason}: Shown): Span {
	if (isFine(status, reason)) {
		return span(`to ${route.deliver}`, 'dim');
	}

	return span(reason === '' ? status.word : `${status.word}: ${reason}`, status.tone);
}
