import {type WrittenChallenge, type WrittenSource} from './message-schema.ts';
import {type Challenge, type MessageSource, type Preset} from './presets/preset.ts';
import {type PresetName, presets} from './presets/preset-table.ts';
import {type RouteEntry} from './route-schema.ts';
import {type SignatureScheme, toSignatureScheme} from './signature-scheme.ts';

/** The rules for the messages of a route's senders: signature, ids, event types and challenge; each absent one is as for any sender (docs/webhooks.md, Signatures). */
export type SenderRules = {
	/** Absent: any of the recognised headers. */
	readonly signature?: SignatureScheme;
	/** The accepted tokens of a `jwt` route, with unresolved references. Any of them suffices. */
	readonly issuers?: readonly TokenIssuer[];
	/** The ARNs of the accepted topics of an SNS route, with unresolved references. */
	readonly topics?: readonly string[];
	readonly deliveryId?: MessageSource;
	readonly eventType?: MessageSource;
	/** The sender verifies the address before it sends events. Its token may be an unresolved reference. */
	readonly challenge?: Challenge;
	/** The time during which an unanswered message is sent again. */
	readonly retrySeconds?: number;
};

/** The tokens that prove a sender: without all of this a key that serves every customer of a provider would prove nothing. */
export type TokenIssuer = {
	readonly issuer: string;
	readonly audience: string;
	/** Absent: the provider names no account. */
	readonly email?: string;
	readonly jwks: string;
};

type WrittenRules = Pick<RouteEntry, 'secret' | 'signature' | 'delivery_id' | 'event_type' | 'challenge'>;

/** The rules of a route: its own, and those of its preset where it has none. */
export function toSenderRules(written: WrittenRules): SenderRules {
	const preset = presetOf(written);
	const signature = written.signature && toSignatureScheme(written.signature);
	return {
		signature,
		issuers: signature?.algorithm === 'jwt' ? toIssuers(written.secret, preset) : undefined,
		topics: signature?.algorithm === 'sns' ? writtenTopics(written.secret) : undefined,
		deliveryId: written.delivery_id ? toSource(written.delivery_id) : preset?.deliveryId,
		eventType: written.event_type ? toSource(written.event_type) : preset?.eventType,
		challenge: written.challenge ? toChallenge(written.challenge, preset?.challenge) : preset?.challenge,
		retrySeconds: preset?.retrySeconds,
	};
}

function presetOf(rules: WrittenRules): Preset | undefined {
	const name = presetNameOf(rules);
	return name && presets[name];
}

/** The preset that a route begins with. */
export function presetNameOf({signature}: Pick<WrittenRules, 'signature'>): PresetName | undefined {
	return typeof signature === 'string' ? signature : signature?.preset;
}

/** The mappings of `secret`, completed by the preset. What is still missing is an empty text. */
function toIssuers(secret: RouteEntry['secret'], preset: Preset | undefined): readonly TokenIssuer[] {
	return writtenIssuers(secret).map(({issuer, audience = '', email, jwks}) => ({
		issuer: issuer ?? preset?.issuer?.issuer ?? '',
		audience,
		email: email ?? (preset?.issuer?.email === 'required' ? '' : undefined),
		jwks: jwks ?? preset?.issuer?.jwks ?? '',
	}));
}

function writtenIssuers(secret: RouteEntry['secret']) {
	return [secret].flat().flatMap(one => (typeof one === 'object' && !('topic_arn' in one) ? [one] : []));
}

function writtenTopics(secret: RouteEntry['secret']): readonly string[] {
	return [secret].flat().flatMap(one => (typeof one === 'object' && 'topic_arn' in one ? [one.topic_arn] : []));
}

/** True for a signature whose secret is a mapping: the keys of its provider serve all its customers. */
export function takesMapping(signature: Pick<SignatureScheme, 'algorithm'> | undefined): boolean {
	return signature?.algorithm === 'jwt' || signature?.algorithm === 'sns';
}

/** The reason that the kind of a route's secret does not fit its signature; undefined if it does. */
export function secretFault({secret}: WrittenRules, {signature}: SenderRules): string | undefined {
	if (signature?.algorithm !== 'sns' && writtenTopics(secret).length > 0) {
		return 'A mapping with `topic_arn` is a secret for `signature: sns` alone. Set a text, or the signature';
	}

	if (signature?.algorithm === 'sns') {
		return writtenIssuers(secret).some(issuer => Object.keys(issuer).length > 0)
			? 'The secret for `signature: sns` is a mapping with `topic_arn`'
			: undefined;
	}

	return signature?.algorithm !== 'jwt' && writtenIssuers(secret).length > 0
		? 'A mapping is a secret for `algorithm: jwt` alone. Set a text, or the algorithm'
		: undefined;
}

function toSource(written: WrittenSource): MessageSource {
	if (written === 'none') {
		return {from: 'none'};
	}

	return 'header' in written
		? {from: 'header', name: written.header.toLowerCase()}
		: {from: 'field', name: written.field};
}

/** The parameter of WebSub, which names the token that the receiver chose. */
const defaultTokenParameter = 'hub.verify_token';

/** The challenge as written, over that of the preset. Call `challengeFault` before: a challenge with a fault is that of the preset. */
function toChallenge(written: WrittenChallenge, preset: Challenge | undefined): Challenge | undefined {
	const {answer = 'text', token} = written;
	if (written.field !== undefined) {
		return {kind: 'field', field: written.field, answer};
	}

	const base = preset?.kind === 'parameter' ? preset : undefined;
	const parameter = written.parameter ?? base?.parameter;
	if (parameter === undefined) {
		return preset;
	}

	const tokenParameter = token === undefined ? undefined : defaultTokenParameter;
	return {
		kind: 'parameter',
		method: written.method ?? base?.method ?? 'GET',
		parameter,
		tokenParameter: written.token_parameter ?? base?.tokenParameter ?? tokenParameter,
		token,
		answer: written.answer ?? base?.answer ?? 'text',
	};
}

/** The reason that a route's own challenge could verify nothing; undefined if it is sound. */
export function challengeFault(rules: WrittenRules): string | undefined {
	const {challenge: written} = rules;
	if (!written) {
		return undefined;
	}

	const preset = presetOf(rules)?.challenge;
	if (written.parameter !== undefined && written.field !== undefined) {
		return 'The challenge has both `parameter` and `field`. Keep one of them';
	}

	if (written.field !== undefined) {
		return written.method === 'GET' || written.token !== undefined || written.token_parameter !== undefined
			? '`field` is read from a signed POST. Remove `method: GET`, `token` and `token_parameter`'
			: undefined;
	}

	return written.parameter === undefined && preset?.kind !== 'parameter'
		? 'The challenge has nothing to send back. Set `parameter` or `field`'
		: undefined;
}

/** The token that requests to verify the address must name, as written; empty without one. */
export function challengeTokens({challenge}: SenderRules): readonly string[] {
	return challenge?.kind === 'parameter' && challenge.token !== undefined ? [challenge.token] : [];
}
