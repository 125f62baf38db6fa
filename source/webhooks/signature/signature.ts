import {createHmac, timingSafeEqual} from 'node:crypto';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {digestOf, digestToken, type SigningKey} from './signing-key.ts';

/** A fresh signature, not yet verified against the body. */
export type PendingSignature = {
	/** `legacy`: a scheme without replay protection, which is warned about. */
	readonly scheme: 'legacy' | 'current';
	/** The name of the scheme or header that decided, for people. */
	readonly name: string;
	/** The delivery id signed with the body; absent: the scheme signs none. */
	readonly signedId?: string;
	/** Fetches the key that `isSigned` needs, before the body is read; the reason when nobody has it. Absent: it is here. Never rejects. */
	readonly loadKey?: () => Promise<string | undefined>;
	/** Fetches the key that the body names, before `isSigned`; the reason when nobody has it. Never rejects. */
	readonly loadNamedKey?: (body: Uint8Array) => Promise<string | undefined>;
	/** True when the signature was made over exactly these bytes. Never throws. */
	readonly isSigned: (body: Uint8Array) => boolean;
	/** The verified body without the secret that it carries. Absent: it carries none. */
	readonly withoutSecret?: (body: Uint8Array) => Uint8Array;
};

/** The parts of a request besides its body that may be signed. `target` is path and query, unmodified. */
export type SignedRequest = {readonly headers: RequestHeaders; readonly target: string};

/** Reads the signature headers; undefined when there is no signature, it lacks its id or its timestamp is not fresh. `now` is milliseconds since the epoch. */
export type Verifier = (request: SignedRequest, now: number) => PendingSignature | undefined;

/** The unverified claims of the headers. All texts are untrusted. */
type SignatureHeaders =
	| {readonly scheme: 'standard'; readonly id: string; readonly timestamp: string; readonly entries: string}
	| {readonly scheme: 'hub'; readonly digest: string}
	| {readonly scheme: 'token'; readonly token: string}
	| {readonly scheme: 'generic-v2'; readonly timestamp: string; readonly digest: string}
	| {readonly scheme: 'generic-v1'; readonly digest: string};

const toleranceSeconds = 300;

/** The verifier of a route that accepts every header scheme (docs/webhooks.md, Signatures). */
export function createVerifier(keys: readonly SigningKey[]): Verifier {
	return ({headers}, now) => {
		const signature = readSignature(headers);
		return signature && hasItsId(signature) && isTimestampFresh(signature, now)
			? {
					scheme: signature.scheme === 'generic-v1' ? 'legacy' : 'current',
					name: schemeNames[signature.scheme],
					...(signature.scheme === 'standard' && {signedId: signature.id}),
					isSigned: body => isSigned(signature, body, keys),
				}
			: undefined;
	};
}

const schemeNames: Readonly<Record<SignatureHeaders['scheme'], string>> = {
	standard: 'Standard Webhooks',
	hub: 'X-Hub-Signature-256',
	token: 'X-Gitlab-Token',
	'generic-v2': 'X-Webhook-Signature-V2',
	'generic-v1': 'X-Webhook-Signature',
};

/** The first scheme with a header decides, without a fallback (docs/webhooks.md, Signatures). */
export function readSignature(headers: RequestHeaders): SignatureHeaders | undefined {
	return (
		readStandard(headers, 'webhook') ??
		readStandard(headers, 'svix') ??
		readHub(headers) ??
		readToken(headers) ??
		readGenericV2(headers) ??
		readGenericV1(headers)
	);
}

/** False when the scheme signs a delivery id and it is missing: a copy of the message could not be detected. */
function hasItsId(signature: SignatureHeaders): boolean {
	return signature.scheme !== 'standard' || signature.id !== '';
}

/** False when the scheme has a timestamp that is not a whole number of seconds within ±300 s, both ends included. */
export function isTimestampFresh(signature: SignatureHeaders, nowMilliseconds: number): boolean {
	if (signature.scheme !== 'standard' && signature.scheme !== 'generic-v2') {
		return true;
	}

	const isWholeSeconds = /^\d{1,12}$/u.test(signature.timestamp);
	const ageSeconds = Math.floor(nowMilliseconds / 1000) - Number(signature.timestamp);
	return isWholeSeconds && Math.abs(ageSeconds) <= toleranceSeconds;
}

/** True when the signature over exactly these bytes was made with one of the keys. Never throws, whatever the headers contain. */
export function isSigned(signature: SignatureHeaders, body: Uint8Array, keys: readonly SigningKey[]): boolean {
	return keys.some(key => isSignedBy(signature, body, key));
}

function isSignedBy(signature: SignatureHeaders, body: Uint8Array, key: SigningKey): boolean {
	switch (signature.scheme) {
		case 'standard': {
			const expected = hmac(key, `${signature.id}.${signature.timestamp}.`, body);
			return signature.entries.split(' ').some(entry => isStandardEntry(entry, expected));
		}

		case 'hub':
			return (
				signature.digest.startsWith('sha256=') && isHexOf(signature.digest.slice('sha256='.length), hmac(key, '', body))
			);
		case 'token':
			return isByteText(signature.token) && isEqual(digestToken(key.hmac, bytesOf(signature.token)), key.tokenDigest);
		case 'generic-v2':
			return isHexOf(signature.digest, hmac(key, `${signature.timestamp}.`, body));
		case 'generic-v1':
			return isHexOf(signature.digest, hmac(key, '', body));
	}
}

/** `webhook-id` alone does not select the scheme: some senders add it to other signatures. */
function readStandard(headers: RequestHeaders, prefix: 'webhook' | 'svix'): SignatureHeaders | undefined {
	const entries = headers.get(`${prefix}-signature`);
	return entries === undefined
		? undefined
		: {
				scheme: 'standard',
				id: headers.get(`${prefix}-id`) ?? '',
				timestamp: headers.get(`${prefix}-timestamp`) ?? '',
				entries,
			};
}

function readHub(headers: RequestHeaders): SignatureHeaders | undefined {
	const digest = headers.get('x-hub-signature-256');
	return digest === undefined ? undefined : {scheme: 'hub', digest};
}

function readToken(headers: RequestHeaders): SignatureHeaders | undefined {
	const token = headers.get('x-gitlab-token');
	return token === undefined ? undefined : {scheme: 'token', token};
}

function readGenericV2(headers: RequestHeaders): SignatureHeaders | undefined {
	const digest = headers.get('x-webhook-signature-v2');
	return digest === undefined
		? undefined
		: {scheme: 'generic-v2', timestamp: headers.get('x-webhook-timestamp') ?? '', digest};
}

function readGenericV1(headers: RequestHeaders): SignatureHeaders | undefined {
	const digest = headers.get('x-webhook-signature');
	return digest === undefined ? undefined : {scheme: 'generic-v1', digest};
}

function hmac(key: SigningKey, prefix: string, body: Uint8Array): Uint8Array {
	const hash = createHmac('sha256', key.hmac);
	// Each update is a native call: half of the schemes sign only the body.
	return digestOf((prefix === '' ? hash : hash.update(bytesOf(prefix))).update(body));
}

function isStandardEntry(entry: string, expected: Uint8Array): boolean {
	return /^v1,[A-Za-z0-9+/]{43}=$/u.test(entry) && isEqual(Buffer.from(entry.slice('v1,'.length), 'base64'), expected);
}

function isHexOf(text: string, expected: Uint8Array): boolean {
	return /^[0-9a-f]{64}$/iu.test(text) && isEqual(Buffer.from(text, 'hex'), expected);
}

/** Header strings have one character per byte sent; a character above 255 was never sent. */
function isByteText(text: string): boolean {
	return !/[^\u0000-\u00FF]/u.test(text);
}

function bytesOf(headerText: string): Uint8Array {
	return Buffer.from(headerText, 'latin1');
}

/** Constant time for the digests compared here, which all have the same length. */
function isEqual(first: Uint8Array, second: Uint8Array): boolean {
	return first.length === second.length && timingSafeEqual(first, second);
}
