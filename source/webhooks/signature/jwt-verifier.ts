import {type KeyObject, verify} from 'node:crypto';
import {type TokenIssuer} from '../../config/webhooks/sender-rules.ts';
import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {isJsonObject, type JsonObject, ownMember, parseJson} from '../../util/json-text.ts';
import {type KeySets} from './key-sets.ts';
import {type Verifier} from './signature.ts';

/** A token as sent, with its claims; nothing of it is verified. */
type SentToken = {
	readonly keyId: string;
	readonly claims: JsonObject;
	readonly signed: Buffer;
	readonly signature: Buffer;
};

const longestToken = 8192;

/**
The verifier of a route whose senders prove themselves by a JWT. Its algorithm and the address of the keys are those of the route: `jwk`, `jku`, `x5c`
and `x5u` of a token are never used. The body is not signed (docs/providers.md, Tokens).
*/
export function createJwtVerifier(
	scheme: SignatureScheme,
	issuers: readonly TokenIssuer[],
	keySets: KeySets,
): Verifier {
	return ({headers}, now) => {
		const token = readToken(headers.get(scheme.header), scheme);
		const issuer = token && issuers.find(one => isMeant(token.claims, one));
		if (!token || !issuer || !isCurrent(token.claims, now, scheme)) {
			return undefined;
		}

		let key: KeyObject | undefined;
		return {
			scheme: 'current',
			name: 'JWT',
			async loadKey() {
				const found = await keySets.find(issuer.jwks, token.keyId);
				key = found.kind === 'key' ? found.key : undefined;
				return found.kind === 'away' ? found.reason : undefined;
			},
			isSigned: () => key !== undefined && isSignedBy(key, token, scheme),
		};
	};
}

function readToken(written: string | undefined, {prefix, jwtAlgorithm}: SignatureScheme): SentToken | undefined {
	if (written === undefined || written.length > longestToken + prefix.length) {
		return undefined;
	}

	const text = written.slice(prefix.length);
	const [head = '', body = '', signature = '', ...others] = text.split('.');
	const isPrefixed = written.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
	if (!isPrefixed || others.length > 0 || !/^[\w-]+\.[\w-]+\.[\w-]+$/u.test(text)) {
		return undefined;
	}

	const header = readPart(head);
	const claims = readPart(body);
	const keyId = header && ownMember(header, 'kid');
	const isUsable = header && ownMember(header, 'alg') === jwtAlgorithm && !Object.hasOwn(header, 'crit');
	return isUsable && claims && typeof keyId === 'string'
		? {keyId, claims, signed: Buffer.from(`${head}.${body}`), signature: Buffer.from(signature, 'base64url')}
		: undefined;
}

function readPart(part: string): JsonObject | undefined {
	const json = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
	return json !== undefined && isJsonObject(json) ? json : undefined;
}

/** True when the token is of this issuer, for this audience, and where the route names one of this account. */
function isMeant(claims: JsonObject, {issuer, audience, email}: TokenIssuer): boolean {
	const aud = ownMember(claims, 'aud');
	const isAudience = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
	const isAccount =
		email === undefined || (ownMember(claims, 'email') === email && ownMember(claims, 'email_verified') === true);
	return ownMember(claims, 'iss') === issuer && isAudience && isAccount;
}

/** A token must end; its times may be off by the tolerance. */
function isCurrent(claims: JsonObject, now: number, {toleranceSeconds}: SignatureScheme): boolean {
	const seconds = now / 1000;
	const ends = ownMember(claims, 'exp');
	const begins = [ownMember(claims, 'nbf'), ownMember(claims, 'iat')];
	return (
		typeof ends === 'number' &&
		seconds <= ends + toleranceSeconds &&
		begins.every(time => time === undefined || (typeof time === 'number' && time <= seconds + toleranceSeconds))
	);
}

function isSignedBy(key: KeyObject, {signed, signature}: SentToken, {jwtAlgorithm}: SignatureScheme): boolean {
	return jwtAlgorithm === 'ES256'
		? key.asymmetricKeyType === 'ec' && verify('sha256', signed, {key, dsaEncoding: 'ieee-p1363'}, signature)
		: key.asymmetricKeyType === 'rsa' && verify('sha256', signed, key, signature);
}
