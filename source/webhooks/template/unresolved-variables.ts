import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type JsonValue} from '../../util/json-text.ts';
import {readPayload} from '../payload/payload.ts';
import {namesValue, templateVariables} from './template.ts';

/** A stored event as it can be looked at again; `body` with its encoding undone. */
export type RecentEvent = {readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>>};

/** How many stored events of a route are looked at. */
export const mostRecentEvents = 10;

/**
The variables in the templates of a route that none of its stored events has (docs/webhooks.md, Dry run and replay): probably misspelt. None are named when
there is no event to compare with, nor for a route whose script makes its own payload.
*/
export async function findUnresolvedVariables(
	route: Pick<RouteConfig, 'name' | 'prompt' | 'deliverExtra' | 'script'>,
	events: readonly RecentEvent[],
): Promise<readonly string[]> {
	const readings = await Promise.all(events.map(payloadOf));
	const payloads = readings.filter(payload => payload !== undefined);
	if (payloads.length === 0 || route.script !== undefined) {
		return [];
	}

	return templateVariables(route).filter(
		path => !payloads.some(payload => namesValue(path, {payload, event: '', deliveryId: '', route: route.name})),
	);
}

/** The warning about them, or undefined when there are none. */
export function unresolvedWarning(variables: readonly string[]): string | undefined {
	const names = variables.map(path => `{${path}}`).join(', ');
	return variables.length === 0 ? undefined : `no stored event of this route has ${names}`;
}

async function payloadOf({body, headers}: RecentEvent): Promise<JsonValue | undefined> {
	const type = headers['content-type'];
	const reading = await readPayload(body, new Map(type === undefined ? [] : [['content-type', type]]), body.length);
	return reading.kind === 'payload' ? reading.payload : undefined;
}

/** Stored events, wherever they are read: in this process or through the control socket. */
export type StoredEvents = {
	readonly list: (query: {
		readonly route: string;
		readonly limit: number;
	}) => Promise<ReadonlyArray<{readonly id: string; readonly outcome: string}>>;
	/** `body` is text, with its encoding undone. */
	readonly show: (
		id: string,
	) => Promise<{readonly body: string | null; readonly headers: Readonly<Record<string, string>>} | null>;
};

const looked = 50;
const taken = new Set(['accepted', 'coalesced', 'delivered', 'delivery_failed', 'outcome_uncertain']);

/** The latest events a route acted on, to compare its templates with. */
export async function readRecentEvents(stored: StoredEvents, route: string): Promise<readonly RecentEvent[]> {
	const rows = await stored.list({route, limit: looked});
	const acted = rows.filter(({outcome}) => taken.has(outcome)).slice(0, mostRecentEvents);
	const events = await Promise.all(acted.map(({id}) => stored.show(id)));
	return events.flatMap(event =>
		event && event.body !== null ? [{body: Buffer.from(event.body, 'utf8'), headers: event.headers}] : [],
	);
}
