import {type EventFile} from '../../journal/rows/file-rows.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {exactDigits, parseExactJson} from './exact-json.ts';
import {valuesByName} from './form.ts';
import {type FormPart, textOfPart} from './multipart.ts';

/** A text file up to this size has its content in the payload. */
export const maxFileTextBytes = 65_536;

/** A form of several parts as a payload, or why it has none, in words that are safe to show. */
type FormPayload =
	| {readonly kind: 'payload'; readonly payload: JsonValue}
	| {readonly kind: 'malformed'; readonly reason: string};

type Texts = ReadonlyArray<readonly [name: string, value: string]>;

/**
The payload of a form: a field `payload` holds it as JSON, else the fields are it. Each file is a member, unless a field has its name; of equal names the
first counts. `sizes`: the sizes of the files, where the body is stored without their contents.
*/
export function payloadOfParts(parts: readonly FormPart[], sizes?: readonly number[]): FormPayload {
	const fields = parts.filter(({fileName}) => fileName === undefined);
	const texts = textsOf(fields);
	if (texts.length < fields.length) {
		return {kind: 'malformed', reason: 'a field is not text in its character set'};
	}

	const values = valuesByName(texts);
	const [written] = values.get('payload') ?? [];
	const payload = written === undefined ? membersOf(values) : parseExactJson(written);
	return payload === undefined
		? {kind: 'malformed', reason: 'its field payload is not JSON'}
		: {kind: 'payload', payload: withFiles(payload, parts, sizes)};
}

/** The fields that are text. */
function textsOf(fields: readonly FormPart[]): Texts {
	return fields.flatMap(field => {
		const text = textOfPart(field);
		return text === undefined ? [] : [[field.name, text] as const];
	});
}

function membersOf(values: ReadonlyMap<string, readonly string[]>): JsonObject {
	return Object.fromEntries([...values].map(([name, [first = '']]) => [name, first]));
}

function withFiles(payload: JsonValue, parts: readonly FormPart[], sizes?: readonly number[]): JsonValue {
	if (!isJsonObject(payload) || exactDigits(payload) !== undefined) {
		return payload;
	}

	const members = new Map(Object.entries(payload));
	filesOf(parts).forEach((part, index) => {
		if (!members.has(part.name)) {
			members.set(part.name, fileMember(part, {number: index + 1, bytes: sizes?.[index] ?? part.content.length}));
		}
	});
	return Object.fromEntries(members);
}

function filesOf(parts: readonly FormPart[]): readonly FormPart[] {
	return parts.filter(({fileName}) => fileName !== undefined);
}

/** A file as templates and filters see it. `file` is its number in the event. */
function fileMember(part: FormPart, {number, bytes}: {readonly number: number; readonly bytes: number}): JsonObject {
	const text = bytes === part.content.length ? fileText(part) : undefined;
	return {
		filename: part.fileName ?? '',
		content_type: typeOf(part),
		bytes,
		file: number,
		...(text !== undefined && {text}),
	};
}

/** RFC 7578, 4.4: a part without a type is text. */
function typeOf({contentType}: FormPart): string {
	return contentType ?? 'text/plain';
}

const textTypes = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml)(?:$|[\s;]))/iu;

/** The content of a small file whose type says that it is text. */
function fileText(part: FormPart): string | undefined {
	return part.content.length <= maxFileTextBytes && textTypes.test(typeOf(part)) ? textOfPart(part) : undefined;
}

/** The files of a form for the journal, and the body without their contents; small texts stay in it. Undefined for a form without files. */
export type FormFiles = {readonly files: readonly EventFile[]; readonly body: Uint8Array};

/** Takes the files out of a body. */
export function takeFiles(body: Uint8Array, parts: readonly FormPart[]): FormFiles | undefined {
	const files = filesOf(parts);
	if (files.length === 0) {
		return undefined;
	}

	const kept: Uint8Array[] = [];
	let from = 0;
	for (const {start, content} of files.filter(part => fileText(part) === undefined)) {
		kept.push(body.subarray(from, start));
		from = start + content.length;
	}

	return {
		files: files.map(part => ({name: part.fileName ?? '', contentType: typeOf(part), content: part.content})),
		body: Buffer.concat([...kept, body.subarray(from)]),
	};
}

/** The texts that the payload of a form leaves out: fields beside `payload`, and values of a name that occurs twice. */
export function textsLeftOut(parts: readonly FormPart[]): readonly string[] {
	const texts: Texts = parts.map(part => [
		part.name,
		(part.fileName === undefined ? textOfPart(part) : fileText(part)) ?? '',
	]);
	const byName = valuesByName(texts);
	return byName.has('payload') || texts.length > byName.size ? texts.flat() : [];
}
