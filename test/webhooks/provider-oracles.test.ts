import {createHmac} from 'node:crypto';
import {sign, verify} from '@octokit/webhooks-methods';
import * as fc from 'fast-check';
import {Webhook} from 'standardwebhooks';
import {Stripe} from 'stripe';
import {describe, expect, test} from 'vitest';
import {toSignatureScheme} from '../../source/config/webhooks/signature-scheme.ts';
import {createSchemeVerifier} from '../../source/webhooks/signature/scheme-verifier.ts';
import {readSchemeKey, readSigningKey} from '../../source/webhooks/signature/signing-key.ts';
import {createVerifier, type Verifier} from '../../source/webhooks/signature/signature.ts';

/** The providers' own libraries sign and verify; their answers are compared with ours. */
const at = 1_700_000_000;
const body = fc.oneof(fc.json(), fc.string({unit: 'grapheme'}), fc.constant('{"a":"🦀 \\u001B"}'));
const word = fc.stringMatching(/^[!-~]{1,40}$/u);

type Headers = Readonly<Record<string, string>>;

type Sent = {
	readonly headers: Headers;
	readonly text: string /** Seconds at which it is checked. */;
	readonly now?: number;
};

function passes(verifier: Verifier, {headers, text, now = at}: Sent): boolean {
	const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
	return verifier({headers: lower, target: '/'}, now * 1000)?.isSigned(Buffer.from(text, 'utf8')) ?? false;
}

const recognised = (secret: string) => createVerifier([readSigningKey(secret)].filter(key => key !== undefined));

function preset(name: 'stripe', secret: string): Verifier {
	const scheme = toSignatureScheme(name);
	return createSchemeVerifier(
		scheme,
		[readSchemeKey(secret, scheme)].filter(key => key !== undefined),
	);
}

describe('GitHub', () => {
	test('what its library signs passes, and nothing else does', async () => {
		await fc.assert(
			fc.asyncProperty(
				word,
				body.filter(text => text !== ''),
				async (secret, text) => {
					const signature = await sign(secret, text);
					expect(passes(recognised(secret), {headers: {'X-Hub-Signature-256': signature}, text})).toBe(true);
					expect(passes(recognised(secret), {headers: {'X-Hub-Signature-256': signature}, text: `${text} `})).toBe(
						false,
					);
					expect(passes(recognised(`${secret}x`), {headers: {'X-Hub-Signature-256': signature}, text})).toBe(false);
				},
			),
			{numRuns: 50},
		);
	});

	test('both verify a signature alike, however it is spoilt', async () => {
		const text = '{"a":1}';
		const good = await sign('secret', text);
		const spoilt = [good, good.slice(0, -1), `${good}0`, good.replace('sha256=', 'sha1='), good.slice(7), ''];
		for (const signature of spoilt) {
			const theirs = signature !== '' && (await verify('secret', text, signature));
			expect([signature, passes(recognised('secret'), {headers: {'x-hub-signature-256': signature}, text})]).toEqual([
				signature,
				theirs,
			]);
		}
	});
});

describe('Standard Webhooks', () => {
	const key = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
	const bytes = fc.uint8Array({minLength: 1, maxLength: 64});
	const headers = (id: string, signature: string, {seconds = at, prefix = 'webhook'} = {}): Headers => ({
		[`${prefix}-id`]: id,
		[`${prefix}-timestamp`]: String(seconds),
		[`${prefix}-signature`]: signature,
	});

	test('what its library signs passes under both names, and nothing else does', () => {
		fc.assert(
			fc.property(
				bytes,
				fc.tuple(word, fc.constantFrom('webhook', 'svix')),
				body,
				(secretBytes, [id, prefix], text) => {
					const secret = key(secretBytes);
					const signature = new Webhook(secret).sign(id, new Date(at * 1000), text);
					const sent = headers(id, signature, {prefix});
					expect(passes(recognised(secret), {headers: sent, text})).toBe(true);
					expect(passes(recognised(secret), {headers: {...sent, [`${prefix}-id`]: `${id}x`}, text})).toBe(false);
					expect(passes(recognised(secret), {headers: sent, text: `${text} `})).toBe(false);
				},
			),
			{numRuns: 50},
		);
	});

	test('both take one good signature among several, and none of another version', () => {
		const secret = key(Buffer.from('a key'));
		const library = new Webhook(secret);
		const now = Math.floor(Date.now() / 1000);
		const good = library.sign('id', new Date(now * 1000), '{}');
		const bad = `v1,${'A'.repeat(43)}=`;
		for (const signature of [good, `${bad} ${good}`, bad, good.replace('v1,', 'v2,'), `v1a,${good.slice(3)} ${bad}`]) {
			const sent = headers('id', signature, {seconds: now});
			const theirs = isTaken(() => library.verify('{}', {...sent}));
			expect([signature, passes(recognised(secret), {headers: sent, text: '{}', now})]).toEqual([signature, theirs]);
		}
	});
});

describe('Stripe', () => {
	const {webhooks} = new Stripe('sk_test_nobody');

	test('what its library signs passes, for five minutes', () => {
		fc.assert(
			fc.property(word, body, fc.integer({min: -400, max: 400}), (secret, text, age) => {
				const header = webhooks.generateTestHeaderString({payload: text, secret, timestamp: at + age});
				expect(passes(preset('stripe', secret), {headers: {'Stripe-Signature': header}, text})).toBe(
					Math.abs(age) <= 300,
				);
				expect(passes(preset('stripe', `${secret}x`), {headers: {'Stripe-Signature': header}, text})).toBe(false);
			}),
			{numRuns: 50},
		);
	});

	test('both verify a header alike, however it is spoilt', () => {
		const now = Math.floor(Date.now() / 1000);
		const good = webhooks.generateTestHeaderString({payload: '{}', secret: 'secret', timestamp: now});
		const [time = '', signature = ''] = good.split(',');
		const other = `v1=${createHmac('sha256', 'other').update(`${now}.{}`).digest('hex')}`;
		const spoilt = [
			good,
			`${time},${other},${signature}`,
			`${time},${other}`,
			signature,
			time,
			`${time},${signature.replace('v1=', 'v0=')}`,
		];
		for (const header of spoilt) {
			const theirs = isTaken(() => webhooks.constructEvent('{}', header, 'secret'));
			expect([
				header,
				passes(preset('stripe', 'secret'), {headers: {'stripe-signature': header}, text: '{}', now}),
			]).toEqual([header, theirs]);
		}
	});
});

function isTaken(verify: () => unknown): boolean {
	try {
		verify();
		return true;
	} catch {
		return false;
	}
}
