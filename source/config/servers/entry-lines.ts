import {indentJson, type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';

/** The whole entry, formatted, as lines that are safe to show; nothing is left out (docs/tool-servers.md, Install links). */
export function entryLines(entry: JsonObject): readonly string[] {
	return indentJson(entry).split('\n').map(whole);
}

/** The command and each of its arguments on a line of its own; empty for an address. */
export function commandLines({url, command, args}: JsonObject): readonly string[] {
	if (typeof command !== 'string' || typeof url === 'string') {
		return [];
	}

	const words = Array.isArray(args) ? args : args === undefined || args === null ? [] : [args];
	return [command, ...words.map(word => (typeof word === 'string' ? word : JSON.stringify(word)))].map(whole);
}

function whole(text: string): string {
	// A mark is up to ten times as long as what it stands for.
	return safeText(text, {maximumCharacters: text.length * 12 + 1});
}
