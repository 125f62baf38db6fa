import {createPublicKey, type KeyObject, X509Certificate} from 'node:crypto';
import {isJsonObject, isList, type JsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {isStrongKey} from './signing-key.ts';

/** The form of a file with public keys: the JWKS of an issuer, or the certificate of SNS in PEM. */
export type KeyFileForm = 'jwks' | 'certificate';

/** A public key, and the end of its validity in milliseconds since the epoch. */
type DatedKey = {readonly key: KeyObject; readonly endsAt: number};

/** The keys of a file by their ids. */
export type KeyFile = ReadonlyMap<string, DatedKey>;

/** The id of the one key of a certificate. */
export const certificateKeyId = '';

const maxKeys = 100;

/** The keys of a JWKS that may verify tokens. Throws if it is none. */
export function readKeySet(text: string): KeyFile {
	const json = parseJson(text);
	const list = json !== undefined && isJsonObject(json) ? ownMember(json, 'keys') : undefined;
	if (list === undefined || !isList(list)) {
		throw new Error('The address of the keys has no JWKS');
	}

	return new Map(list.slice(0, maxKeys).filter(isJsonObject).flatMap(readKey));
}

/** A key that may verify tokens, under its id; empty for any other. */
function readKey(jwk: JsonObject): ReadonlyArray<readonly [string, DatedKey]> {
	const id = ownMember(jwk, 'kid');
	const use = ownMember(jwk, 'use');
	if (typeof id !== 'string' || (use !== undefined && use !== 'sig')) {
		return [];
	}

	const {kty, n, e, crv, x, y} = jwk;
	try {
		// The public members alone: a key that was published with its private part stays public here.
		const key = createPublicKey({key: JSON.parse(JSON.stringify({kty, n, e, crv, x, y})), format: 'jwk'});
		return isStrongKey(key, kty === 'EC' ? 'ec' : 'rsa') ? [[id, {key, endsAt: Number.POSITIVE_INFINITY}]] : [];
	} catch {
		return [];
	}
}

/** The names of the certificates that sign the messages of SNS, which differ by region. */
const signerName = /^sns(?:-[a-z0-9-]+)?(?:\.[a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/u;

/** The key of a certificate of SNS that is valid at `now`, in milliseconds since the epoch. Throws if it is none. */
export function readCertificate(text: string, now: number): KeyFile {
	const certificate = parseCertificate(text);
	if (!namesOf(certificate).some(name => signerName.test(name)) || !isStrongKey(certificate.publicKey, 'rsa')) {
		throw new Error('The certificate is not one of SNS');
	}

	const endsAt = certificate.validToDate.getTime();
	if (now < certificate.validFromDate.getTime() || now > endsAt) {
		throw new Error('The certificate is not valid now');
	}

	return new Map([[certificateKeyId, {key: certificate.publicKey, endsAt}]]);
}

function parseCertificate(text: string): X509Certificate {
	try {
		return new X509Certificate(text);
	} catch (cause) {
		throw new Error('The address of the certificate has no certificate', {cause});
	}
}

function namesOf({subject, subjectAltName = ''}: X509Certificate): readonly string[] {
	const common = subject.split('\n').flatMap(line => (line.startsWith('CN=') ? [line.slice(3)] : []));
	const alternative = subjectAltName
		.split(', ')
		.flatMap(name => (name.startsWith('DNS:') ? [name.slice('DNS:'.length)] : []));
	return [...common, ...alternative];
}
