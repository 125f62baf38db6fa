import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {createSecureContext} from 'node:tls';
import {type RequestListener} from 'node:http';
import {expect, test} from 'vitest';
import {createTextFetch} from '../../../source/net/fetch-text.ts';
import {createKeySets, largestKeySetBytes} from '../../../source/webhooks/signature/key-sets.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {googleKeys} from '../provider-messages.ts';
import {snsCertificate} from '../sns-messages.ts';

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

const keysNamed = (...ids: readonly string[]) => JSON.stringify({keys: ids.map(kid => ({...googleKeys.keys[0], kid}))});

type Site = {
	/** The handler of the next requests. */
	handle: RequestListener;
	readonly requests: string[];
};

/** Key sets that fetch from a real https server, whose authority they trust. */
async function open(body = keysNamed('k1'), ca = 'ca.pem') {
	const site: Site = {handle: (_request, response) => void response.end(body), requests: []};
	const server = createServer({key: pem('server.key'), cert: pem('server.pem')}, (request, response) => {
		site.requests.push(request.url ?? '');
		site.handle(request, response);
	});
	const url = await listen(server, '/keys');
	const clock = createFakeClock();
	const tls = {secureContext: createSecureContext({ca: pem(ca)}), rejectUnauthorized: true};
	const fetchText = createTextFetch({limitBytes: largestKeySetBytes, reach: 'machine', tls});
	const keySets = createKeySets({clock, fetchText, signal: neverAborted()});
	const find = (id: string) => keySets.find(url, id);
	return {site, url, clock, find, keySets};
}

const answering = (body: string, status = 200, headers = {}): RequestListener => {
	return (_request, response) => void response.writeHead(status, headers).end(body);
};

test('keys come from the server, and a certificate does as well', async () => {
	const {find, keySets, url, site} = await open();
	expect(await find('k1')).toMatchObject({kind: 'key'});
	expect(await find('k2')).toEqual({kind: 'missing'});
	site.handle = answering(snsCertificate);
	expect(await keySets.find(url, '', 'certificate')).toMatchObject({kind: 'key'});
	expect(site.requests).toEqual(['/keys', '/keys']);
});

test('a server that hangs is given up after 5 seconds', async () => {
	const {find, site, clock} = await open();
	const asked = Promise.withResolvers<void>();
	site.handle = () => asked.resolve();
	const finding = find('k1');
	await asked.promise;
	await clock.advance(4999);
	expect(await Promise.race([finding, clock.settle().then(() => 'waiting')])).toBe('waiting');
	await clock.advance(1);
	expect(await finding).toMatchObject({kind: 'away', reason: expect.stringContaining('within 5 seconds')});
});

test('a server that begins its answer and hangs is given up after 5 seconds', async () => {
	const {find, site, clock} = await open();
	const begun = Promise.withResolvers<void>();
	site.handle = (_request, response) => response.write('{"keys":[', () => begun.resolve());
	const finding = find('k1');
	await begun.promise;
	await clock.advance(5000);
	expect(await finding).toMatchObject({kind: 'away'});
});

test.each([
	['65 KB', 65 * 1024, 'away'],
	['64 KB', 64 * 1024, 'key'],
] as const)('an answer of %s is taken up to the limit', async (_, bytes, kind) => {
	const text = keysNamed('k1');
	const {find} = await open(`${text}${' '.repeat(bytes - text.length)}`);
	expect(await find('k1')).toMatchObject({kind});
});

test('a rotation is noticed by an unknown id, once a minute at most', async () => {
	const {find, site, clock} = await open();
	expect(await find('k1')).toMatchObject({kind: 'key'});
	site.handle = answering(keysNamed('k1', 'k2'));
	expect(await find('k2')).toEqual({kind: 'missing'});
	await clock.advance(59_999);
	expect(await find('k2')).toEqual({kind: 'missing'});
	expect(site.requests).toHaveLength(1);
	await clock.advance(1);
	expect(await find('k2')).toMatchObject({kind: 'key'});
	expect(site.requests).toHaveLength(2);
});

test('while the server is away the keys stay, and an unknown one waits', async () => {
	const {find, site, clock} = await open();
	await find('k1');
	site.handle = answering('', 503);
	await clock.advance(2 * 3_600_000);
	expect(await find('k1')).toMatchObject({kind: 'key'});
	await expect.poll(() => site.requests.length).toBe(2);
	expect(await find('k2')).toMatchObject({kind: 'away', reason: expect.stringContaining('503')});
	expect(await find('k1')).toMatchObject({kind: 'key'});
});

test.each([301, 302, 307, 308])('a redirect with %i is refused and not followed', async status => {
	const {find, site, url} = await open();
	site.handle = answering('', status, {location: `${url}/moved`});
	expect(await find('k1')).toMatchObject({kind: 'away', reason: expect.stringContaining('redirect')});
	expect(site.requests).toEqual(['/keys']);
});

test('a server whose certificate nobody trusts is not asked', async () => {
	const {find, site} = await open(keysNamed('k1'), 'other-ca.pem');
	expect(await find('k1')).toMatchObject({kind: 'away'});
	expect(site.requests).toEqual([]);
});

test('by default an address of this machine is refused', async () => {
	const {url, site} = await open();
	const fetchText = createTextFetch({limitBytes: largestKeySetBytes});
	await expect(fetchText(url, {signal: neverAborted()})).rejects.toMatchObject({code: 'address_refused'});
	expect(site.requests).toEqual([]);
});
