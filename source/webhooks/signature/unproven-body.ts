import {isJsonObject, type JsonObject, parseJson} from '../../util/json-text.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {contentKind} from '../payload/payload.ts';

const maxBytes = 1_048_576;
const maxMembers = 100;

/** True for a body that is read as the JSON that was sent: a proof inside it covers what the route gets. */
export function isPlainJson(headers: RequestHeaders): boolean {
	return contentKind(headers.get('content-type') ?? '') === 'json' && !headers.has('content-encoding');
}

/** Parses a body whose proof is inside it: an object of at most 1 MB and 100 members. Undefined for any other. */
export function parseUnproven(body: Uint8Array): JsonObject | undefined {
	const json = body.length > maxBytes ? undefined : parseJson(Buffer.from(body).toString('utf8'));
	return json !== undefined && isJsonObject(json) && Object.keys(json).length <= maxMembers ? json : undefined;
}
