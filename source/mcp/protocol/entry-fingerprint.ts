import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {hashJson} from '../../util/json-hash.ts';
import {type JsonValue} from '../../util/json-text.ts';

/** Identifies an entry: every member counts, so that any change means a new connection. */
export function entryFingerprint(config: ServerConfig): string {
	return hashMembers(config);
}

/** Identifies the server of an entry: with the same one, what it offered may still be true. Filters, times and trust do not matter. */
export function capabilitiesFingerprint({transport, protocol}: ServerConfig): string {
	return hashMembers({transport, protocol});
}

function hashMembers(members: object): string {
	const plain: JsonValue = JSON.parse(JSON.stringify(members));
	return hashJson(plain);
}
