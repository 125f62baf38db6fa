import {createHash} from 'node:crypto';
import {randomId} from '../../util/random-id.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';

/** The id of a delivery; only an id that the sender chose identifies a retry. */
export type DeliveryId = {
	readonly id: string;
	readonly source: 'sender' | 'arrival';
};

/** The time that an id is stored, in milliseconds (docs/webhooks.md, Limits). */
export const deduplicationMilliseconds = 3_600_000;

const headerNames = ['x-github-delivery', 'svix-id', 'webhook-id', 'x-request-id'];
const longestIdCharacters = 256;

/**
The signed id; if the scheme signs none, the first id header, else a new id that begins with the arrival time
(docs/webhooks.md, Signatures). An attacker can add headers to a captured message, so a signed id is the only one that counts.
*/
export function deliveryIdOf(headers: RequestHeaders, arrivedAt: number, signedId?: string): DeliveryId {
	if (signedId !== undefined) {
		return sentId(signedId);
	}

	for (const name of headerNames) {
		const id = headers.get(name)?.trim();
		if (id) {
			return sentId(id);
		}
	}

	return freshDeliveryId(arrivedAt);
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
	return `sha256:${createHash('sha256').update(id, 'latin1').digest('hex')}`;
}
