import {isJsonObject, isList, type JsonObject, type JsonValue, parseJson} from '../../util/json-text.ts';

/** Source text access (ECMAScript 2026, in Node since 21): the language's own way to carry a number that a double cannot hold. */
type JsonWithSource = {
	readonly parse: (
		text: string,
		revive: (name: string, value: JsonValue, context: {readonly source?: string}) => JsonValue,
	) => JsonValue;
	readonly rawJSON: (text: string) => JsonObject;
	readonly isRawJSON: (value: unknown) => boolean;
};

// The types of the language do not have these members yet.
const json = JSON as unknown as JsonWithSource;
const deepestLevels = 200;

/**
Parses JSON in which integers beyond 2^53 retain their digits: they become raw JSON values, which `JSON.stringify` writes unchanged.
Undefined for text that is invalid or nested deeper than 200 levels (docs/webhooks.md, Bodies).
*/
export function parseExactJson(text: string): JsonValue | undefined {
	const value = parseJson(text);
	if (value === undefined) {
		return undefined;
	}

	switch (scan(value, deepestLevels)) {
		case 'exact':
			return value;
		case 'rounded':
			// Far slower, so only for texts that need it.
			return json.parse(text, (_name, member, context) => exactInteger(member, context.source));
		case 'too-deep':
			return undefined;
	}
}

type Finding = 'exact' | 'rounded' | 'too-deep';

/**
Checks depth and large integers in one visit. Uses loops, with recursion at most as deep as the limit: this runs over each
payload, and a list of each object's members would cost more than the visit.
*/
function scan(value: JsonValue, levels: number): Finding {
	if (typeof value !== 'object' || value === null) {
		return isRounded(value) ? 'rounded' : 'exact';
	}

	if (levels === 0) {
		return 'too-deep';
	}

	let found: Finding = 'exact';
	if (isList(value)) {
		for (const member of value) {
			found = worse(found, typeof member === 'string' ? 'exact' : scan(member, levels - 1));
		}

		return found;
	}

	// A parsed value inherits no enumerable member.
	for (const name in value) {
		const member = value[name] ?? null;
		found = worse(found, typeof member === 'string' ? 'exact' : scan(member, levels - 1));
	}

	return found;
}

function worse(first: Finding, second: Finding): Finding {
	return first === 'exact' || second === 'too-deep' ? second : first;
}

/** A double beyond 2^53 may not be the integer that was written. */
function isRounded(value: JsonValue): value is number {
	return typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER);
}

/** The digits of an integer beyond 2^53, or undefined for every other value. */
export function exactDigits(value: JsonValue): string | undefined {
	return isJsonObject(value) && json.isRawJSON(value) ? JSON.stringify(value) : undefined;
}

function exactInteger(value: JsonValue, source: string | undefined): JsonValue {
	return isRounded(value) && source !== undefined && /^-?\d+$/u.test(source) ? json.rawJSON(source) : value;
}
