import {promisify} from 'node:util';
import {gunzip, inflate, inflateRaw} from 'node:zlib';

/** What became of undoing `Content-Encoding`. */
export type Decoding =
	| {readonly kind: 'decoded'; readonly bytes: Uint8Array}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'malformed-body'}
	| {readonly kind: 'not-understood'};

const decoders = {gzip: promisify(gunzip), deflate: promisify(inflate), rawDeflate: promisify(inflateRaw)};

/** Undoes gzip and deflate; the result may not pass `limitBytes`, however small the body was as sent (docs/webhooks.md, Bodies). */
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
