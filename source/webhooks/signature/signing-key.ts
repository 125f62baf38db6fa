import {createHmac, createSecretKey, type Hmac, type KeyObject} from 'node:crypto';

/** A secret made ready once: the key of every HMAC, and a digest of the secret itself for plain comparison. */
export type SigningKey = {
	readonly hmac: KeyObject;
	/** Digest of the secret as written. Digests are compared, so that neither length nor beginning leaks. */
	readonly tokenDigest: Uint8Array;
};

const standardPrefix = 'whsec_';

/** `whsec_…` is a base64 key, anything else raw UTF-8 (docs/webhooks.md, Signatures). Undefined when no key is in it. */
export function readSigningKey(secret: string): SigningKey | undefined {
	const bytes = keyBytes(secret);
	if (!bytes || bytes.length === 0) {
		return undefined;
	}

	// A cached KeyObject: on OpenSSL 3.5 a key given as bytes costs four times the HMAC of a small body.
	const hmac = createSecretKey(bytes);
	return {hmac, tokenDigest: digestToken(hmac, Buffer.from(secret, 'utf8'))};
}

/** The digest under which a plain token is compared. */
export function digestToken(key: KeyObject, token: Uint8Array): Uint8Array {
	return digestOf(createHmac('sha256', key).update(token));
}

/** The bytes of a digest. It comes as text, whose bytes share a pool: as bytes it would come in memory of its own, which is collected dearly. */
export function digestOf(hmac: Hmac): Uint8Array {
	return Buffer.from(hmac.digest('binary'), 'latin1');
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
