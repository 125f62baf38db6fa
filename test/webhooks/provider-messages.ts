import {createHmac, generateKeyPairSync, sign} from 'node:crypto';
import {type PresetName, presets} from '../../source/config/webhooks/presets/preset-table.ts';
import {toSenderRules} from '../../source/config/webhooks/sender-rules.ts';
import {type WrittenSignature} from '../../source/config/webhooks/signature-schema.ts';
import {createKeySets, type FetchText, type KeySets} from '../../source/webhooks/signature/key-sets.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {signSns, snsCertificate, snsCertificateUrl, snsTopic} from './sns-messages.ts';

/** A message as the provider would send it. */
export type ProviderMessage = {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly target?: string;
};

/** A sender that signs after the provider's documentation, with node:crypto and nothing of ours. */
export type Provider = {
	readonly signature: PresetName | WrittenSignature;
	readonly secret: string;
	/** The mapping that is the secret of the route. */
	readonly mapping?: {readonly audience: string; readonly email: string} | {readonly topic_arn: string};
	readonly send: (body: string, seconds: number) => ProviderMessage;
};

const key = 'a secret of a test';
const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex', hash = 'sha256') =>
	createHmac(hash, key).update(text).digest(encoding);

type Signer = (body: string, seconds: number) => Readonly<Record<string, string>>;

function byHeaders(name: PresetName, headers: Signer): Provider {
	return {signature: name, secret: key, send: (body, seconds) => ({body, headers: headers(body, seconds)})};
}

const discordPair = generateKeyPairSync('ed25519');
const googlePair = generateKeyPairSync('rsa', {modulusLength: 2048});
const sendgridPair = generateKeyPairSync('ec', {namedCurve: 'P-256'});

/** The address that was entered at providers that sign it. */
const address = 'https://hooks.example/webhooks/r';

const senders: Readonly<Record<PresetName, Provider>> = {
	stripe: byHeaders('stripe', (body, at) => ({'stripe-signature': `t=${at},v1=${hmac(`${at}.${body}`)}`})),
	slack: byHeaders('slack', (body, at) => ({
		'x-slack-request-timestamp': `${at}`,
		'x-slack-signature': `v0=${hmac(`v0:${at}:${body}`)}`,
	})),
	shopify: byHeaders('shopify', body => ({'x-shopify-hmac-sha256': hmac(body, 'base64')})),
	linear: {
		signature: 'linear',
		secret: key,
		send(text, at) {
			const body = JSON.stringify({...Object(JSON.parse(text)), webhookTimestamp: at * 1000});
			return {body, headers: {'linear-signature': hmac(body)}};
		},
	},
	pagerduty: byHeaders('pagerduty', body => ({'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${hmac(body)}`})),
	discord: {
		signature: 'discord',
		secret: discordPair.publicKey.export({format: 'der', type: 'spki'}).subarray(-32).toString('hex'),
		send: (body, at) => ({
			body,
			headers: {
				'x-signature-timestamp': `${at}`,
				'x-signature-ed25519': sign(null, Buffer.from(`${at}${body}`), discordPair.privateKey).toString('hex'),
			},
		}),
	},
	twilio: {
		signature: {preset: 'twilio', url: address},
		secret: key,
		send(text) {
			const fields = Object.entries<string>(Object(JSON.parse(text)));
			const signed = fields.map(([name, value]) => name + value).toSorted((first, second) => (first < second ? -1 : 1));
			return {
				body: new URLSearchParams(fields).toString(),
				headers: {
					'content-type': 'application/x-www-form-urlencoded',
					'x-twilio-signature': hmac(`${address}${signed.join('')}`, 'base64', 'sha1'),
				},
			};
		},
	},
	gitea: byHeaders('gitea', body => ({'x-gitea-signature': hmac(body)})),
	sentry: byHeaders('sentry', body => ({'sentry-hook-signature': hmac(body)})),
	bearer: byHeaders('bearer', () => ({authorization: `Bearer ${key}`})),
	meta: byHeaders('meta', body => ({'x-hub-signature-256': `sha256=${hmac(body)}`})),
	bitbucket: byHeaders('bitbucket', body => ({'x-hub-signature': `sha256=${hmac(body)}`})),
	jira: byHeaders('jira', body => ({'x-hub-signature': `sha256=${hmac(body)}`})),
	grafana: byHeaders('grafana', (body, at) => ({
		'x-grafana-alerting-timestamp': `${at}`,
		'x-grafana-alerting-signature': hmac(`${at}:${body}`),
	})),
	alertmanager: byHeaders('alertmanager', () => ({authorization: `Bearer ${key}`})),
	telegram: byHeaders('telegram', () => ({'x-telegram-bot-api-secret-token': key})),
	paddle: byHeaders('paddle', (body, at) => ({'paddle-signature': `ts=${at};h1=${hmac(`${at}:${body}`)}`})),
	hubspot: {
		...byHeaders('hubspot', (body, at) => ({
			'x-hubspot-request-timestamp': `${at * 1000}`,
			'x-hubspot-signature-v3': hmac(`POST${address}${body}${at * 1000}`, 'base64'),
		})),
		signature: {preset: 'hubspot', url: address},
	},
	square: {
		...byHeaders('square', body => ({'x-square-hmacsha256-signature': hmac(address + body, 'base64')})),
		signature: {preset: 'square', url: address},
	},
	zoom: byHeaders('zoom', (body, at) => ({
		'x-zm-request-timestamp': `${at}`,
		'x-zm-signature': `v0=${hmac(`v0:${at}:${body}`)}`,
	})),
	sendgrid: {
		...byHeaders('sendgrid', (body, at) => ({
			'x-twilio-email-event-webhook-timestamp': `${at}`,
			'x-twilio-email-event-webhook-signature': sign(
				'sha256',
				Buffer.from(`${at}${body}`),
				sendgridPair.privateKey,
			).toString('base64'),
		})),
		secret: sendgridPair.publicKey.export({format: 'der', type: 'spki'}).toString('base64'),
	},
	dropbox: byHeaders('dropbox', body => ({'x-dropbox-signature': hmac(body)})),
	pubsub: {
		...byHeaders('pubsub', (_body, at) => ({authorization: `Bearer ${signToken(googleClaims(at))}`})),
		mapping: {audience: address, email: 'push@project.iam.gserviceaccount.com'},
	},
	sns: {
		signature: 'sns',
		secret: '',
		mapping: {topic_arn: snsTopic},
		send(text, at) {
			const body = JSON.stringify(signSns({...Object(JSON.parse(text)), Timestamp: new Date(at * 1000).toISOString()}));
			return {body, headers: {'content-type': 'text/plain; charset=UTF-8'}};
		},
	},
	msgraph: {
		signature: 'msgraph',
		secret: key,
		send(text) {
			const {value = [{}], ...payload} = Object(JSON.parse(text));
			const items = value.map((item: object) => ({...item, clientState: key}));
			return {body: JSON.stringify({...payload, value: items}), headers: {}};
		},
	},
};

/** The claims of a token of Google Pub/Sub, as its documentation has them. */
export function googleClaims(at: number): Readonly<Record<string, unknown>> {
	return {
		aud: address,
		azp: '113774264463038321964',
		email: 'push@project.iam.gserviceaccount.com',
		sub: '113774264463038321964',
		email_verified: true,
		exp: at + 3600,
		iat: at,
		iss: 'https://accounts.google.com',
	};
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT, signed with `googlePair` unless another key is given. */
export function signToken(claims: object, head: object = {}, privateKey = googlePair.privateKey): string {
	const signed = `${part({alg: 'RS256', kid: 'k1', typ: 'JWT', ...head})}.${part(claims)}`;
	return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** The JWKS of the issuer. */
export const googleKeys = {
	keys: [{...googlePair.publicKey.export({format: 'jwk'}), kid: 'k1', alg: 'RS256', use: 'sig'}],
};

const files = new Map([
	['https://www.googleapis.com/oauth2/v3/certs', JSON.stringify(googleKeys)],
	[snsCertificateUrl, snsCertificate],
]);

/** The addresses of the keys of these senders. */
export const fetchProviderKeys: FetchText = async url =>
	files.get(url) ?? Promise.reject(new Error('nothing is there'));

/** The key sets of a gateway that knows the keys of these senders. */
export const providerKeySets = (): KeySets =>
	createKeySets({clock: createFakeClock(), fetchText: fetchProviderKeys, signal: neverAborted()});

/** The rules and the secret of a route for this sender. */
export function routeOf({signature, secret, mapping}: Provider) {
	return {...toSenderRules({signature, secret: mapping ?? secret}), secrets: mapping ? [] : [secret]};
}

/** The sender of a preset, and its sample. */
export function providerOf(name: PresetName) {
	const {sample} = presets[name];
	const provider = senders[name];
	return {
		...provider,
		sample,
		/** The sample, signed at that time; `change` alters the payload before it is signed. */
		sendSample(seconds: number, change: (text: string) => string = text => text): ProviderMessage {
			const message = provider.send(change(JSON.stringify(sample.payload)), seconds);
			return {...message, headers: {...sample.headers, ...message.headers}};
		},
	};
}
