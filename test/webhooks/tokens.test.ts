import {createHmac, generateKeyPairSync, sign} from 'node:crypto';
import {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {toSenderRules} from '../../source/config/webhooks/sender-rules.ts';
import {createKeySets, type FetchText, type KeySets} from '../../source/webhooks/signature/key-sets.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openHandler} from './open-handler.ts';
import {googleClaims, googleKeys, providerKeySets, providerOf, routeOf, signToken} from './provider-messages.ts';

const url = 'https://www.googleapis.com/oauth2/v3/certs';
const at = 1_700_000_000;
const claims = googleClaims(at);
const other = generateKeyPairSync('rsa', {modulusLength: 2048});

function open(keySets: KeySets = providerKeySets()) {
	const handler = openHandler({routes: [{name: 'r', ...routeOf(providerOf('pubsub'))}], keySets});
	const post = (token: string, body: string | Readable = '{}') =>
		handler.post({url: '/webhooks/r', body, headers: {authorization: `Bearer ${token}`, 'content-length': '2'}});
	return {...handler, send: post};
}

describe('a token', () => {
	test.each([
		['as the documentation has it', claims],
		['with several audiences', {...claims, aud: ['another', claims['aud']]}],
		['that ended within the tolerance', {...claims, exp: at - 300}],
		['whose issuer has a clock that is ahead', {...claims, iat: at + 300, nbf: at + 300}],
	])('%s is accepted', async (_, sent) => {
		expect(await open().send(signToken(sent))).toMatchObject({status: 202});
	});

	test.each([
		['of another issuer', {...claims, iss: 'https://evil.example'}],
		['for another audience', {...claims, aud: 'https://another.example/webhooks/r'}],
		['for the beginning of the audience', {...claims, aud: 'https://hooks.example'}],
		['without an audience', {...claims, aud: undefined}],
		['of another account', {...claims, email: 'another@project.iam.gserviceaccount.com'}],
		['of an account that is not verified', {...claims, email_verified: false}],
		['with a verified text', {...claims, email_verified: 'true'}],
		['that has ended', {...claims, exp: at - 301}],
		['that never ends', {...claims, exp: undefined}],
		['whose end is a text', {...claims, exp: String(at + 3600)}],
		['that was issued in the future', {...claims, iat: at + 301}],
		['that begins in the future', {...claims, nbf: at + 301}],
	])('%s is refused before its body is read', async (_, sent) => {
		const body = new Readable({read: () => expect.unreachable('the body is not read')});
		expect(await open().send(signToken(sent), body)).toMatchObject({status: 401});
	});

	const publicPem = providerOf('pubsub').secret;
	const [head = '', payload = ''] = signToken(claims).split('.');
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const hmacToken = (secret: string) => {
		const signed = `${part({alg: 'HS256', kid: 'k1'})}.${payload}`;
		return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
	};

	test.each([
		['signed with another key', signToken(claims, {}, other.privateKey)],
		['whose claims were changed', `${head}.${part({...claims, sub: '1'})}.${signToken(claims).split('.')[2]}`],
		['without a signature', `${head}.${payload}.`],
		['with the algorithm none', `${part({alg: 'none', kid: 'k1'})}.${payload}.AAAA`],
		['with an HMAC of a public text', hmacToken(JSON.stringify(googleKeys))],
		['with an HMAC of the secret', hmacToken(publicPem)],
		['of another algorithm', signToken(claims, {alg: 'RS512'})],
		['with an extension that must be understood', signToken(claims, {crit: ['exp']})],
		['without a key id', signToken(claims, {kid: undefined})],
		['with an unknown key id', signToken(claims, {kid: 'k2'})],
		[
			'that brings its key along',
			signToken(claims, {kid: 'k9', jwk: other.publicKey.export({format: 'jwk'})}, other.privateKey),
		],
		['of more than 8 KB', signToken({...claims, filler: 'x'.repeat(8192)})],
		['of four parts', `${signToken(claims)}.AAAA`],
		['that is none', 'abc'],
		['that is empty', ''],
	])('%s is refused', async (_, token) => {
		const {send, journal} = open();
		expect(await send(token)).toMatchObject({status: 401, body: {error: 'Invalid signature'}});
		expect(journal.runs).toEqual([]);
	});

	test('never names the address of its keys', async () => {
		const fetched: string[] = [];
		const fetchText: FetchText = async address => {
			fetched.push(address);
			return JSON.stringify(googleKeys);
		};
		const {send} = open(createKeySets({clock: createFakeClock(), fetchText, signal: new AbortController().signal}));
		const addresses = {jku: 'https://evil.example/jwks', x5u: 'https://evil.example/cert'};
		expect(await send(signToken(claims, {kid: 'k9', ...addresses}, other.privateKey))).toMatchObject({status: 401});
		expect(await send(signToken(claims, addresses))).toMatchObject({status: 202});
		expect(fetched).toEqual([url]);
	});

	test('of another issuer with ES256 proves a route of its own', async () => {
		const pair = generateKeyPairSync('ec', {namedCurve: 'P-256'});
		const rules = toSenderRules({
			signature: {algorithm: 'jwt', jwt_algorithm: 'ES256', header: 'X-Token'},
			secret: [
				{issuer: 'other', audience: 'a', jwks: url},
				{issuer: 'own', audience: 'a', jwks: url},
			],
		});
		const handler = openHandler({
			routes: [{name: 'r', secrets: [], ...rules}],
			keySets: {find: async () => ({kind: 'key', key: pair.publicKey})},
		});
		const signed = `${part({alg: 'ES256', kid: 'k'})}.${part({iss: 'own', aud: 'a', exp: at + 60})}`;
		const proof = sign('sha256', Buffer.from(signed), {key: pair.privateKey, dsaEncoding: 'ieee-p1363'});
		const token = `${signed}.${proof.toString('base64url')}`;
		const post = (text: string) => handler.post({url: '/webhooks/r', headers: {'x-token': text}});
		expect(await post(token)).toMatchObject({status: 202});
		expect(handler.journal.rows).toMatchObject([{headers: {'x-token': '‹masked›'}}]);
		expect(await post(`${signed}.${proof.reverse().toString('base64url')}`)).toMatchObject({status: 401});
	});
});

/** Key sets whose fetches a test ends, with the handler of a route that needs them. */
function openFetched() {
	const clock = createFakeClock();
	const fetches: Array<{readonly end: (text: string) => void; readonly fail: (error: Error) => void}> = [];
	const fetchText: FetchText = () =>
		new Promise((resolve, reject) => {
			fetches.push({end: resolve, fail: reject});
		});
	const keySets = createKeySets({clock, fetchText, signal: new AbortController().signal});
	const kindOf = async (id: string) => (await keySets.find(url, id)).kind;
	return {...open(keySets), clock, fetches, kindOf};
}

const keysNamed = (...ids: readonly string[]) => JSON.stringify({keys: ids.map(kid => ({...googleKeys.keys[0], kid}))});

describe('the keys of an issuer', () => {
	test('that do not come within 5 seconds: the sender comes again, and the row says why', async () => {
		const {send, clock, journal, fetches} = openFetched();
		const reply = send(signToken(claims));
		await clock.advance(5000);
		expect(await reply).toMatchObject({status: 503, body: {error: 'Keys unavailable'}, headers: {'retry-after': '60'}});
		expect(journal.rows).toMatchObject([{outcome: 'unavailable', reason: expect.stringContaining('within 5 seconds')}]);
		expect(fetches).toHaveLength(1);
	});

	test.each([
		['of 65 KB', JSON.stringify({...googleKeys, filler: 'x'.repeat(65 * 1024)}), 'larger than 64 KB'],
		['that are no JSON', '<html>', 'has no JWKS'],
		['that are no list', '{"keys":{}}', 'has no JWKS'],
	])('%s are not taken', async (_, text, reason) => {
		const {send, fetches, clock, journal} = openFetched();
		const reply = send(signToken(claims));
		await clock.settle();
		fetches[0]?.end(text);
		expect(await reply).toMatchObject({status: 503});
		expect(journal.rows).toMatchObject([{reason: expect.stringContaining(reason)}]);
	});

	test('are fetched once for requests at the same time', async () => {
		const {send, fetches, clock} = openFetched();
		const replies = Promise.all([send(signToken(claims)), send(signToken(claims)), send(signToken(claims))]);
		await clock.settle();
		expect(fetches).toHaveLength(1);
		fetches[0]?.end(JSON.stringify(googleKeys));
		expect((await replies).map(({status}) => status)).toEqual([202, 202, 202]);
	});

	test('are fetched again for an unknown id, once a minute at most', async () => {
		const {kindOf, fetches, clock} = openFetched();
		const first = kindOf('k1');
		fetches[0]?.end(keysNamed('k1'));
		expect(await first).toBe('key');
		expect([await kindOf('k2'), await kindOf('k3')]).toEqual(['missing', 'missing']);
		expect(fetches).toHaveLength(1);
		await clock.advance(60_000);
		const second = kindOf('k2');
		fetches[1]?.end(keysNamed('k1', 'k2'));
		expect([await second, await kindOf('k1')]).toEqual(['key', 'key']);
		expect(fetches).toHaveLength(2);
	});

	test('stay while the address is away, and a new id waits for it', async () => {
		const {kindOf, fetches, clock} = openFetched();
		const first = kindOf('k1');
		fetches[0]?.end(keysNamed('k1'));
		await first;
		await clock.advance(2 * 3_600_000);
		expect(await kindOf('k1')).toBe('key');
		fetches[1]?.fail(new Error('refused'));
		await clock.settle();
		expect([await kindOf('k1'), await kindOf('k2')]).toEqual(['key', 'away']);
		expect(fetches).toHaveLength(2);
	});

	test('that the issuer has withdrawn are forgotten after an hour', async () => {
		const {kindOf, fetches, clock} = openFetched();
		const first = kindOf('k1');
		fetches[0]?.end(keysNamed('k1'));
		await first;
		await clock.advance(3_600_000);
		expect(await kindOf('k1')).toBe('key');
		fetches[1]?.end(keysNamed('k2'));
		await clock.settle();
		expect([await kindOf('k1'), await kindOf('k2')]).toEqual(['missing', 'key']);
	});

	test('that are weak, secret or for another use are left out', async () => {
		const {kindOf, fetches} = openFetched();
		const weak = generateKeyPairSync('rsa', {modulusLength: 1024}).publicKey.export({format: 'jwk'});
		const list = [
			{...weak, kid: 'weak'},
			{kty: 'oct', k: 'c2VjcmV0', kid: 'secret'},
			{...googleKeys.keys[0], kid: 'enc', use: 'enc'},
			{...googleKeys.keys[0], kid: 5},
			'no key',
			{...googleKeys.keys[0], kid: 'good'},
		];
		const good = kindOf('good');
		fetches[0]?.end(JSON.stringify({keys: list}));
		expect(await good).toBe('key');
		expect(await Promise.all(['weak', 'secret', 'enc', '5'].map(kindOf))).toEqual(Array(4).fill('missing'));
	});
});
