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
		const value: unknown = JSON.parse(text);
		return value as JsonValue;
	} catch {
		return undefined;
	}
}

/** True if an object in this JSON has a name twice, of whose values only the last is read. False when it is invalid. */
export function hasRepeatedName(text: string): boolean {
	const value = parseJson(text);
	return value !== undefined && scanJson(text).names > countMembers(value).members;
}

/**
The part of a JSON text that is lost once it is read, in words that are safe to show: one of two values of a name, a number that is not sent on as it is
written, or a member that libraries leave out. `value` is the text read. Undefined when nothing is, and for invalid JSON. Takes time proportional to the text.
*/
export function lossInJson(text: string, value: unknown = parseJson(text)): string | undefined {
	if (value === undefined) {
		return undefined;
	}

	const {names, lostNumber} = scanJson(text);
	if (lostNumber !== undefined) {
		return `The number ${cutText(lostNumber, 40)} is too large or too exact to be passed on unchanged; pass it as a string`;
	}

	const {members, hasPrototype} = countMembers(value);
	return names > members ? 'An object contains the same name twice' : hasPrototype ? prototypeLoss : undefined;
}

/** The texts of the items of a valid JSON list, in their order. */
export function textsOfItems(text: string): readonly string[] {
	const items: string[] = [];
	let depth = 0;
	let start = text.indexOf('[') + 1;
	for (let at = start - 1; at < text.length; ) {
		const sign = text.charAt(at);
		if (sign === '"') {
			at = endOfText(text, at);
			continue;
		}

		if (depth === 1 && (sign === ',' || sign === ']')) {
			items.push(text.slice(start, at));
			start = at + 1;
		}

		depth += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
		at++;
	}

	return items.length === 1 && items[0]?.trim() === '' ? [] : items;
}

/** The part of a value that libraries lose when they copy it, in words that are safe to show; undefined if none. */
export function lossInValue(value: unknown): string | undefined {
	return countMembers(value).hasPrototype ? prototypeLoss : undefined;
}

const prototypeLoss = 'An object has a member __proto__, which cannot be passed on';

/** Counts the members of all objects in a value, and looks for one named `__proto__`. No recursion: it may be nested as deep as it likes. */
function countMembers(value: unknown): {readonly members: number; readonly hasPrototype: boolean} {
	const open = [value];
	let count = 0;
	let hasPrototype = false;
	for (let one = open.pop(); one !== undefined; one = open.pop()) {
		if (typeof one === 'object' && one !== null) {
			const members: readonly unknown[] = Object.values(one);
			count += Array.isArray(one) ? 0 : members.length;
			hasPrototype ||= Object.hasOwn(one, '__proto__');
			members.forEach(member => open.push(member));
		}
	}

	return {members: count, hasPrototype};
}

const signs = {quote: 0x22, minus: 0x2d, zero: 0x30, nine: 0x39, colon: 0x3a, backSlash: 0x5c} as const;

/** The names in valid JSON, counted as often as they are written, and its first number that is not kept. */
function scanJson(text: string): {readonly names: number; readonly lostNumber: string | undefined} {
	let names = 0;
	let lostNumber: string | undefined;
	for (let at = 0; at < text.length; ) {
		const sign = text.charCodeAt(at);
		if (sign === signs.quote) {
			at = skipBlanks(text, endOfText(text, at));
			names += text.charCodeAt(at) === signs.colon ? 1 : 0;
		} else if (sign === signs.minus || (sign >= signs.zero && sign <= signs.nine)) {
			const end = endOfNumber(text, at);
			lostNumber ??= isKept(text.slice(at, end)) ? undefined : text.slice(at, end);
			at = end;
		} else {
			at++;
		}
	}

	return {names, lostNumber};
}

/** Behind the text that begins there. */
function endOfText(text: string, start: number): number {
	for (let at = start + 1; ; at++) {
		at = text.indexOf('"', at);
		if (at === -1) {
			return text.length;
		}

		let before = at;
		while (text.charCodeAt(before - 1) === signs.backSlash) {
			before--;
		}

		if ((at - before) % 2 === 0) {
			return at + 1;
		}
	}
}

function skipBlanks(text: string, start: number): number {
	let at = start;
	while (text.charCodeAt(at) <= 0x20) {
		at++;
	}

	return at;
}

function endOfNumber(text: string, start: number): number {
	const after = /[^\d.eE+-]/gu;
	after.lastIndex = start;
	return after.exec(text)?.index ?? text.length;
}

/** Every whole number of so many digits is held by a double. */
const safeDigits = 15;

/** True for a number that stays what it is: it is finite, and a whole number is a double or the usual way to write one. */
function isKept(written: string): boolean {
	if (written.length <= safeDigits && !/e/iu.test(written)) {
		return true;
	}

	const read = Number(written);
	return (
		Number.isFinite(read) && (!/^-?\d+$/u.test(written) || String(read) === written || BigInt(written) === BigInt(read))
	);
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

/** True if arrays and objects are nested deeper than `levels`; a scalar has none, an empty array one. Deeper values are not visited, so depth cannot exhaust the stack. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
	return (
		typeof value === 'object' &&
		value !== null &&
		(levels === 0 || Object.values(value).some(member => isDeeperThan(member, levels - 1)))
	);
}
