import {createHmac} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isTimestampFresh, isSigned, readSignature} from '../../../source/webhooks/signature/signature.ts';
import {readSigningKey} from '../../../source/webhooks/signature/signing-key.ts';

const secret = 'a secret of a test';
const nowSeconds = 1_700_000_000;
const now = nowSeconds * 1000;
const body = Buffer.from('{"a":1}');

function keysOf(...secrets: readonly string[]) {
	return secrets.map(readSigningKey).filter(key => key !== undefined);
}

/** The whole decision: a claim, fresh, made by one of the secrets. */
function passes(headers: Readonly<Record<string, string>>, bytes: Uint8Array = body, secrets = [secret]): boolean {
	const signature = readSignature(new Map(Object.entries(headers)));
	return signature !== undefined && isTimestampFresh(signature, now) && isSigned(signature, bytes, keysOf(...secrets));
}

const hex = (text: string | Uint8Array, key = secret) => createHmac('sha256', key).update(text).digest('hex');
const base64 = (text: string, key: string | Uint8Array = secret) =>
	createHmac('sha256', key).update(text).digest('base64');

const standard = (timestamp: number | string = nowSeconds, prefix = 'webhook') => ({
	[`${prefix}-id`]: 'msg_1',
	[`${prefix}-timestamp`]: String(timestamp),
	[`${prefix}-signature`]: `v1,${base64(`msg_1.${timestamp}.{"a":1}`)}`,
});
const hub = {'x-hub-signature-256': `sha256=${hex(body)}`};
const token = {'x-gitlab-token': secret};
const genericV2 = (timestamp: number | string = nowSeconds) => ({
	'x-webhook-signature-v2': hex(`${timestamp}.{"a":1}`),
	'x-webhook-timestamp': String(timestamp),
});
const genericV1 = {'x-webhook-signature': hex(body)};

describe('each scheme', () => {
	test.each([
		{scheme: 'Standard Webhooks', headers: standard()},
		{scheme: 'Svix', headers: standard(nowSeconds, 'svix')},
		{scheme: 'GitHub', headers: hub},
		{scheme: 'GitLab', headers: token},
		{scheme: 'Generic V2', headers: genericV2()},
		{scheme: 'Generic V1', headers: genericV1},
	])('$scheme passes with the right secret and no other', ({headers}) => {
		expect(passes(headers)).toBe(true);
		expect(passes(headers, body, ['another secret'])).toBe(false);
	});

	test.each([
		{scheme: 'Standard Webhooks', headers: standard()},
		{scheme: 'GitHub', headers: hub},
		{scheme: 'Generic V2', headers: genericV2()},
		{scheme: 'Generic V1', headers: genericV1},
	])('$scheme does not pass over other bytes', ({headers}) => {
		expect(passes(headers, Buffer.from('{"a":2}'))).toBe(false);
	});

	test('the vector of GitHub passes', () => {
		const headers = {'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'};
		expect(passes(headers, Buffer.from('Hello, World!'), ["It's a Secret to Everybody"])).toBe(true);
	});

	test('the vector of Standard Webhooks passes', () => {
		const signature = readSignature(
			new Map([
				['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
				['webhook-timestamp', '1614265330'],
				['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
			]),
		);
		const keys = keysOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
		expect(signature && isSigned(signature, Buffer.from('{"test": 2432232314}'), keys)).toBe(true);
	});

	test('without a recognised header there is no claim', () => {
		expect(readSignature(new Map([['x-hub-signature', `sha1=${'0'.repeat(40)}`]]))).toBeUndefined();
	});
});

describe('the first scheme whose header is there decides', () => {
	type Headers = Readonly<Record<string, string>>;
	const inOrder: ReadonlyArray<{name: string; valid: Headers; invalid: Headers}> = [
		{name: 'webhook-signature', valid: standard(), invalid: {'webhook-signature': 'v1,AAAA'}},
		{name: 'svix-signature', valid: standard(nowSeconds, 'svix'), invalid: {'svix-signature': ''}},
		{name: 'X-Hub-Signature-256', valid: hub, invalid: {'x-hub-signature-256': 'sha256=00'}},
		{name: 'X-Gitlab-Token', valid: token, invalid: {'x-gitlab-token': 'INSECURE_NO_AUTH'}},
		{name: 'X-Webhook-Signature-V2', valid: genericV2(), invalid: {'x-webhook-signature-v2': hex(body)}},
		{name: 'X-Webhook-Signature', valid: genericV1, invalid: {'x-webhook-signature': ''}},
	];
	const pairs = inOrder.flatMap((first, index) => inOrder.slice(index + 1).map(second => ({first, second})));

	test.each(pairs)('a bad $first.name is not saved by a good $second.name', ({first, second}) => {
		expect(passes({...second.valid, ...first.invalid})).toBe(false);
	});

	test.each(pairs)('a good $first.name is not spoilt by a bad $second.name', ({first, second}) => {
		expect(passes({...second.invalid, ...first.valid})).toBe(true);
	});

	test('webhook-id alone does not select Standard Webhooks', () => {
		expect(passes({'webhook-id': 'x', 'webhook-timestamp': String(nowSeconds), ...token})).toBe(true);
	});
});

describe('timestamps', () => {
	test.each([
		{offset: -301, expected: false},
		{offset: -300, expected: true},
		{offset: 300, expected: true},
		{offset: 301, expected: false},
	])('$offset seconds off is $expected', ({offset, expected}) => {
		expect(passes(genericV2(nowSeconds + offset))).toBe(expected);
		expect(passes(standard(nowSeconds + offset))).toBe(expected);
	});

	test.each([
		'',
		'soon',
		'1.7e9',
		`${nowSeconds}.5`,
		`-${nowSeconds}`,
		`${nowSeconds}abc`,
		` ${nowSeconds}`,
		'1'.repeat(20),
	])('"%s" is no timestamp', timestamp => {
		expect(passes(genericV2(timestamp))).toBe(false);
		expect(passes(standard(timestamp))).toBe(false);
	});
});

describe('digests', () => {
	const digest = hex(body);
	test.each([
		{header: `sha256=${digest.toUpperCase()}`, expected: true},
		{header: digest, expected: false},
		{header: `sha256=${digest.slice(1)}`, expected: false},
		{header: `sha256=${digest}0`, expected: false},
		{header: `sha256= ${digest}`, expected: false},
		{header: `sha256=${'g'.repeat(64)}`, expected: false},
		{header: `sha256=${digest}, sha256=${digest}`, expected: false},
		{header: '', expected: false},
	])('X-Hub-Signature-256 "$header" is $expected', ({header, expected}) => {
		expect(passes({'x-hub-signature-256': header})).toBe(expected);
	});

	test.each([
		{entries: (good: string) => `v1,AAAA ${good}`, expected: true},
		{entries: (good: string) => `${good} v1,AAAA`, expected: true},
		{entries: (good: string) => good.replace('v1,', 'v1a,'), expected: false},
		{entries: (good: string) => good.replace('v1,', 'v2,'), expected: false},
		{entries: (good: string) => good.slice(0, -1), expected: false},
	])('of several entries one match is enough: $entries', ({entries, expected}) => {
		const headers = standard();
		expect(passes({...headers, 'webhook-signature': entries(headers['webhook-signature'] ?? '')})).toBe(expected);
	});

	test('two bodies that are no UTF-8 do not share a signature', () => {
		const headers = {'x-webhook-signature': hex(Uint8Array.of(0xff))};
		expect(passes(headers, Uint8Array.of(0xff))).toBe(true);
		expect(passes(headers, Uint8Array.of(0xfe))).toBe(false);
	});
});

describe('secrets', () => {
	test('any of several is enough', () => {
		expect(passes(hub, body, ['a newer one', secret])).toBe(true);
	});

	test('whsec_ is a base64 key', () => {
		const key = Buffer.from('0123456789abcdef');
		const headers = {...standard(), 'webhook-signature': `v1,${base64(`msg_1.${nowSeconds}.{"a":1}`, key)}`};
		expect(passes(headers, body, [`whsec_${key.toString('base64')}`])).toBe(true);
	});

	test.each(['', '   ', 'whsec_', 'whsec_$$$'])('there is no key in "%s"', written => {
		expect(readSigningKey(written)).toBeUndefined();
	});

	test.each([secret.slice(0, -1), `${secret}\u0000`, secret.toUpperCase(), `${secret} `])(
		'the token %j is another one',
		sent => {
			expect(passes({'x-gitlab-token': sent})).toBe(false);
		},
	);

	test('a token beyond ASCII is compared by its bytes', () => {
		const sent = Buffer.from('schlüssel', 'utf8').toString('latin1');
		expect(passes({'x-gitlab-token': sent}, body, ['schlüssel'])).toBe(true);
	});
});

describe('whatever the headers hold', () => {
	const names = [
		'webhook-id',
		'webhook-timestamp',
		'webhook-signature',
		'svix-id',
		'svix-timestamp',
		'svix-signature',
		'x-hub-signature-256',
		'x-gitlab-token',
		'x-webhook-signature-v2',
		'x-webhook-timestamp',
		'x-webhook-signature',
	];
	const value = fc.oneof(
		fc.string({unit: 'binary'}),
		fc.string({unit: fc.integer({min: 0, max: 0xff_ff}).map(code => String.fromCharCode(code))}),
		fc.constantFrom(
			'sha256=',
			'v1,',
			`sha256=${'0'.repeat(64)}`,
			`v1,${'A'.repeat(43)}=`,
			String(nowSeconds),
			secret.slice(1),
		),
		fc.array(fc.constantFrom('v1,', 'v1,AAAA', ' ', ','), {maxLength: 50}).map(parts => parts.join(' ')),
	);

	test('nothing throws and nothing passes', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.constantFrom(...names), value), headers => {
				expect(passes(headers)).toBe(false);
			}),
			{numRuns: 1000},
		);
	});
});
