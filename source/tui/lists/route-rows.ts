import {type RouteRow} from '../../state/snapshot.ts';
import {labelled, labelledStatus, type ListRow, rememberRows} from './list-row.ts';
import {cell, type Line, span} from '../text/span.ts';
import {routeText} from '../text/status-text.ts';

/** The row of a webhook route. */
export const routeListRow = rememberRows(
	(route: RouteRow): ListRow => ({
		id: routeId(route),
		copy: route.url,
		fields: () => ({
			route: route.route,
			state: route.state,
			source: route.source,
			deliver: route.deliver,
			events: route.events.join(' '),
			reason: route.reason ?? '',
			profile: route.servedBy,
		}),
		line: width => routeLine(route, width),
		detail: width => routeDetail(route, width),
	}),
);

/** Routes of two profiles may share a name. */
export function routeId(route: {readonly profile: string; readonly route: string}): string {
	return `${route.profile}/${route.route}`;
}

function routeLine(route: RouteRow, width: number): Line {
	const {glyph, word, tone} = routeText[route.state];
	const note = route.reason ?? route.url;
	return width < 60
		? [span(`${glyph} `, tone), cell(route.route, 16, 'strong'), span(` ${word}`, tone)]
		: [
				span(`${glyph} `, tone),
				cell(route.route, 18, 'strong'),
				span(' '),
				cell(word, 10, tone),
				cell(route.deliver, 14, 'dim'),
				span(' '),
				cell(route.events.join(' ') || 'all events', 20),
				span(' '),
				span(note, route.reason === undefined ? 'dim' : tone),
			];
}

function routeDetail(route: RouteRow, width: number): Line[] {
	return [
		labelledStatus('state', routeText[route.state]),
		...labelled('reason', route.reason, width),
		...labelled('route', route.route, width),
		...labelled('address', route.url, width),
		...labelled('events', route.events.join(', ') || 'all', width),
		...labelled('deliver', route.deliver, width),
		...labelled('source', route.source === 'config' ? 'config.yaml' : 'a subscription', width),
		...labelled('profile', route.servedBy, width),
	];
}
