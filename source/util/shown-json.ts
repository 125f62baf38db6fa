import {exactText} from './exact-text.ts';
import {isJsonObject, type JsonObject, type JsonValue} from './json-text.ts';
import {isSecretName, type TextPart} from './redact.ts';

/** A JSON value prepared for display: the only place where arguments are cut and masked. */
export type ShownJson = {
	/**
	The displayed value. Every string and name in it is exact (`exactText`), so that everything between `‹` and `›` is ours: an escape, or the
	marker of a cut or a mask.
	*/
	readonly value: JsonObject;
	/** The size of the whole value as JSON, as it is sent. */
	readonly sentBytes: number;
	/** The number of bytes cut off. */
	readonly cutBytes: number;
	/** The number of masked values (or names). */
	readonly maskedValues: number;
};

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
export const wholeLimits = {textBytes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY} as const;

/** Values nested deeper than this are cut completely: no caller may nest arguments deeper. */
const deepestMember = 210;

/** Prepares an untrusted JSON value for display, cut and masked. Every part left out leaves a marker and is counted. */
export function shownJson(whole: JsonObject, options: ShownJsonOptions): ShownJson {
	const work: Work = {...options, roomLeft: options.room.bytes, cutBytes: 0, maskedValues: 0};
	const value = showObject(whole, work, 0);
	return {value, sentBytes: jsonBytes(whole), cutBytes: work.cutBytes, maskedValues: work.maskedValues};
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
		free = `${name}‹${count}›`;
	}

	return free;
}

function mask(value: JsonValue, work: Work): string {
	work.maskedValues++;
	return maskSign(typeof value === 'string' ? value.length : undefined);
}

function maskSign(characters: number | undefined): string {
	return characters === undefined ? '‹redacted›' : `‹redacted ${characters} chars›`;
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
			shown += exactText(part);
			roomLeft -= bytes;
		} else {
			const head = headOf(part, roomLeft);
			shown += exactText(head);
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
	return `‹${bytesText(bytes)} not shown›`;
}

function cutMembers(work: Work, bytes: number, count: number): string {
	work.cutBytes += bytes;
	return `‹${count.toLocaleString('en-US')} more, ${bytesText(bytes)} not shown›`;
}

/** `88,889 B`. */
export function bytesText(bytes: number): string {
	return `${bytes.toLocaleString('en-US')} B`;
}

/** The size of a value as JSON, in bytes. */
function jsonBytes(value: JsonValue): number {
	return Buffer.byteLength(JSON.stringify(value));
}
