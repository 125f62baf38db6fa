import {type ServerConfig} from '../config/server-entry.ts';
import {hashJson} from '../util/json-hash.ts';
import {type JsonValue} from '../util/json-text.ts';

/** Tells two entries apart: every member counts, so that any change means a new connection. */
export function entryFingerprint(config: ServerConfig): string {
	const plain: JsonValue = JSON.parse(JSON.stringify(config));
	return hashJson(plain);
}
