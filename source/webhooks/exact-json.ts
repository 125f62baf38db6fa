import {isJsonObject, isList, type JsonObject, type JsonValue, parseJson} from '../util/json-text.ts';

/** Source text access (ECMAScript 2026, in Node since 21): the language's own way to carry a number that a double cannot hold. */
type JsonWithSource = {
	readonly parse: (
		text: string,
		revive: (name: string, value: JsonValue, context: {readonly source?: string}) => JsonValue,
	) => JsonValue;
	readonly rawJSON: (text: string) => JsonObject;
	readonly isRawJSON: (value: unknown) => boolean;
};

const json = JSON as unknown as JsonWithSource;
const deepestLevels = 200;

/**
Parses JSON in which integers beyond 2^53 keep their digits: they become raw JSON values, which `JSON.stringify` writes as they came.
Undefined for text that is no JSON or nested deeper than 200 levels (spec/decisions.md, D8).
*/
export function parseExactJson(text: string): JsonValue | undefined {
	const value = parseJson(text);
	if (value === undefined || isDeeperThan(value, deepestLevels)) {
		return undefined;
	}

	// Only a text with sixteen digits in a row can hold such an integer; the slower parse is for those alone.
	return /\d{16}/u.test(text)
		? json.parse(text, (_name, member, context) => exactInteger(member, context.source))
		: value;
}

/** Recursion as deep as the limit at most; it is several times faster than a list of what is still to be looked at. */
function isDeeperThan(value: JsonValue, levels: number): boolean {
	if (typeof value !== 'object' || value === null) {
		return false;
	}

	if (levels === 0) {
		return true;
	}

	const members = isList(value) ? value : Object.values(value);
	return members.some(member => isDeeperThan(member, levels - 1));
}

/** The digits of an integer beyond 2^53, or undefined for every other value. */
export function exactDigits(value: JsonValue): string | undefined {
	return isJsonObject(value) && json.isRawJSON(value) ? JSON.stringify(value) : undefined;
}

function exactInteger(value: JsonValue, source: string | undefined): JsonValue {
	const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
	return isRounded && source !== undefined && /^-?\d+$/u.test(source) ? json.rawJSON(source) : value;
}
