import {createHash} from 'node:crypto';
import {type JsonValue} from './json-text.ts';

/** SHA-256 (hex) of a JSON value that does not depend on the order of members. For argument hashes and fingerprints. */
export function hashJson(value: JsonValue): string {
	return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** JSON with members sorted by name. */
function canonicalJson(value: JsonValue): string {
	return JSON.stringify(value, (_name, member: JsonValue) =>
		typeof member === 'object' && member !== null && !Array.isArray(member)
			? Object.fromEntries(Object.entries(member).sort(([first], [second]) => (first < second ? -1 : 1)))
			: member,
	);
}
