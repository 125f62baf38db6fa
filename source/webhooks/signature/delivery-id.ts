import {createHash} from 'node:crypto';
import {type MessageSource} from '../../config/webhooks/presets/preset.ts';
import {type JsonValue} from '../../util/json-text.ts';
import {randomId} from '../../util/random-id.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {readSource} from '../payload/message-source.ts';

/** The id of a delivery; only an id that the sender chose identifies a retry. */
export type DeliveryId = {
	readonly id: string;
	readonly source: 'sender' | 'arrival';
};

const shortestMilliseconds = 3_600_000;

/** The time that an id is stored: an hour, or as long as the provider sends a message again (docs/webhooks.md, Delivery ids). */
export function deduplicationMilliseconds({retrySeconds = 0}: {readonly retrySeconds?: number}): number {
	return Math.max(shortestMilliseconds, retrySeconds * 1000);
}

const headerNames = ['x-github-delivery', 'svix-id', 'webhook-id', 'x-request-id'];
const longestIdCharacters = 256;

/**
The signed id; if the scheme signs none, the id header of the route's own `source`, else the first of the known ones, else a new id that begins with
the arrival time (docs/webhooks.md, Delivery ids). An attacker can add headers to a captured message, so a signed id is the only one that counts.
*/
export function deliveryIdOf(
	headers: RequestHeaders,
	arrivedAt: number,
	{signedId, source}: {readonly signedId?: string; readonly source?: MessageSource} = {},
): DeliveryId {
	if (source?.from === 'none') {
		return freshDeliveryId(arrivedAt);
	}

	if (signedId !== undefined) {
		return sentId(signedId);
	}

	for (const name of source?.from === 'header' ? [source.name, ...headerNames] : headerNames) {
		const id = headers.get(name)?.trim();
		if (id) {
			return sentId(id);
		}
	}

	return freshDeliveryId(arrivedAt);
}

/** The id at the route's own place in the payload, which counts before every header; undefined when the message has none there. */
export function payloadDeliveryId(source: MessageSource | undefined, payload: JsonValue): DeliveryId | undefined {
	const isInPayload = source?.from === 'field' || source?.from === 'fields' || source?.from === 'first-field';
	const id = isInPayload ? readSource(source, new Map(), payload) : undefined;
	return id === undefined ? undefined : sentId(id);
}

/** An id that no sender chose, so that nothing is deduplicated. */
export function freshDeliveryId(arrivedAt: number): DeliveryId {
	return {id: `${arrivedAt}-${randomId()}`, source: 'arrival'};
}

function sentId(id: string): DeliveryId {
	return {id: id.length > longestIdCharacters ? shortened(id) : id, source: 'sender'};
}

/** A long id is stored as its hash: two ids with the same beginning stay distinct. */
function shortened(id: string): string {
	return `sha256:${createHash('sha256').update(id, 'utf8').digest('hex')}`;
}
