import {type RouteConfig} from '../../config/webhooks/route-config.ts';
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
