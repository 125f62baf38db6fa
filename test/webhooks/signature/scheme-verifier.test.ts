import {createHmac, generateKeyPairSync, sign} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {presetNames} from '../../../source/config/webhooks/presets/preset-table.ts';
import {type WrittenSignature} from '../../../source/config/webhooks/signature-schema.ts';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/signing-key.ts';
import {createSchemeVerifier} from '../../../source/webhooks/signature/scheme-verifier.ts';

type Written = (typeof presetNames)[number] | WrittenSignature;
type Sent = {
	readonly scheme: Written;
	readonly secret: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly target?: string;
	/** Seconds since the epoch at which it is checked. */
	readonly at: number;
};

/** The whole decision: the headers claim something fresh, and one of the secrets made it. */
function passes({scheme, secret, headers, body, target = '/webhooks/r', at}: Sent, secrets = [secret]): boolean {
	const read = toSignatureScheme(scheme);
	const keys = secrets.map(one => readSchemeKey(one, read)).filter(key => key !== undefined);
	const signature = createSchemeVerifier(read, keys)({headers: new Map(Object.entries(headers)), target}, at * 1000);
	return signature?.isSigned(Buffer.from(body, 'utf8')) ?? false;
}

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const at = 1_700_000_000;
// RFC 4231 test case 2, RFC 2202 test case 2.
const jefe = {secret: 'Jefe', body: 'what do ya want for nothing?', at};
const jefeHex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

const discordPair = generateKeyPairSync('ed25519');
const discordSecret = discordPair.publicKey.export({format: 'der', type: 'spki'}).subarray(-32).toString('hex');
const discord = (body: string, time = at): Sent => ({
	scheme: 'discord',
	secret: discordSecret,
	headers: {
		'x-signature-ed25519': sign(null, Buffer.from(`${time}${body}`), discordPair.privateKey).toString('hex'),
		'x-signature-timestamp': String(time),
	},
	body,
	at,
});

const stripe = (time = at): Sent => ({
	scheme: 'stripe',
	secret: 'whsec_test_secret',
	headers: {'stripe-signature': `t=${time},v1=${hex('whsec_test_secret', `${time}.{"id":1}`)},v0=${'0'.repeat(64)}`},
	body: '{"id":1}',
	at,
});

const linear = (webhookTimestamp: unknown): Sent => {
	const body = JSON.stringify({action: 'create', webhookTimestamp});
	return {scheme: 'linear', secret: 's', headers: {'linear-signature': hex('s', body)}, body, at};
};

/** The example of Slack's documentation. */
const slack: Sent = {
	scheme: 'slack',
	secret: '8f742231b10e8888abcd99yyyzzz85a5',
	headers: {
		'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
		'x-slack-request-timestamp': '1531420618',
	},
	body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
	at: 1_531_420_618,
};

/** The examples of Twilio's documentation and of the tests of its libraries. */
const twilioForm: Sent = {
	scheme: 'twilio',
	secret: '12345',
	headers: {
		'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
		'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
		host: 'mycompany.com',
	},
	target: '/myapp.php?foo=1&bar=2',
	body: 'To=%2B18005551212&CallSid=CA1234567890ABCDE&Caller=%2B14158675309&From=%2B14158675309&Digits=1234',
	at,
};
const bodyHash = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620';
const twilioJson: Sent = {
	...twilioForm,
	headers: {
		'x-twilio-signature': 'a9nBmqA0ju/hNViExpshrM61xv4=',
		'content-type': 'application/json',
		host: 'mycompany.com',
	},
	target: `/myapp.php?foo=1&bar=2&bodySHA256=${bodyHash}`,
	body: '{"property": "value", "boolean": true}',
};

const vectors: ReadonlyArray<{name: string; sent: Sent}> = [
	{name: 'stripe', sent: stripe()},
	{name: 'slack', sent: slack},
	{
		name: 'shopify',
		sent: {
			...jefe,
			scheme: 'shopify',
			headers: {'x-shopify-hmac-sha256': 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM='},
		},
	},
	{name: 'linear', sent: linear(at * 1000)},
	{
		name: 'pagerduty',
		sent: {
			...jefe,
			scheme: 'pagerduty',
			headers: {'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${jefeHex}`},
		},
	},
	{name: 'discord', sent: discord('{"type":1}')},
	{name: 'twilio, a form', sent: twilioForm},
	{name: 'twilio, JSON', sent: twilioJson},
	{name: 'gitea', sent: {...jefe, scheme: 'gitea', headers: {'x-gitea-signature': jefeHex}}},
	{name: 'sentry', sent: {...jefe, scheme: 'sentry', headers: {'sentry-hook-signature': jefeHex}}},
	{
		name: 'sha1',
		sent: {
			...jefe,
			scheme: {header: 'X-Sum', algorithm: 'sha1', prefix: 'sha1='},
			headers: {'x-sum': 'sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'},
		},
	},
	{
		name: 'sha512 with a key in hex',
		sent: {
			...jefe,
			secret: Buffer.from('Jefe').toString('hex'),
			scheme: {header: 'X-Sum', algorithm: 'sha512', key: 'hex'},
			headers: {
				'x-sum':
					'164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
			},
		},
	},
	{
		// RFC 8032, test 2.
		name: 'ed25519',
		sent: {
			scheme: {header: 'X-Sum', algorithm: 'ed25519'},
			secret: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
			headers: {
				'x-sum':
					'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
			},
			body: 'r',
			at,
		},
	},
];

const otherSecret = ({secret}: Sent) =>
	/^[0-9a-f]{64}$/u.test(secret) ? discordSecret.replace(/^../u, '00') : 'another one';

describe.each(vectors)('$name', ({sent}) => {
	test('passes with its secret, also beside another', () => {
		expect(passes(sent)).toBe(true);
		expect(passes(sent, [otherSecret(sent), sent.secret])).toBe(true);
	});

	test('does not pass with another secret', () => {
		expect(passes(sent, [otherSecret(sent)])).toBe(false);
	});

	test('does not pass over other bytes', () => {
		expect(passes({...sent, body: `${sent.body} `})).toBe(false);
		expect(passes({...sent, body: ''})).toBe(false);
	});

	test('does not pass without its header, whatever else is there', () => {
		const hub = {'x-hub-signature-256': `sha256=${hex(sent.secret, sent.body)}`, 'x-gitlab-token': sent.secret};
		expect(passes({...sent, headers: hub})).toBe(false);
	});
});

describe('timestamps', () => {
	const slackAt = (time: number | string): Sent => ({
		scheme: 'slack',
		secret: 's',
		headers: {'x-slack-signature': `v0=${hex('s', `v0:${time}:{}`)}`, 'x-slack-request-timestamp': String(time)},
		body: '{}',
		at,
	});

	test.each([
		[-301, false],
		[-300, true],
		[300, true],
		[301, false],
	])('%i seconds off is %j', (offset, expected) => {
		expect([passes(slackAt(at + offset)), passes(stripe(at + offset)), passes(discord('{}', at + offset))]).toEqual(
			Array.from({length: 3}, () => expected),
		);
	});

	test.each([
		[-60_001, false],
		[-60_000, true],
		[60_000, true],
		[60_001, false],
	])('of Linear %i milliseconds off is %j', (offset, expected) => {
		expect(passes(linear(at * 1000 + offset))).toBe(expected);
	});

	test.each([undefined, null, 'soon', {}, -at])('of Linear %j is none', value => {
		expect(passes(linear(value))).toBe(false);
	});

	test.each(['', 'soon', `${at}.0`, ` ${at}`, '9'.repeat(20)])('"%s" is none', time => {
		expect(passes(slackAt(time))).toBe(false);
	});

	test('a missing one is none', () => {
		const {'x-slack-request-timestamp': _, ...headers} = slackAt(at).headers;
		expect(passes({...slackAt(at), headers})).toBe(false);
		expect(passes({...stripe(), headers: {'stripe-signature': `v1=${hex('whsec_test_secret', '.{"id":1}')}`}})).toBe(
			false,
		);
	});

	test('a stale one is refused before the body', () => {
		const scheme = toSignatureScheme('slack');
		const verifier = createSchemeVerifier(scheme, []);
		const request = {headers: new Map(Object.entries(slackAt(at - 301).headers)), target: '/'};
		expect(verifier(request, at * 1000)).toBeUndefined();
	});
});

describe('twilio', () => {
	test('signs http, too, and a configured address wins over the host header', () => {
		const url = 'https://mycompany.com/myapp.php';
		const moved = {...twilioForm.headers, host: 'inside:8644'};
		expect(passes({...twilioForm, headers: moved})).toBe(false);
		const target = '/webhooks/r?foo=1&bar=2';
		expect(passes({...twilioForm, scheme: {preset: 'twilio', url}, headers: moved, target})).toBe(true);
		const other = {preset: 'twilio', url: 'https://else.com/'} as const;
		expect(passes({...twilioForm, scheme: other})).toBe(false);
		const signature = createHmac('sha1', '12345').update('http://plain/x').digest('base64');
		const headers = {...twilioForm.headers, host: 'plain', 'x-twilio-signature': signature};
		expect(passes({...twilioForm, headers, target: '/x', body: ''})).toBe(true);
	});

	test('a body that is neither form nor hashed is signed by nobody', () => {
		const signature = createHmac('sha1', '12345').update('https://mycompany.com/x').digest('base64');
		const headers = {...twilioJson.headers, 'x-twilio-signature': signature};
		expect(passes({...twilioJson, headers, target: '/x', body: ''})).toBe(false);
	});

	test('repeated fields count once each, sorted', () => {
		const signature = createHmac('sha1', '12345').update('https://mycompany.com/xa1a2b3').digest('base64');
		const headers = {...twilioForm.headers, 'x-twilio-signature': signature};
		expect(passes({...twilioForm, headers, target: '/x', body: 'b=3&a=2&a=1&a=2'})).toBe(true);
	});
});

test('whatever the header holds, nothing throws and nothing passes', () => {
	const value = fc.oneof(
		fc.string({unit: 'binary'}),
		fc.constantFrom('v1=', 'v0=', 't=,v1=', `t=${at},v1=${'0'.repeat(64)}`, 'Bearer', '='.repeat(5000)),
	);
	fc.assert(
		fc.property(fc.constantFrom(...presetNames), value, value, (preset, signature, time) => {
			const scheme = toSignatureScheme(preset);
			const headers = {[scheme.header]: signature, [scheme.timestamp?.name ?? 'x']: time};
			expect(passes({scheme: preset, secret: discordSecret, headers, body: '{}', at})).toBe(false);
		}),
		{numRuns: 500},
	);
});
