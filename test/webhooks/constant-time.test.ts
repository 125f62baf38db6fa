import crypto, {createHmac} from 'node:crypto';
import {syncBuiltinESMExports} from 'node:module';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {presetNames} from '../../source/config/webhooks/presets/preset-table.ts';
import {toSignatureScheme} from '../../source/config/webhooks/signature-scheme.ts';
import {authorizeRequest} from '../../source/tools/endpoint/authorize-request.ts';
import {createRouteAuth} from '../../source/webhooks/routes/prepared-route.ts';
import {signByScheme} from '../../source/webhooks/signature/sign-body.ts';
import {secret} from './open-handler.ts';
import {route} from './webhook-config.ts';

/*
A test of time could not be steady. What is watched instead is the comparison itself: every verdict about a secret is that of
`crypto.timingSafeEqual`, asked once per key, over whole digests of one length, whatever the signature has in common with the right one.
*/

const now = 1_700_000_000_000;
const seconds = String(now / 1000);
const body = '{"a":1}';
const real = crypto.timingSafeEqual;

type Comparison = {readonly lengths: readonly [number, number]; readonly verdict: boolean};
let comparisons: Comparison[] = [];
/** The answer of the comparison instead of the truth. */
let lie: boolean | undefined;

beforeEach(() => {
	comparisons = [];
	lie = undefined;
	crypto.timingSafeEqual = (first, second) => {
		const verdict = lie ?? real(first, second);
		comparisons.push({lengths: [first.byteLength, second.byteLength], verdict});
		return verdict;
	};
	syncBuiltinESMExports();
});

afterEach(() => {
	crypto.timingSafeEqual = real;
	syncBuiltinESMExports();
});

type Case = {
	readonly name: string;
	/** Bytes of the digests that are compared. */
	readonly length: number;
	/** The verdict about a signature, which `change` makes from the right one. */
	readonly verifies: (change: (signature: string) => string) => boolean;
};

const hmac = (text: string, encoding: 'hex' | 'base64') => createHmac('sha256', secret).update(text).digest(encoding);

/** A request of the schemes of the specification: the header that holds the signature, what comes before it, and the others. */
const ofSpecification = [
	{header: 'webhook-signature', prefix: 'v1,', signature: hmac(`m.${seconds}.${body}`, 'base64')},
	{header: 'svix-signature', prefix: 'v1,', signature: hmac(`m.${seconds}.${body}`, 'base64')},
	{header: 'x-hub-signature-256', prefix: 'sha256=', signature: hmac(body, 'hex')},
	{header: 'x-gitlab-token', prefix: '', signature: secret},
	{header: 'x-webhook-signature-v2', prefix: '', signature: hmac(`${seconds}.${body}`, 'hex')},
	{header: 'x-webhook-signature', prefix: '', signature: hmac(body, 'hex')},
].map(({header, prefix, signature}): Case => {
	const {auth} = createRouteAuth(route({name: 'r', secrets: [secret]}), text => text);
	const others = {'webhook-id': 'm', 'svix-id': 'm', 'x-webhook-timestamp': seconds};
	const times = {'webhook-timestamp': seconds, 'svix-timestamp': seconds};
	const verifies: Case['verifies'] = change => {
		const headers = new Map(Object.entries({...others, ...times, [header]: prefix + change(signature)}));
		return auth.kind === 'signed' && auth.verify({headers, target: '/'}, now)?.isSigned(Buffer.from(body)) === true;
	};
	return {name: header, length: 32, verifies};
});

/** With a public key nothing secret is compared. */
const ofProviders = presetNames
	.filter(name => !['ed25519', 'ecdsa-sha256', 'jwt', 'sns'].includes(toSignatureScheme(name).algorithm))
	.map((name): Case => {
		const scheme = toSignatureScheme(name);
		const {auth} = createRouteAuth(route({name: 'r', secrets: [secret], signature: scheme}), text => text);
		const post = signByScheme(body, {scheme, secret}, {address: 'http://h/r', now});
		const verifies: Case['verifies'] = change => {
			const whole = post.headers[scheme.header] ?? '';
			const start = scheme.prefix === '' ? 0 : whole.lastIndexOf(scheme.prefix) + scheme.prefix.length;
			const changed = whole.slice(0, start) + change(whole.slice(start));
			const headers = new Map(Object.entries({host: 'h', ...post.headers, [scheme.header]: changed}));
			const signature = auth.kind === 'signed' ? auth.verify({headers, target: `/r${post.search}`}, now) : undefined;
			// A secret in the body takes the place of the header.
			const sent = scheme.field === undefined ? post.body : post.body.replace(secret, () => change(secret));
			return signature?.isSigned(Buffer.from(sent)) === true;
		};
		return {name, length: scheme.algorithm === 'sha1' ? 20 : 32, verifies};
	});

const ofEndpoint: Case = {
	name: 'the bearer token of the endpoint',
	length: 32,
	verifies(change) {
		const place = {token: secret.replaceAll(' ', '-')};
		const head = {host: 'localhost', target: '/mcp', authorization: `Bearer ${change(place.token)}`};
		const rules = {host: '127.0.0.1', metrics: {kind: 'off'}, clientsOf: () => [place]} as const;
		return authorizeRequest({origin: undefined, remoteAddress: '127.0.0.1', ...head}, rules).kind === 'tools';
	},
};

/** The signature with another character at one position; of the same form, so that only the comparison can find it. */
const wrongAt = (place: number) => (signature: string) => {
	const index = place < 0 ? signature.length + place : place;
	return `${signature.slice(0, index)}${signature[index] === 'a' ? 'b' : 'a'}${signature.slice(index + 1)}`;
};

describe.each([...ofSpecification, ...ofProviders, ofEndpoint])('24, $name', ({length, verifies}) => {
	test('a right signature is compared, whole', () => {
		expect(verifies(signature => signature)).toBe(true);
		expect(comparisons.filter(({lengths: [first, second]}) => first !== second)).toEqual([]);
		expect(comparisons).toContainEqual({lengths: [length, length], verdict: true});
	});

	test('how much of a wrong one is right changes nothing about what is compared', () => {
		const seen = [0, 1, 8, -8, -4].map(place => {
			comparisons = [];
			expect(verifies(wrongAt(place))).toBe(false);
			return comparisons;
		});
		expect(seen[0]).toContainEqual({lengths: [length, length], verdict: false});
		expect(seen).toEqual(seen.map(() => seen[0]));
	});

	test('nothing but the comparison decides', () => {
		lie = true;
		expect(verifies(wrongAt(0))).toBe(true);
		lie = false;
		expect(verifies(signature => signature)).toBe(false);
	});
});
