import {isJsonObject, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {valueAt} from '../values/plain-value.ts';
import {type KeyPath} from '../values/problem-list.ts';

/** One key: plain, in double quotes as JSON, or an index in brackets. */
const keyPattern = /(?:^|\.)([^."[\]]+)|(?:^|\.)("(?:[^"\\]|\\.)*")|\[(\d{1,9})\]/uy;

const longestPathCharacters = 2000;

/**
The keys of a path as people type it and as errors show it: `mcp_servers."a.b".args[0]`, or `args.0`. Throws `bad_usage`. A number may be
a key or an index; see `pathIn`.
*/
export function parseKeyPath(text: string): readonly string[] {
	const keys: string[] = [];
	const pattern = new RegExp(keyPattern);
	for (let end = 0; end < text.length; end = pattern.lastIndex) {
		pattern.lastIndex = end;
		const [, plain, quoted, index] = pattern.exec(text.slice(0, longestPathCharacters)) ?? [];
		const key = plain ?? index ?? (quoted === undefined ? undefined : parseJson(quoted));
		if (typeof key !== 'string') {
			throw noPath(text);
		}

		keys.push(key);
	}

	if (keys.length === 0 || text.startsWith('.')) {
		throw noPath(text);
	}

	return keys;
}

function noPath(text: string): Problem {
	return new Problem('bad_usage', {
		message: `"${safeText(text, {maximumCharacters: 100})}" is not a key path`,
		remedy: 'Join keys with dots and put a key that has dots into quotes: \'mcp_servers."a.b".args[0]\'',
	});
}

/** The path of the keys in a value: a number is an index where the value has a list. */
export function pathIn(root: unknown, keys: readonly string[]): KeyPath {
	const path: Array<string | number> = [];
	for (const key of keys) {
		path.push(Array.isArray(valueAt(root, path)) && /^\d{1,9}$/u.test(key) ? Number(key) : key);
	}

	return path;
}

/** The keys of the mapping at a path; none for anything else. */
export function keysAt(root: unknown, path: KeyPath): readonly string[] {
	const value = path.length === 0 ? root : valueAt(root, path);
	return isJsonObject(value) ? Object.keys(value) : [];
}
