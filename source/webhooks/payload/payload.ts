import {isAscii, isUtf8} from 'node:buffer';
import {promisify} from 'node:util';
import {gunzip, inflate, inflateRaw} from 'node:zlib';
import {type MessageSource} from '../../config/webhooks/presets/preset.ts';
import {cutText, hasRepeatedName, isJsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {memoize} from '../../util/memoize.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {parseExactJson} from './exact-json.ts';
import {type FormFiles, payloadOfParts, takeFiles, textsLeftOut} from './form-files.ts';
import {readFormFields, valuesByName} from './form.ts';
import {readSource} from './message-source.ts';
import {type FormPart, readParts} from './multipart.ts';

/** The result of parsing a body. `form`: its files, and how it is stored without them. `reason`: why it is malformed, safe to show. */
type PayloadReading =
	| {readonly kind: 'payload'; readonly payload: JsonValue; readonly form?: FormFiles | undefined}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'malformed-body'; readonly reason?: string}
	| {readonly kind: 'not-understood'};

/**
Parses a verified body: decodes it, then parses JSON or a form by its content type; without one it is JSON.
The type selects the parser; nothing is guessed from the bytes (docs/webhooks.md, Bodies). `fileSizes`: the sizes of the files of a stored body, whose
contents were taken out of it.
*/
export async function readPayload(
	body: Uint8Array,
	headers: RequestHeaders,
	limitBytes: number,
	fileSizes?: readonly number[],
): Promise<PayloadReading> {
	return payloadOf(await readContent(body, headers, limitBytes), fileSizes);
}

function payloadOf(content: BodyContent | Refused, fileSizes?: readonly number[]): PayloadReading {
	if (content.kind === 'text') {
		const payload = parseText(content);
		return payload === undefined ? {kind: 'malformed-body'} : {kind: 'payload', payload};
	}

	if (content.kind !== 'parts') {
		return content;
	}

	const {bytes, parts} = content;
	const reading = payloadOfParts(parts, fileSizes);
	return reading.kind === 'malformed'
		? {kind: 'malformed-body', reason: reading.reason}
		: {...reading, form: takeFiles(bytes, parts)};
}

/**
The full content of a body, as text: its payload as JSON, the other values of a name that occurs twice, and the fields of a form besides `payload`.
Undefined when it has no payload.
*/
export async function fullPayloadText(
	body: Uint8Array,
	headers: RequestHeaders,
	limitBytes: number,
): Promise<string | undefined> {
	const content = await readContent(body, headers, limitBytes);
	const reading = payloadOf(content);
	return reading.kind === 'payload' ? [JSON.stringify(reading.payload), ...leftOut(content)].join('\n') : undefined;
}

function leftOut(content: BodyContent | Refused): readonly string[] {
	if (content.kind !== 'text') {
		return content.kind === 'parts' ? textsLeftOut(content.parts) : [];
	}

	const {type, text} = content;
	if (type === 'json') {
		return hasRepeatedName(text) ? [text] : [];
	}

	const fields = readFormFields(text) ?? [];
	const byName = valuesByName(fields);
	return byName.has('payload') || fields.length > byName.size ? fields.flat() : [];
}

/** A body as the text or the parts that its type says. */
type BodyText = {readonly kind: 'text'; readonly type: 'json' | 'form'; readonly text: string};
type BodyParts = {readonly kind: 'parts'; readonly bytes: Uint8Array; readonly parts: readonly FormPart[]};
type BodyContent = BodyText | BodyParts;
type Refused = Exclude<PayloadReading, {readonly kind: 'payload'}>;

function parseText({type, text}: BodyText): JsonValue | undefined {
	return type === 'json' ? parseExactJson(text) : readForm(text);
}

async function readContent(
	body: Uint8Array,
	headers: RequestHeaders,
	limitBytes: number,
): Promise<BodyContent | Refused> {
	const contentType = headers.get('content-type') ?? '';
	const type = contentKind(contentType);
	const encoding = headers.get('content-encoding');
	const decoding =
		encoding === undefined
			? ({kind: 'decoded', bytes: body} as const)
			: await decodeContent(body, encoding, limitBytes);
	if (decoding.kind !== 'decoded') {
		return decoding;
	}

	if (type === 'unknown') {
		return {kind: 'not-understood'};
	}

	if (type === 'multipart') {
		const {bytes} = decoding;
		const reading = readParts(bytes, contentType);
		return reading.kind === 'parts' ? {...reading, bytes} : {kind: 'malformed-body', reason: reading.reason};
	}

	const text = decodeText(decoding.bytes);
	return text === undefined ? {kind: 'malformed-body'} : {kind: 'text', type, text};
}

/** The parser that a content type selects. */
export function contentKind(contentType: string): ReturnType<typeof kindOfType> {
	// Senders use few distinct types; the boundary of a form is another one each time, so parameters are left out.
	return kindOfType(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

const kindOfType = memoize((type): 'json' | 'form' | 'multipart' | 'unknown' => {
	if (type === '' || type === 'text/plain' || type === 'text/json' || /^application\/([\w.+-]+\+)?json$/u.test(type)) {
		return 'json';
	}

	if (type === 'multipart/form-data') {
		return 'multipart';
	}

	return type === 'application/x-www-form-urlencoded' ? 'form' : 'unknown';
});

/** The bytes as text; undefined when they are not UTF-8. A byte order mark stays, which is invalid JSON. */
function decodeText(bytes: Uint8Array): string | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isAscii(buffer)) {
		return buffer.toString('latin1');
	}

	return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
}

/** A `payload` field contains JSON; without one the fields are the payload. Of repeated fields the first counts. Undefined for too many fields. */
function readForm(text: string): JsonValue | undefined {
	const fields = readFormFields(text);
	if (!fields) {
		return undefined;
	}

	const byName = valuesByName(fields);
	const payload = byName.get('payload')?.[0];
	return payload === undefined
		? Object.fromEntries([...byName].map(([name, [first = '']]) => [name, first]))
		: parseExactJson(payload);
}

/** The result of decoding `Content-Encoding`. */
type Decoding =
	| {readonly kind: 'decoded'; readonly bytes: Uint8Array}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'malformed-body'}
	| {readonly kind: 'not-understood'};

const decoders = {gzip: promisify(gunzip), deflate: promisify(inflate), rawDeflate: promisify(inflateRaw)};

/** Decompresses gzip and deflate; the result may not exceed `limitBytes`, however small the compressed body was (docs/webhooks.md, Bodies). */
export async function decodeContent(
	bytes: Uint8Array,
	encoding: string | undefined,
	limitBytes: number,
): Promise<Decoding> {
	const name = encoding?.trim().toLowerCase() ?? '';
	if (name === '' || name === 'identity') {
		return {kind: 'decoded', bytes};
	}

	const decoder = decoderFor(name, bytes);
	if (!decoder) {
		return {kind: 'not-understood'};
	}

	try {
		return {kind: 'decoded', bytes: await decoder(bytes, {maxOutputLength: limitBytes})};
	} catch (error) {
		const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
		return {kind: isTooLarge ? 'too-large' : 'malformed-body'};
	}
}

function decoderFor(name: string, bytes: Uint8Array): typeof decoders.gzip | undefined {
	if (name === 'gzip' || name === 'x-gzip') {
		return decoders.gzip;
	}

	// "deflate" is zlib by standard and raw by custom; the low half of a zlib header's first byte is always 8.
	const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8;
	return name === 'deflate' ? (isZlib ? decoders.deflate : decoders.rawDeflate) : undefined;
}

/** The event of a request, and every name under which a route may list it. */
type EventType = {
	readonly name: string;
	readonly names: readonly string[];
};

const longestNameCharacters = 256;

/** The route's own `source`, else GitHub header → GitLab header → `event_type` → `type` → `unknown` (docs/webhooks.md, Event types). */
export function eventTypeOf(headers: RequestHeaders, payload: JsonValue, source?: MessageSource): EventType {
	const own = source && (source.from === 'none' ? 'unknown' : readSource(source, headers, payload));
	if (own !== undefined) {
		const cut = cutText(own, longestNameCharacters);
		return {name: cut, names: [cut]};
	}

	const gitlab = headers.get('x-gitlab-event');
	const name = cutText(
		headers.get('x-github-event') ||
			gitlab ||
			textMember(payload, 'event_type') ||
			textMember(payload, 'type') ||
			'unknown',
		longestNameCharacters,
	);
	return {name, names: name === gitlab ? [name, shortGitlabName(name)] : [name]};
}

/** An empty list accepts every event (docs/webhooks.md, Event types). */
export function acceptsEvent(events: readonly string[], event: EventType): boolean {
	return events.length === 0 || event.names.some(name => events.includes(name));
}

/** GitLab sends `Merge Request Hook`; people write `merge_request`. */
function shortGitlabName(name: string): string {
	return name
		.toLowerCase()
		.replace(/ hook$/u, '')
		.replaceAll(' ', '_');
}

function textMember(payload: JsonValue, name: string): string | undefined {
	const value = isJsonObject(payload) ? ownMember(payload, name) : undefined;
	return typeof value === 'string' ? value : undefined;
}
