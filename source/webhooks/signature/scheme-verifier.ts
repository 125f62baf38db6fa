import {createHash, timingSafeEqual} from 'node:crypto';
import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {parseExactJson} from '../payload/exact-json.ts';
import {readPath} from '../payload/field-path.ts';
import {readFormFields, valuesByName} from '../payload/form.ts';
import {type SignedRequest, type Verifier} from './signature.ts';
import {type SchemeKey} from './signing-key.ts';

/** The most signatures of a header that are checked. */
const maxSignatures = 16;

/** The verifier of a route that names its scheme: only that scheme's header counts (docs/providers.md, Signature presets). */
export function createSchemeVerifier(scheme: SignatureScheme, keys: readonly SchemeKey[]): Verifier {
	const contentsOf = createContents(scheme);
	return (request, now) => {
		const written = request.headers.get(scheme.header);
		if (written === undefined) {
			return undefined;
		}

		const parts = partsOf(written, scheme);
		const timestamp = timestampBefore(scheme, parts, request);
		if (timestamp !== undefined && !isWithinTolerance(timestamp, now, scheme)) {
			return undefined;
		}

		const signatures = partsAfter(scheme.prefix, parts);
		const isSigned = (body: Uint8Array) =>
			contentsOf(request, {body, timestamp: timestamp ?? ''}).some(content =>
				keys.some(key => key(content, signatures)),
			) && hasFreshTimestamp(scheme, body, now);
		return {scheme: 'current', name: scheme.header, isSigned};
	};
}

function partsOf(written: string, {separator}: SignatureScheme): readonly string[] {
	return separator === undefined ? [written] : written.split(separator).map(part => part.trim());
}

/** The parts with that prefix, without it. The prefix is not case-sensitive, like `Bearer`. */
function partsAfter(prefix: string, parts: readonly string[]): readonly string[] {
	return parts
		.filter(part => part.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase())
		.map(part => part.slice(prefix.length))
		.slice(0, maxSignatures);
}

/** The timestamp that can be checked before the body; undefined when the scheme has none there, empty when it is missing. */
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

/** A timestamp inside the body is signed with it, and read after the signature was verified. */
function hasFreshTimestamp(scheme: SignatureScheme, body: Uint8Array, now: number): boolean {
	if (scheme.timestamp?.from !== 'field') {
		return true;
	}

	const payload = parseExactJson(Buffer.from(body).toString('utf8'));
	const value = payload === undefined ? undefined : readPath(payload, scheme.timestamp.name);
	return isWithinTolerance(
		typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
		now,
		scheme,
	);
}

/** Whole seconds, or milliseconds with thirteen digits; both ends of the tolerance are included. */
function isWithinTolerance(timestamp: string, now: number, {toleranceSeconds}: SignatureScheme): boolean {
	if (!/^\d{1,13}$/u.test(timestamp)) {
		return false;
	}

	const age = timestamp.length === 13 ? (now - Number(timestamp)) / 1000 : Math.floor(now / 1000) - Number(timestamp);
	return Math.abs(age) <= toleranceSeconds;
}

/** The texts of which one was signed. */
type Contents = (
	request: SignedRequest,
	sent: {readonly body: Uint8Array; readonly timestamp: string},
) => readonly Uint8Array[];

/** Prepares what a scheme signs: its template is taken apart once. */
function createContents({signed, url, algorithm}: SignatureScheme): Contents {
	if (algorithm === 'token' || algorithm === 'jwt' || signed === '{body}') {
		return (_request, {body}) => [body];
	}

	if (signed === '{twilio}') {
		return (request, {body}) => twilioContents(request, body, url);
	}

	const pieces = signed.split(/(\{(?:timestamp|body|method|url)\})/u).filter(piece => piece !== '');
	return ({target}, {body, timestamp}) => {
		const parts = pieces.map(piece => {
			switch (piece) {
				case '{body}':
					return body;
				case '{timestamp}':
					return Buffer.from(timestamp, 'latin1');
				case '{method}':
					// Every signed request is a POST: no other method reaches a verifier.
					return Buffer.from('POST');
				case '{url}':
					return Buffer.from(withQuery(url ?? '', target), 'utf8');
				default:
					return Buffer.from(piece, 'utf8');
			}
		});
		return [Buffer.concat(parts)];
	};
}

/**
The content that Twilio may have signed: the URL, followed by the sorted fields of a form; for any other body the URL contains its hash.
Empty when the body is neither, for its signature would not cover it, and for a form with too many fields.
*/
function twilioContents(request: SignedRequest, body: Uint8Array, url: string | undefined): readonly Buffer[] {
	const tail = isForm(request) ? formText(body) : isHashed(request.target, body) ? '' : undefined;
	return tail === undefined ? [] : addresses(request, url).map(address => Buffer.from(address + tail, 'utf8'));
}

/** A proxy ends TLS, so the request does not show whether it was sent over http or https; both URLs are tried, since neither can be signed without the key. */
function addresses({headers, target}: SignedRequest, url: string | undefined): readonly string[] {
	if (url !== undefined) {
		return [withQuery(url, target)];
	}

	const host = Buffer.from(headers.get('host') ?? '', 'latin1').toString('utf8');
	return [`https://${host}${target}`, `http://${host}${target}`];
}

/** The configured address with the query of the request, unless it has one of its own. */
function withQuery(url: string, target: string): string {
	const query = target.indexOf('?');
	return url.includes('?') || query === -1 ? url : url + target.slice(query);
}

function isForm({headers}: SignedRequest): boolean {
	const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
	return type === 'application/x-www-form-urlencoded';
}

/** Fields by name; for a repeated one each distinct value, sorted. Undefined for a form with too many fields. */
function formText(body: Uint8Array): string | undefined {
	const fields = readFormFields(Buffer.from(body).toString('utf8'));
	if (!fields) {
		return undefined;
	}

	const byName = valuesByName(fields);
	return [...byName.keys()]
		.sort()
		.flatMap(name => [...new Set(byName.get(name))].sort().map(value => name + value))
		.join('');
}

function isHashed(target: string, body: Uint8Array): boolean {
	const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
	const named = Buffer.from((target.includes('?') && query.get('bodySHA256')) || '', 'latin1');
	const actual = Buffer.from(createHash('sha256').update(body).digest('hex'));
	return named.length === actual.length && timingSafeEqual(named, actual);
}
