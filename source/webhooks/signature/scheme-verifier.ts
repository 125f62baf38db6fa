import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {readPath} from '../payload/field-path.ts';
import {parseExactJson} from '../payload/exact-json.ts';
import {type SchemeKey} from './scheme-key.ts';
import {twilioContents} from './twilio-content.ts';
import {type SignedRequest, type Verifier} from './verifier.ts';

/** A header holds no more signatures than this that are looked at. */
const mostSignatures = 16;

/** The verifier of a route that names its scheme: that header decides and no other (docs/webhooks.md, Signature presets). */
export function createSchemeVerifier(scheme: SignatureScheme, keys: readonly SchemeKey[]): Verifier {
	return (request, now) => {
		const written = request.headers.get(scheme.header);
		if (written === undefined) {
			return undefined;
		}

		const parts = partsOf(written, scheme);
		const timestamp = timestampBefore(scheme, parts, request);
		if (timestamp !== undefined && !isRecent(timestamp, now, scheme)) {
			return undefined;
		}

		const signatures = partsAfter(scheme.prefix, parts);
		const isSigned = (body: Uint8Array) =>
			contentsOf(scheme, request, {body, timestamp: timestamp ?? ''}).some(content =>
				keys.some(key => key(content, signatures)),
			) && isFreshInside(scheme, body, now);
		return {scheme: 'current', name: scheme.header, isSigned};
	};
}

function partsOf(written: string, {separator}: SignatureScheme): readonly string[] {
	return separator === undefined ? [written] : written.split(separator).map(part => part.trim());
}

/** The parts with that prefix, without it. Its case does not matter, as in `Bearer`. */
function partsAfter(prefix: string, parts: readonly string[]): readonly string[] {
	return parts
		.filter(part => part.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase())
		.map(part => part.slice(prefix.length))
		.slice(0, mostSignatures);
}

/** The timestamp that can be judged before the body; undefined when the scheme has none there, empty when it is missing. */
function timestampBefore(
	{timestamp}: SignatureScheme,
	parts: readonly string[],
	{headers}: SignedRequest,
): string | undefined {
	switch (timestamp?.from) {
		case 'header':
			return headers.get(timestamp.name) ?? '';
		case 'part':
			return partsAfter(timestamp.name, parts)[0] ?? '';
		case 'field':
		case undefined:
			return undefined;
	}
}

/** A timestamp inside the body is signed with it, and read once the signature has been verified. */
function isFreshInside(scheme: SignatureScheme, body: Uint8Array, now: number): boolean {
	if (scheme.timestamp?.from !== 'field') {
		return true;
	}

	const payload = parseExactJson(Buffer.from(body).toString('utf8'));
	const value = payload === undefined ? undefined : readPath(payload, scheme.timestamp.name);
	return isRecent(typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '', now, scheme);
}

/** Whole seconds, or milliseconds when there are thirteen digits; both ends of the tolerance are included. */
function isRecent(timestamp: string, now: number, {toleranceSeconds}: SignatureScheme): boolean {
	if (!/^\d{1,13}$/u.test(timestamp)) {
		return false;
	}

	const age = timestamp.length === 13 ? (now - Number(timestamp)) / 1000 : Math.floor(now / 1000) - Number(timestamp);
	return Math.abs(age) <= toleranceSeconds;
}

function contentsOf(
	{signed, url, algorithm}: SignatureScheme,
	request: SignedRequest,
	sent: {readonly body: Uint8Array; readonly timestamp: string},
): readonly Uint8Array[] {
	if (algorithm === 'token' || signed === '{body}') {
		return [sent.body];
	}

	if (signed === '{twilio}') {
		return twilioContents(request, sent.body, url);
	}

	const pieces = signed.split(/(\{timestamp\}|\{body\})/u).map(piece => {
		switch (piece) {
			case '{body}':
				return sent.body;
			case '{timestamp}':
				return Buffer.from(sent.timestamp, 'latin1');
			default:
				return Buffer.from(piece, 'utf8');
		}
	});
	return [Buffer.concat(pieces)];
}
