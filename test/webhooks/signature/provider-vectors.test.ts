import {generateKeyPairSync} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {
	at,
	atlassian,
	discord,
	discordSecret,
	hex,
	jefe,
	jefeHex,
	linear,
	passes,
	type Sent,
	slack,
	stripe,
	twilioForm,
	twilioJson,
} from './signed-messages.ts';

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
	{name: 'bitbucket', sent: atlassian('bitbucket')},
	{name: 'jira', sent: atlassian('jira')},
	{
		// The tests of @paddle/paddle-node-sdk.
		name: 'paddle',
		sent: {
			scheme: 'paddle',
			secret: 'VALID_SECRET',
			headers: {
				'paddle-signature': 'ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9',
			},
			body: '{"data": ["1", "2"]}',
			at: 1_698_796_800,
		},
	},
	{
		name: 'paddle, with several signatures',
		sent: {
			scheme: 'paddle',
			secret: 'VALID_SECRET',
			headers: {
				'paddle-signature': `ts=1698796800;h1=${'0'.repeat(64)};h1=28981e941fae76e53db32f3d2a83cb69db41476595e84e1970a1b5d98f62b261;h2=RANDOM_HASH`,
			},
			body: '{"data": "value"}',
			at: 1_698_796_800,
		},
	},
	{
		// The tests of @sendgrid/eventwebhook.
		name: 'sendgrid',
		sent: {
			scheme: 'sendgrid',
			secret:
				'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==',
			headers: {
				'x-twilio-email-event-webhook-signature':
					'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
				'x-twilio-email-event-webhook-timestamp': '1588788367',
			},
			body: '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
			at: 1_588_788_367,
		},
	},
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

const otherKey = generateKeyPairSync('ec', {namedCurve: 'P-256'})
	.publicKey.export({format: 'der', type: 'spki'})
	.toString('base64');

const otherSecret = ({secret}: Sent) =>
	/^[0-9a-f]{64}$/u.test(secret)
		? discordSecret.replace(/^../u, first => (first === '00' ? '01' : '00'))
		: secret.startsWith('MFkw')
			? otherKey
			: 'another one';

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
