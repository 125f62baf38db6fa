import {type RouteRow} from '../snapshot.ts';
import {
	type Failing,
	failingState,
	failingStatus,
	failingStatusLine,
	failureNotes,
	failuresNote,
	isFailing,
} from './delivery.ts';
import {type Entity, type Fields, glyphColumn, nextActionText, wordColumn} from './entity.ts';
import {routeText} from './status-text.ts';
import {tableOf} from './table.ts';

/** A route with the deliveries that fail for it, and its requests in words. */
type ShownRoute = Failing<RouteRow> & {readonly requests: (now: number) => string};

/** The properties of a webhook route. */
export const routeFields = {
	name: {json: 'text', title: 'ROUTE', filter: 'route', label: 'route', text: ({route}) => route},
	url: {json: 'text', label: 'address', text: ({url}) => url},
	profile: {json: 'text', text: ({servedBy}) => servedBy},
	events: {json: 'texts', text: ({events}) => events.join(' '), detail: ({events}) => events.join(', ') || 'all'},
	deliver: {json: 'text', text: ({deliver}) => deliver},
	targets: {json: 'texts'},
	source: {
		json: ['config', 'subscription'],
		text: ({source}) => source,
		detail: ({source}) => (source === 'config' ? 'config.yaml' : 'a subscription'),
	},
	state: {json: ['served', 'paused', 'failed', 'shadowed', 'off'], text: route => failingState(route.state, route)},
	max_runs: {
		json: 'count-?',
		label: 'max runs',
		text: ({maxRuns}) => (maxRuns === undefined ? undefined : String(maxRuns)),
	},
	reason: {
		json: 'text?',
		text: route => [route.reason ?? '', failuresNote(route)].join(' ').trim(),
		detail: ({reason}) => reason,
	},
	next: {detail: (route, {keys}) => nextActionText({...route, profile: route.servedBy}, keys)},
	requests: {detail: ({requests}, {now}) => requests(now)},
} as const satisfies Fields<ShownRoute>;

const own = ({state}: RouteRow) => routeText[state];
const status = failingStatus(own);

/** A webhook route in the dashboard; its row in the overview is drawn there. */
export const routeEntity: Entity<ShownRoute, keyof typeof routeFields> = {
	fields: routeFields,
	id: routeId,
	copy: ({url}) => url,
	status,
	statusLine: failingStatusLine(own),
	filter: ['name', 'state', 'source', 'deliver', 'events', 'reason', 'profile'],
	notes: failureNotes,
	details: ['reason', 'next', 'name', 'requests', 'url', 'events', 'deliver', 'max_runs', 'source', 'profile'],
	columns: [
		glyphColumn(status),
		{narrow: 17, wide: [19, 0.1], tone: 'strong', text: ({route}) => route},
		wordColumn(status, {narrow: 'rest', wide: 10}),
		{wide: 15, tone: 'dim', text: ({deliver}) => deliver},
		{wide: 21, text: ({events}) => events.join(' ') || 'all events'},
		{
			wide: 'rest',
			tone: route => (troubleOf(route) === undefined ? 'dim' : status(route).tone),
			text: route => troubleOf(route) ?? route.url,
		},
	],
	values: ({route}) => ({name: route}),
};

/** `sluice webhook list`; without a gateway nothing is served yet. */
export const routeTable = (gateway: 'running' | 'none') =>
	tableOf(routeFields, [
		'name',
		{title: 'STATE', cell: ({state}) => (state === 'served' && gateway === 'none' ? 'ready' : state)},
		'source',
		{title: 'EVENTS', cell: ({events}) => events.join(',') || 'all'},
		'deliver',
		'url',
		'reason',
	]);

/** Routes of two profiles may share a name. */
export function routeId(route: {readonly profile: string; readonly route: string}): string {
	return `${route.profile}/${route.route}`;
}

function troubleOf(route: Failing<RouteRow>): string | undefined {
	return isFailing(route) ? failuresNote(route) : route.reason;
}
