import {parse, stringify, TomlDate, type TomlTable, type TomlValue} from 'smol-toml';
import {type JsonObject, type JsonValue} from '../../util/json-text.ts';

/** Settings files are smaller, and the parsing time of a hostile one grows faster than its length. */
const longestCharacters = 1_048_576;

/** No program's settings are nested deeper. */
const deepest = 100;

/**
Parses a TOML document (TOML 1.1, https://toml.io) to JSON. Integers that JSON numbers would round, dates, `inf` and `nan` become strings.
Undefined when the text is invalid TOML, is nested too deeply or is longer than a million characters: the library's error would quote the document.
*/
export function parseToml(text: string): JsonObject | undefined {
	if (text.length > longestCharacters) {
		return undefined;
	}

	try {
		return plainTable(parse(text, {integersAsBigInt: 'asNeeded', maxDepth: deepest}), 0);
	} catch {
		return undefined;
	}
}

function plainTable(table: TomlTable, depth: number): JsonObject {
	return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, plainValue(value, depth + 1)]));
}

function plainValue(value: TomlValue, depth: number): JsonValue {
	// Dotted keys and headers nest tables without any bracket that the library would count.
	if (depth > deepest) {
		throw new RangeError('nested too deeply');
	}

	if (value instanceof TomlDate) {
		return value.toISOString().replace('.000', '');
	}

	if (typeof value === 'bigint') {
		return String(value);
	}

	if (typeof value === 'number') {
		return Number.isFinite(value) ? value : String(value).replace('Infinity', 'inf').toLowerCase();
	}

	if (typeof value !== 'object') {
		return value;
	}

	return Array.isArray(value) ? value.map(item => plainValue(item, depth + 1)) : plainTable(value, depth);
}

/** Writes tables as TOML, one line a value. */
export function tomlText(tables: JsonObject): string {
	return stringify(tables);
}
