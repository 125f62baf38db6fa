import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type JsonValue} from '../../util/json-text.ts';
import {readPayload} from '../payload/payload.ts';
import {namesValue, templateVariables} from './template.ts';

/** A stored event to compare templates with; `body` is decoded. */
export type RecentEvent = {readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>>};

/** Reads stored events, in this process or through the control socket. */
export type StoredEvents = {
	readonly list: (query: {
		readonly route: string;
		readonly limit: number;
	}) => Promise<ReadonlyArray<{readonly id: string; readonly outcome: string}>>;
	/** `body` is text, decoded. */
	readonly show: (
		id: string,
	) => Promise<{readonly body: string | null; readonly headers: Readonly<Record<string, string>>} | null>;
};

/** The number of stored events searched for ones that the route acted on. */
const maxListed = 50;
const maxCompared = 10;
const actedOn = new Set(['accepted', 'coalesced', 'delivered', 'delivery_failed', 'outcome_uncertain']);

/** The latest events that a route acted on. */
export async function readRecentEvents(stored: StoredEvents, route: string): Promise<readonly RecentEvent[]> {
	const rows = await stored.list({route, limit: maxListed});
	const compared = rows.filter(({outcome}) => actedOn.has(outcome)).slice(0, maxCompared);
	const events = await Promise.all(compared.map(({id}) => stored.show(id)));
	return events.flatMap(event =>
		event && event.body !== null ? [{body: Buffer.from(event.body, 'utf8'), headers: event.headers}] : [],
	);
}

/**
Warns about variables in the templates of a route that none of its stored events has (docs/webhook-routes.md, Dry run and replay): probably misspelt.
Undefined when there are none, when there is no event to compare with, and for a route whose script creates the payload.
*/
export async function warnOfUnresolved(
	route: Pick<RouteConfig, 'name' | 'prompt' | 'deliver' | 'script'>,
	events: readonly RecentEvent[],
): Promise<string | undefined> {
	const readings = await Promise.all(events.map(payloadOf));
	const payloads = readings.filter(payload => payload !== undefined);
	if (payloads.length === 0 || route.script !== undefined) {
		return undefined;
	}

	const names = templateVariables(route)
		.filter(
			path => !payloads.some(payload => namesValue(path, {payload, event: '', deliveryId: '', route: route.name})),
		)
		.map(path => `{${path}}`);
	return names.length === 0 ? undefined : `no stored event of this route contains ${names.join(', ')}`;
}

async function payloadOf({body, headers}: RecentEvent): Promise<JsonValue | undefined> {
	const type = headers['content-type'];
	const reading = await readPayload(body, new Map(type === undefined ? [] : [['content-type', type]]), body.length);
	return reading.kind === 'payload' ? reading.payload : undefined;
}
