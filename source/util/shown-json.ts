import {exactText} from './exact-text.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue} from './json-text.ts';
import {countMarked} from './characters/marked-characters.ts';
import {isSecretName, type TextPart} from './redact.ts';

/**
Our signs in a text that is not escaped yet stand between two lone surrogates: no text of a call has one (`validateCall`), and one in any other
value becomes a sign itself.
*/
const signStart = '\uD800';
const signEnd = '\uDFFF';
const sign = /\uD800([^\uD800-\uDFFF]*)\uDFFF/gu;
const loneSurrogate = /\p{Cs}/gu;

/** A JSON value, cut and masked: the only place where that is done to arguments. */
export type MaskedJson = {
	/** As it travels: every text and name is as it was sent, with signs of ours where something was cut or masked. Not safe to show. */
	readonly value: JsonObject;
	/** The size of the full value as JSON, as it is sent. */
	readonly sentBytes: number;
	/** The number of bytes cut off. */
	readonly cutBytes: number;
	/** The number of masked values (or names). */
	readonly maskedValues: number;
	/** The number of characters that a reader may take for others (`markedPlaces`), those that are cut off or masked included. */
	readonly markedCharacters: number;
};

/** The same to be shown: every text and name is exact (`exactText`), and everything between `‹` and `›` is written by Sluice: an escape or a sign. */
export type ShownJson = MaskedJson;

export type ShownJsonOptions = {
	/** The maximum bytes of JSON on display, for one string and for everything; masks and markers are added to that. */
	readonly room: {readonly textBytes: number; readonly bytes: number};
	/** Finds known secrets in a text; undefined: nothing is masked. */
	readonly masks:
		| {readonly names: 'secret' | 'none'; readonly partsOf: (text: string) => readonly TextPart[]}
		| undefined;
};

/** The limits of an approval card and its event. */
export const partLimits = {textBytes: 4000, bytes: 32_768} as const;

/** No limits. */
export const fullLimits = {textBytes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY} as const;

/** Values nested deeper than this are cut completely: no caller may nest arguments deeper. */
const deepestMember = 210;

/** Prepares an untrusted JSON value for display, cut and masked. Every part left out leaves a sign and is counted. */
export function shownJson(full: JsonObject, options: ShownJsonOptions): ShownJson {
	const masked = maskedJson(full, options);
	return {...masked, value: shownValue(masked.value)};
}

const shownValues = new WeakMap<JsonObject, JsonObject>();

/** A masked value to be shown. Call this last. */
export function shownValue(masked: JsonObject): JsonObject {
	const known = shownValues.get(masked);
	if (known) {
		return known;
	}

	const shown = mapTexts(masked, shownText) as JsonObject;
	shownValues.set(masked, shown);
	return shown;
}

/** A masked value for a program: texts as they were sent, signs in readable form. */
export function plainValue<Value extends JsonValue>(masked: Value): Value {
	return mapTexts(masked, text => text.replaceAll(sign, '‹$1›')) as Value;
}

function shownText(text: string): string {
	return text
		.split(sign)
		.map((part, index) => (index % 2 === 0 ? exactText(part) : `‹${exactText(part)}›`))
		.join('');
}

function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
	if (typeof value === 'string') {
		return map(value);
	}

	if (typeof value !== 'object' || value === null) {
		return value;
	}

	return isList(value)
		? value.map(member => mapTexts(member, map))
		: Object.fromEntries(Object.entries(value).map(([name, member]) => [map(name), mapTexts(member, map)]));
}

/** Cuts and masks an untrusted JSON value that is shown elsewhere (`shownValue`). Every part left out leaves a sign and is counted. */
export function maskedJson(full: JsonObject, options: ShownJsonOptions): MaskedJson {
	const work: Work = {...options, roomLeft: options.room.bytes, cutBytes: 0, maskedValues: 0};
	const value = showObject(full, work, 0);
	const {cutBytes, maskedValues} = work;
	return {value, sentBytes: jsonBytes(full), cutBytes, maskedValues, markedCharacters: countMarked(full)};
}

type Work = ShownJsonOptions & {roomLeft: number; cutBytes: number; maskedValues: number};

function show(value: JsonValue, work: Work, depth: number): JsonValue {
	if (typeof value === 'string') {
		return showText(value, work);
	}

	if (typeof value !== 'object' || value === null) {
		work.roomLeft -= jsonBytes(value);
		return value;
	}

	if (depth > deepestMember) {
		return cutSign(work, jsonBytes(value));
	}

	work.roomLeft -= 2;
	return isJsonObject(value) ? showObject(value, work, depth) : showList(value, work, depth);
}

function showList(list: readonly JsonValue[], work: Work, depth: number): JsonValue {
	const shown: JsonValue[] = [];
	for (const [index, member] of list.entries()) {
		if (work.roomLeft <= 0) {
			const rest = list.slice(index);
			return [...shown, cutMembers(work, jsonBytes(rest) - 2 + (index > 0 ? 1 : 0), rest.length)];
		}

		work.roomLeft -= 1;
		shown.push(show(member, work, depth + 1));
	}

	return shown;
}

function showObject(object: JsonObject, work: Work, depth: number): JsonObject {
	const entries = Object.entries(object);
	const shown = new Map<string, JsonValue>();
	for (const [index, [name, member]] of entries.entries()) {
		if (work.roomLeft <= 0) {
			const rest = entries.slice(index);
			const bytes = jsonBytes(Object.fromEntries(rest)) - 2 + (index > 0 ? 1 : 0);
			shown.set(freeName(cutMembers(work, bytes, rest.length), shown), null);
			break;
		}

		work.roomLeft -= 2;
		const isMasked = work.masks?.names === 'secret' && isSecretName(name);
		const shownName = freeName(showText(name, work), shown);
		shown.set(shownName, isMasked ? mask(member, work) : show(member, work, depth + 1));
	}

	return Object.fromEntries(shown);
}

/** Names are shown exactly, so that two can only become equal where both are cut or masked. */
function freeName(name: string, taken: ReadonlyMap<string, JsonValue>): string {
	let free = name;
	for (let count = 2; taken.has(free); count++) {
		free = name + signOf(String(count));
	}

	return free;
}

function mask(value: JsonValue, work: Work): string {
	work.maskedValues++;
	return maskSign(typeof value === 'string' ? value.length : undefined);
}

function maskSign(characters: number | undefined): string {
	return signOf(characters === undefined ? 'redacted' : `redacted ${characters} chars`);
}

function showText(text: string, work: Work): string {
	const parts = work.masks?.partsOf(text) ?? [{kind: 'plain', text} as const];
	if (parts.some(({kind}) => kind === 'secret')) {
		work.maskedValues++;
	}

	let roomLeft = Math.max(0, Math.min(work.room.textBytes, work.roomLeft));
	let shown = '';
	let cutBytes = 0;
	for (const {kind, text: part} of parts) {
		const bytes = jsonBytes(part) - 2;
		if (cutBytes > 0) {
			cutBytes += bytes;
		} else if (kind === 'secret') {
			shown += maskSign(part.length);
		} else if (bytes <= roomLeft) {
			shown += withoutSigns(part);
			roomLeft -= bytes;
		} else {
			const head = headOf(part, roomLeft);
			shown += withoutSigns(head);
			cutBytes = bytes - (jsonBytes(head) - 2);
		}
	}

	work.roomLeft -= Math.max(2, jsonBytes(text) - cutBytes);
	return cutBytes === 0 ? shown : shown + cutSign(work, cutBytes);
}

/** The longest start of a text that takes at most this many bytes as JSON. */
function headOf(text: string, bytes: number): string {
	let used = 0;
	let end = 0;
	while (end < text.length) {
		const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
		used += jsonBytes(character) - 2;
		if (used > bytes) {
			break;
		}

		end += character.length;
	}

	return text.slice(0, end);
}

function cutSign(work: Work, bytes: number): string {
	work.cutBytes += bytes;
	return signOf(`${bytesText(bytes)} not shown`);
}

function cutMembers(work: Work, bytes: number, count: number): string {
	work.cutBytes += bytes;
	return signOf(`${count.toLocaleString('en-US')} more, ${bytesText(bytes)} not shown`);
}

function signOf(words: string): string {
	return signStart + words + signEnd;
}

/** Half a character is no text of a call; in any other value it becomes a sign, so that no value brings a sign of its own. */
function withoutSigns(text: string): string {
	return text.replaceAll(loneSurrogate, half => signOf(`U+${half.charCodeAt(0).toString(16).toUpperCase()}`));
}

/** `88,889 B`. */
export function bytesText(bytes: number): string {
	return `${bytes.toLocaleString('en-US')} B`;
}

/** The size of a value as JSON, in bytes. */
function jsonBytes(value: JsonValue): number {
	return Buffer.byteLength(JSON.stringify(value));
}

/** Everything a terminal could obey, or hide from the eye, although JSON allows it unescaped. */
const hostileInJson = /[\u007F-\u009F\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON text of the same value, in which nothing moves a cursor. */
export function printableJson(text: string): string {
	return text.replaceAll(hostileInJson, character =>
		character
			.split('')
			.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}

/** A value for a program: the signs in masked arguments are in readable form. */
export function readable(value: unknown): unknown {
	return JSON.stringify(value)?.includes('\\ud800') ? plainValue(value as JsonValue) : value;
}
