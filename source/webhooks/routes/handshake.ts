import {createHmac} from 'node:crypto';
import {type Challenge} from '../../config/webhooks/presets/preset.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {type RequestHeaders} from '../http/incoming-request.ts';
import {type Acknowledgement, type Outcome} from '../http/outcome.ts';
import {readPath} from '../payload/field-path.ts';
import {createSchemeVerifier} from '../signature/scheme-verifier.ts';
import {readSchemeKey, readTokenKey} from '../signature/signing-key.ts';
import {isSnsAddress} from '../signature/sns-verifier.ts';

/** The part of a route that answers a provider in the provider's own form. Both are called for verified messages alone. */
export type Handshakes = {
	/** The end of a request that verifies the URL; undefined for an event. */
	readonly handshake: (payload: JsonValue, message: VerifiedMessage) => HandshakeOutcome | undefined;
	/** The form of the acknowledgements that the provider requires for this message. */
	readonly acknowledgement: (payload: JsonValue) => Acknowledgement;
};

/** A message whose signature was verified at `now`, in milliseconds since the epoch. */
type VerifiedMessage = {readonly headers: RequestHeaders; readonly body: Uint8Array; readonly now: number};

type HandshakeOutcome = Extract<Outcome, {kind: 'handshake' | 'challenge-refused'}>;

/** The end of a request that verifies the URL by a parameter, decided before its signature and its body; undefined for any other request. */
export type ParameterChallenge = (method: string, target: string) => Outcome | undefined;

type RouteHandshakes = Handshakes & {
	/** The methods of the route, as `Allow` has them. */
	readonly allow: string;
	readonly answerChallenge: ParameterChallenge;
};

const none: RouteHandshakes = {
	allow: 'POST',
	answerChallenge: () => undefined,
	handshake: () => undefined,
	acknowledgement: () => 'json',
};

/** Prepares the handshakes of a route; without a challenge every message is an event. */
export function createHandshakes(
	config: Pick<RouteConfig, 'challenge' | 'signature' | 'secrets'>,
	expand: (text: string) => string,
): RouteHandshakes {
	const {challenge} = config;
	switch (challenge?.kind) {
		case undefined:
			return none;
		case 'parameter':
			return {
				...none,
				allow: challenge.method === 'GET' ? 'GET, POST' : 'POST',
				answerChallenge: createParameterChallenge(challenge, expand),
			};
		case 'field':
			return {...none, handshake: payload => echoField(challenge, payload)};
		case 'discord':
			return {
				...none,
				handshake: answerPing,
				acknowledgement: payload => (isDiscordEvent(payload) ? 'empty' : 'json'),
			};
		case 'zoom':
			return {...none, handshake: createZoomHandshake(config, expand)};
		case 'sns':
			return {...none, handshake: answerSns};
	}
}

/** Every GET of a route with a GET challenge is one; a POST only with the parameter. */
function createParameterChallenge(
	{method: asked, parameter, tokenParameter, token = '', answer}: Extract<Challenge, {kind: 'parameter'}>,
	expand: (text: string) => string,
): ParameterChallenge {
	const expected = tokenParameter === undefined ? undefined : readTokenKey(expand(token));
	const isExpected = (query: URLSearchParams) => {
		const named = Buffer.from(query.get(tokenParameter ?? '') ?? '', 'utf8').toString('latin1');
		return tokenParameter === undefined || expected?.(new Uint8Array(), [named]) === true;
	};

	return (method, target) => {
		if (method !== asked || (method === 'POST' && !target.includes('?'))) {
			return undefined;
		}

		const query = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');
		const value = query.get(parameter) ?? undefined;
		if (method === 'POST' && value === undefined) {
			return undefined;
		}

		return isExpected(query)
			? echo(value, {name: parameter.split('.').at(-1) ?? parameter, answer})
			: {kind: 'invalid-signature'};
	};
}

/** Sends a field of the body back. A message that is marked as a challenge but has no value to send back is no event either. */
function echoField(
	{field, when, answer}: Extract<Challenge, {kind: 'field'}>,
	payload: JsonValue,
): HandshakeOutcome | undefined {
	if (when && readPath(payload, when.field) !== when.equals) {
		return undefined;
	}

	const value = readPath(payload, field);
	return when === undefined && typeof value !== 'string'
		? undefined
		: echo(value, {name: field.split('.').at(-1) ?? field, answer});
}

/** Sends a value back to its sender: 1 to 1,024 printable ASCII characters (docs/providers.md, Challenges). */
function echo(
	value: JsonValue | undefined,
	{name, answer}: {readonly name: string; readonly answer: 'text' | 'json'},
): HandshakeOutcome {
	if (typeof value !== 'string' || !/^[\u0020-\u007E]{1,1024}$/u.test(value)) {
		return {kind: 'challenge-refused', reason: 'The challenge is not 1 to 1,024 printable ASCII characters'};
	}

	return {
		kind: 'handshake',
		answer: answer === 'json' ? {as: 'json', body: {[name]: value}} : {as: 'text', text: value},
	};
}

/** The form of what is signed for a sender: nothing in it can be taken for one of the messages that the same secret signs. */
const signableToken = /^[A-Za-z0-9_-]{1,128}$/u;

/** Signs the token of `endpoint.url_validation` with the secret that proves the message, which during a rotation may be any of them. */
function createZoomHandshake(
	{signature: scheme, secrets}: Pick<RouteConfig, 'signature' | 'secrets'>,
	expand: (text: string) => string,
): Handshakes['handshake'] {
	const signers = secrets.map(expand).flatMap(secret => {
		const key = scheme && readSchemeKey(secret, scheme);
		return scheme && key ? [{secret, verify: createSchemeVerifier(scheme, [key])}] : [];
	});
	return (payload, {headers, body, now}) => {
		if (readPath(payload, 'event') !== 'endpoint.url_validation') {
			return undefined;
		}

		const token = readPath(payload, 'payload.plainToken');
		if (typeof token !== 'string' || !signableToken.test(token)) {
			return {
				kind: 'challenge-refused',
				reason: 'The challenge is not 1 to 128 letters, digits, - and _, and is not signed',
			};
		}

		const signer = signers.find(({verify}) => verify({headers, target: ''}, now)?.isSigned(body));
		return signer
			? {
					kind: 'handshake',
					answer: {
						as: 'json',
						body: {plainToken: token, encryptedToken: createHmac('sha256', signer.secret).update(token).digest('hex')},
					},
				}
			: {kind: 'challenge-refused', reason: 'No secret proves the challenge, so it is not signed'};
	};
}

/** A confirmation of SNS is put before a person; nothing is fetched here. The end of a subscription is a row. */
function answerSns(payload: JsonValue): HandshakeOutcome | undefined {
	const text = (name: string) => {
		const value = readPath(payload, name);
		return typeof value === 'string' ? value : '';
	};

	const answer = {as: 'json', body: {status: 'ignored', reason: 'handshake'}} as const;
	const topic = text('TopicArn');
	const url = text('SubscribeURL');
	switch (text('Type')) {
		case 'SubscriptionConfirmation':
			return isSnsAddress(url)
				? {kind: 'handshake', answer, confirmation: {topic, url}}
				: {kind: 'challenge-refused', reason: 'SubscribeURL is not an address of SNS'};
		case 'UnsubscribeConfirmation':
			return {kind: 'handshake', answer, note: `unsubscribed from ${topic}`};
		default:
			return undefined;
	}
}

/** A PING is type 1 among interactions, and type 0 among webhook events. */
function answerPing(payload: JsonValue): HandshakeOutcome | undefined {
	const type = isJsonObject(payload) ? ownMember(payload, 'type') : undefined;
	if (isDiscordEvent(payload)) {
		return type === 0 ? {kind: 'handshake', answer: {as: 'nothing'}} : undefined;
	}

	return type === 1 ? {kind: 'handshake', answer: {as: 'json', body: {type: 1}}} : undefined;
}

/** True for a webhook event of Discord: unlike an interaction it has no token. */
function isDiscordEvent(payload: JsonValue): payload is JsonObject {
	return (
		isJsonObject(payload) &&
		Object.hasOwn(payload, 'version') &&
		Object.hasOwn(payload, 'application_id') &&
		!Object.hasOwn(payload, 'token')
	);
}
