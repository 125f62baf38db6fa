import {isAscii, isUtf8} from 'node:buffer';
import {type JsonValue} from '../../util/json-text.ts';
import {memoize} from '../../util/memoize.ts';
import {decodeContent} from './content-encoding.ts';
import {parseExactJson} from './exact-json.ts';
import {type RequestHeaders} from '../http/request-headers.ts';

/** What a body turned out to hold. */
export type PayloadReading =
	| {readonly kind: 'payload'; readonly payload: JsonValue}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'malformed-body'}
	| {readonly kind: 'not-understood'};

/**
Reads a verified body: undoes its encoding, then reads JSON or a form by its content type; without one it is JSON.
The type decides the parser; nothing is guessed from the bytes (docs/webhooks.md, Bodies).
*/
export async function readPayload(
	body: Uint8Array,
	headers: RequestHeaders,
	limitBytes: number,
): Promise<PayloadReading> {
	const type = contentKind(headers.get('content-type') ?? '');
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

	const text = decodeText(decoding.bytes);
	const payload = text === undefined ? undefined : type === 'json' ? parseExactJson(text) : readForm(text);
	return payload === undefined ? {kind: 'malformed-body'} : {kind: 'payload', payload};
}

/** Senders write one of a few types. */
const contentKind = memoize((contentType): 'json' | 'form' | 'unknown' => {
	const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
	if (type === '' || type === 'text/plain' || type === 'text/json' || /^application\/([\w.+-]+\+)?json$/u.test(type)) {
		return 'json';
	}

	return type === 'application/x-www-form-urlencoded' ? 'form' : 'unknown';
});

/** The bytes as text; undefined when they are not UTF-8. A byte order mark stays, and is no JSON. */
function decodeText(bytes: Uint8Array): string | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isAscii(buffer)) {
		return buffer.toString('latin1');
	}

	return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
}

/** A `payload` field holds JSON; without one the fields are the payload. Of repeated fields the first counts. */
function readForm(text: string): JsonValue | undefined {
	const form = new URLSearchParams(text);
	const payload = form.get('payload');
	if (payload !== null) {
		return parseExactJson(payload);
	}

	return Object.fromEntries([...form.keys()].map(name => [name, form.get(name) ?? '']));
}
