import {
	createHmac,
	createPublicKey,
	createSecretKey,
	type Hmac,
	type KeyObject,
	timingSafeEqual,
	verify,
} from 'node:crypto';
import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';

/** A secret prepared once: the HMAC key, and a digest of the secret itself for plain comparison. */
export type SigningKey = {
	readonly hmac: KeyObject;
	/** Digest of the secret as written. Digests are compared, so that neither length nor beginning leaks. */
	readonly tokenDigest: Uint8Array;
};

/** A secret prepared for one scheme: true when one of the signatures over exactly this content was made with it. Never throws. */
export type SchemeKey = (content: Uint8Array, signatures: readonly string[]) => boolean;

const standardPrefix = 'whsec_';

/** `whsec_…` is a base64 key, anything else raw UTF-8 (docs/webhooks.md, Signatures). Undefined when it contains no key. */
export function readSigningKey(secret: string): SigningKey | undefined {
	const bytes = keyBytes(secret);
	if (!bytes || bytes.length === 0) {
		return undefined;
	}

	// A cached KeyObject: on OpenSSL 3.5, passing the key as bytes costs four times the HMAC of a small body.
	const hmac = createSecretKey(bytes);
	return {hmac, tokenDigest: digestToken(hmac, Buffer.from(secret, 'utf8'))};
}

function keyBytes(secret: string): Buffer | undefined {
	if (secret.trim() === '') {
		return undefined;
	}

	if (!secret.startsWith(standardPrefix)) {
		return Buffer.from(secret, 'utf8');
	}

	const encoded = secret.slice(standardPrefix.length);
	return /^[A-Za-z0-9+/]+={0,2}$/u.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

/** Prepares the secret of a route; undefined when it contains no key. */
export function readSchemeKey(secret: string, scheme: SignatureScheme): SchemeKey | undefined {
	if (scheme.algorithm === 'token') {
		return readTokenKey(secret);
	}

	if (scheme.algorithm === 'jwt' || scheme.algorithm === 'sns') {
		return undefined;
	}

	if (scheme.algorithm === 'ecdsa-sha256' || scheme.algorithm === 'rsa-sha256') {
		return publicKey(secret, scheme);
	}

	const bytes = secret.trim() === '' ? undefined : decode(secret, scheme.key);
	if (!bytes || bytes.length === 0) {
		return undefined;
	}

	return scheme.algorithm === 'ed25519'
		? ed25519Key(bytes, scheme)
		: hmacKey(createSecretKey(bytes), scheme.algorithm, scheme);
}

/** The largest PEM or SPKI text of a public key. */
const maxKeyBytes = 8192;

/** A key of P-256 or of RSA with 2,048 bits or more, as PEM or base64 SPKI; a private key or a certificate is none. */
function publicKey(secret: string, {algorithm, encoding}: SignatureScheme): SchemeKey | undefined {
	const key = Buffer.byteLength(secret) > maxKeyBytes ? undefined : parsePublicKey(secret.trim());
	return key && isStrongKey(key, algorithm === 'ecdsa-sha256' ? 'ec' : 'rsa')
		? (content, signatures) =>
				signatures.some(signature => {
					const signed = decode(signature, encoding);
					return signed !== undefined && verify('sha256', content, key, signed);
				})
		: undefined;
}

/** True for a key that may prove a message: the curve P-256, or 2,048 bits of RSA. */
export function isStrongKey(key: KeyObject, type: 'ec' | 'rsa'): boolean {
	const {asymmetricKeyType, asymmetricKeyDetails: {namedCurve, modulusLength = 0} = {}} = key;
	return asymmetricKeyType === type && (type === 'ec' ? namedCurve === 'prime256v1' : modulusLength >= 2048);
}

function parsePublicKey(text: string): KeyObject | undefined {
	try {
		if (text.startsWith('-----BEGIN')) {
			return /^-----BEGIN (?:RSA )?PUBLIC KEY-----/u.test(text) ? createPublicKey(text) : undefined;
		}

		const der = decode(text, 'base64');
		return der && createPublicKey({key: der, format: 'der', type: 'spki'});
	} catch {
		return undefined;
	}
}

/** Prepares a secret that is sent itself. Digests are compared, so that neither its length nor its beginning leaks. */
export function readTokenKey(secret: string): SchemeKey | undefined {
	const bytes = Buffer.from(secret, 'utf8');
	const key = secret.trim() === '' ? undefined : createSecretKey(bytes);
	const expected = key && digestToken(key, bytes);
	return (
		key &&
		expected &&
		((_content, tokens) =>
			tokens.some(
				token => isByteText(token) && timingSafeEqual(digestToken(key, Buffer.from(token, 'latin1')), expected),
			))
	);
}

function hmacKey(key: KeyObject, hash: 'sha256' | 'sha1' | 'sha512', {encoding}: SignatureScheme): SchemeKey {
	return (content, signatures) => {
		const expected = digestOf(createHmac(hash, key).update(content));
		return signatures.some(signature => {
			const bytes = decode(signature, encoding);
			return bytes?.length === expected.length && timingSafeEqual(bytes, expected);
		});
	};
}

function ed25519Key(bytes: Buffer, {encoding}: SignatureScheme): SchemeKey | undefined {
	if (bytes.length !== 32) {
		return undefined;
	}

	const key = createPublicKey({key: {kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url')}, format: 'jwk'});
	return (content, signatures) =>
		signatures.some(signature => {
			const signed = decode(signature, encoding);
			return signed?.length === 64 && verify(null, content, key, signed);
		});
}

/** The digest for comparing a plain token. */
export function digestToken(key: KeyObject, token: Uint8Array): Uint8Array {
	return digestOf(createHmac('sha256', key).update(token));
}

/** The bytes of a digest, converted through a string into the buffer pool: a digest taken as bytes has its own allocation, which costs the garbage collector more. */
export function digestOf(hmac: Hmac): Uint8Array {
	return Buffer.from(hmac.digest('binary'), 'latin1');
}

function decode(text: string, encoding: 'text' | 'hex' | 'base64'): Buffer | undefined {
	switch (encoding) {
		case 'text':
			return Buffer.from(text, 'utf8');
		case 'hex':
			return /^(?:[0-9a-f]{2})+$/iu.test(text) ? Buffer.from(text, 'hex') : undefined;
		case 'base64':
			return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u.test(text)
				? Buffer.from(text, 'base64')
				: undefined;
	}
}

/** Header strings have one character per byte sent. */
function isByteText(text: string): boolean {
	return !/[^\u0000-\u00FF]/u.test(text);
}
