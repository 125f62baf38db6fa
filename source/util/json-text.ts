/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Read its members with `ownMember`: untrusted names may be those of inherited members. */
export type JsonObject = {readonly [name: string]: JsonValue};

/** True for objects that are neither null nor arrays. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` that also narrows read-only lists. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
	return Array.isArray(value);
}

/** The member of that name, never an inherited one. */
export function ownMember(object: JsonObject, name: string): JsonValue | undefined {
	return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Parses JSON; undefined when it is invalid. */
export function parseJson(text: string): JsonValue | undefined {
	try {
		// oxlint-disable-next-line typescript/no-unsafe-return -- JSON.parse answers JSON values and nothing else
		return JSON.parse(text) as JsonValue;
	} catch {
		return undefined;
	}
}

/** Whether an object in this JSON has a name twice, of whose values only the last is read. False when it is invalid. */
export function hasRepeatedName(text: string): boolean {
	const value = parseJson(text);
	if (value === undefined) {
		return false;
	}

	// No recursion: the text may be nested as deep as it likes.
	const open = [value];
	let read = 0;
	for (let one = open.pop(); one !== undefined; one = open.pop()) {
		if (typeof one === 'object' && one !== null) {
			const members: readonly JsonValue[] = Object.values(one);
			read += isList(one) ? 0 : members.length;
			members.forEach(member => open.push(member));
		}
	}

	// Of the texts in valid JSON, the names are those before a colon.
	let written = 0;
	for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gu)) {
		written += colon === undefined ? 0 : 1;
	}

	return written > read;
}

/** JSON for people, indented by two spaces. */
export function indentJson(value: JsonValue): string {
	return JSON.stringify(value, null, 2);
}

/**
The first `maximumCharacters` code points of a value as JSON, indented or not: the rest is never serialised, however large
the value is.
*/
export function jsonHead(value: JsonValue, maximumCharacters: number, indent?: number): string {
	// A code point has at most two units. The count never exceeds what is written.
	let roomLeft = maximumCharacters * 2;
	const text = JSON.stringify(
		value,
		(_name, member: JsonValue) => {
			if (roomLeft <= 0) {
				return undefined;
			}

			roomLeft -= typeof member === 'string' ? member.length : 1;
			return member;
		},
		indent,
	);
	return cutText(text, maximumCharacters);
}

/** The first `maximumCharacters` code points; never cut inside a surrogate pair (docs/configuration.md, How values are read). */
export function cutText(text: string, maximumCharacters: number): string {
	if (text.length <= maximumCharacters) {
		return text;
	}

	let end = 0;
	for (let count = 0; count < maximumCharacters && end < text.length; count++) {
		end += (text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1;
	}

	return text.slice(0, end);
}

/** Whether arrays and objects are nested deeper than `levels`; a scalar has none, an empty array one. What lies deeper is not looked at, so that depth cannot exhaust the stack. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
	return (
		typeof value === 'object' &&
		value !== null &&
		(levels === 0 || Object.values(value).some(member => isDeeperThan(member, levels - 1)))
	);
}
