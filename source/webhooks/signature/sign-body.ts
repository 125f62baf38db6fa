import {createHash, createHmac} from 'node:crypto';
import {insecureSecret} from '../../config/webhooks/refusals.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {takesMapping} from '../../config/webhooks/sender-rules.ts';
import {type SignatureScheme} from '../../config/webhooks/signature-scheme.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue, ownMember, parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {readSigningKey} from './signing-key.ts';

/** A request ready to be sent: append `search` to the URL. */
type SignedPost = {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly search: string;
};

/**
The request that a sender of the route would send with this body: signed by its scheme, else Generic V2, with its first usable secret
(docs/webhooks.md, Signatures). Undefined: the route has none. Throws `bad_usage` when only the sender can sign.
*/
export function signBody(
	body: string,
	route: Pick<RouteConfig, 'secrets' | 'profile' | 'signature'>,
	options: {
		readonly expand: (text: string, profile?: string) => string;
		readonly now: number;
		/** The URL to send it to, without a query. */
		readonly address: string;
	},
): SignedPost | undefined {
	const secrets = route.secrets.map(secret => options.expand(secret, route.profile));
	if (secrets.includes(insecureSecret)) {
		return {headers: {}, body, search: ''};
	}

	const scheme = route.signature;
	if (scheme && takesMapping(scheme)) {
		return signByScheme(body, {scheme, secret: ''}, options);
	}

	const usable = secrets.filter(secret => !isUnresolved(secret) && readSigningKey(secret) !== undefined);
	const [secret] = usable;
	if (secret === undefined) {
		return undefined;
	}

	const url = scheme?.url === undefined ? undefined : options.expand(scheme.url, route.profile);
	return scheme
		? signByScheme(body, {scheme: {...scheme, url}, secret}, options)
		: {headers: genericV2(body, secret, options.now), body, search: ''};
}

function genericV2(body: string, secret: string, now: number): Readonly<Record<string, string>> {
	const key = readSigningKey(secret);
	const timestamp = String(Math.floor(now / 1000));
	return key
		? {
				'x-webhook-timestamp': timestamp,
				'x-webhook-signature-v2': createHmac('sha256', key.hmac).update(`${timestamp}.${body}`).digest('hex'),
			}
		: {};
}

/**
Signs a JSON body as a sender of a route with this scheme does. `address` is the URL, without a query; `now` is milliseconds since the epoch.
Adds the timestamp to a body that needs one. Throws `bad_usage` when only the sender can sign.
*/
export function signByScheme(
	body: string,
	{scheme, secret}: {readonly scheme: SignatureScheme; readonly secret: string},
	{address, now}: {readonly address: string; readonly now: number},
): SignedPost {
	const {algorithm} = scheme;
	if (
		algorithm === 'ed25519' ||
		algorithm === 'ecdsa-sha256' ||
		algorithm === 'rsa-sha256' ||
		algorithm === 'jwt' ||
		algorithm === 'sns'
	) {
		throw new Problem('bad_usage', {
			message:
				'Only the sender of this route can sign, because it has the private key. Add --dry-run to test without a signature',
		});
	}

	if (scheme.field !== undefined) {
		return {headers: {}, body: withSecretAt(body, scheme.field.split('.'), secret), search: ''};
	}

	if (algorithm === 'token') {
		return {headers: {[scheme.header]: scheme.prefix + secret}, body, search: ''};
	}

	const {timestamp} = scheme;
	const seconds = String(Math.floor(now / 1000));
	const sent = timestamp?.from === 'field' ? withMember(body, timestamp.name.split('.'), now) : body;
	const isTwilio = scheme.signed === '{twilio}';
	const search = isTwilio ? `?bodySHA256=${createHash('sha256').update(sent).digest('hex')}` : '';
	const content = isTwilio ? (scheme.url ?? address) + search : signedText(scheme, {body: sent, timestamp: seconds});
	const key = Buffer.from(secret, scheme.key === 'text' ? 'utf8' : scheme.key);
	const signature = scheme.prefix + createHmac(algorithm, key).update(content).digest(scheme.encoding);
	const time = timestamp?.from === 'header' ? {[timestamp.name]: seconds} : {};
	const parts = timestamp?.from === 'part' ? [timestamp.name + seconds, signature] : [signature];
	return {headers: {...time, [scheme.header]: parts.join(scheme.separator ?? ',')}, body: sent, search};
}

function signedText(
	{signed, url = ''}: SignatureScheme,
	{body, timestamp}: {readonly body: string; readonly timestamp: string},
): string {
	const values: Readonly<Record<string, string>> = {body, timestamp, method: 'POST', url};
	return signed.replaceAll(/\{(timestamp|body|method|url)\}/gu, (_, name: string) => values[name] ?? '');
}

/** The JSON with the secret at that path; `*` is every item of a list, which a body without one gets. */
function withSecretAt(body: string, path: readonly string[], secret: string): string {
	const json = parseJson(body);
	return json === undefined ? body : JSON.stringify(secretAt(json, path, secret));
}

function secretAt(value: JsonValue | undefined, [step, ...rest]: readonly string[], secret: string): JsonValue {
	if (step === undefined) {
		return secret;
	}

	if (step === '*') {
		const items = value !== undefined && isList(value) ? value : [{}];
		return items.map(item => secretAt(item, rest, secret));
	}

	const object = isJsonObject(value) ? value : {};
	return {...object, [step]: secretAt(ownMember(object, step), rest, secret)};
}

/** The JSON with the value at that path, unless the path already has one. */
function withMember(body: string, path: readonly string[], value: JsonValue): string {
	const json = parseJson(body);
	return isJsonObject(json) ? JSON.stringify(put(json, path, value)) : body;
}

function put(object: JsonObject, [name = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
	const member = ownMember(object, name);
	if (rest.length > 0) {
		return {...object, [name]: put(isJsonObject(member) ? member : {}, rest, value)};
	}

	return member === undefined ? {...object, [name]: value} : object;
}
