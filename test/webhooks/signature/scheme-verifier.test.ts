import {createHmac, generateKeyPairSync, type KeyObject, sign} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {presetNames} from '../../../source/config/webhooks/presets/preset-table.ts';
import {toSignatureScheme} from '../../../source/config/webhooks/signature-scheme.ts';
import {readSchemeKey} from '../../../source/webhooks/signature/signing-key.ts';
import {createSchemeVerifier} from '../../../source/webhooks/signature/scheme-verifier.ts';
import {providerOf} from '../provider-messages.ts';
import {at, discord, hex, linear, passes, type Sent, stripe, twilioForm, twilioJson} from './signed-messages.ts';

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

describe('public keys', () => {
	const ec = generateKeyPairSync('ec', {namedCurve: 'P-256'});
	const rsa = generateKeyPairSync('rsa', {modulusLength: 2048});
	const pem = (key: KeyObject) => key.export({format: 'pem', type: 'spki'}).toString();
	const base64 = (key: KeyObject) => key.export({format: 'der', type: 'spki'}).toString('base64');
	const text = `POST https://a.example/r?b=1 ${at} {}`;
	const sent = (algorithm: 'ecdsa-sha256' | 'rsa-sha256', secret: string): Sent => ({
		scheme: {
			header: 'X-Sum',
			algorithm,
			encoding: 'base64',
			timestamp_header: 'X-Time',
			signed: '{method} {url} {timestamp} {body}',
			url: 'https://a.example/r',
		},
		secret,
		headers: {
			'x-sum': sign('sha256', Buffer.from(text), (algorithm === 'rsa-sha256' ? rsa : ec).privateKey).toString('base64'),
			'x-time': String(at),
			host: 'another.example',
			'x-forwarded-host': 'a third.example',
		},
		body: '{}',
		target: '/webhooks/r?b=1',
		at,
	});

	test.each([
		['ecdsa-sha256', 'PEM', pem(ec.publicKey)],
		['ecdsa-sha256', 'base64', base64(ec.publicKey)],
		['rsa-sha256', 'PEM', pem(rsa.publicKey)],
		['rsa-sha256', 'base64', base64(rsa.publicKey)],
	] as const)('%s as %s', (algorithm, _, secret) => {
		const message = sent(algorithm, secret);
		expect(passes(message)).toBe(true);
		expect(passes({...message, body: '{ }'})).toBe(false);
		expect(passes({...message, target: '/webhooks/r?b=2'})).toBe(false);
		expect(passes({...message, headers: {...message.headers, 'x-sum': 'AAAA'}})).toBe(false);
	});

	test.each([
		['a key of the other kind', 'ecdsa-sha256', base64(rsa.publicKey)],
		['a key of the other kind', 'rsa-sha256', base64(ec.publicKey)],
		['another curve', 'ecdsa-sha256', base64(generateKeyPairSync('ec', {namedCurve: 'P-384'}).publicKey)],
		['1,024 bits', 'rsa-sha256', base64(generateKeyPairSync('rsa', {modulusLength: 1024}).publicKey)],
		['a private key', 'rsa-sha256', rsa.privateKey.export({format: 'pem', type: 'pkcs8'}).toString()],
		['more than 8 KB', 'rsa-sha256', `${pem(rsa.publicKey)}${' '.repeat(8192)}`],
		['a text', 'ecdsa-sha256', 'a secret'],
		['nothing', 'rsa-sha256', ''],
	] as const)('%s is no key for %s', (_, algorithm, secret) => {
		expect(readSchemeKey(secret, toSignatureScheme({header: 'x', algorithm}))).toBeUndefined();
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
			expect(passes({scheme: preset, secret: providerOf(preset).secret, headers, body: '{}', at})).toBe(false);
		}),
		{numRuns: 500},
	);
});
