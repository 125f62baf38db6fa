import {type RequestListener} from 'node:http';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type Lookup} from '../../source/net/address-guard.ts';
import {type GuardedFetchOptions, openGuardedFetch} from '../../source/net/guarded-fetch.ts';
import {serve} from '../helpers/loopback.ts';
import {nameServer} from '../helpers/name-server.ts';

/** Serves on loopback. */
async function listen(handle: RequestListener) {
	const {origin, requests} = await serve(handle);
	return {url: new URL(origin), requests};
}

function open(options: Partial<GuardedFetchOptions> = {}) {
	const opened = openGuardedFetch({reach: 'internet', redirects: 'origin', limitBytes: 1000, ...options});
	onTestFinished(opened.close);
	return opened.fetch;
}

/** A name server that gives another answer each time; the last one stays. */
function lookupOf(...answers: ReadonlyArray<readonly string[]>): Lookup {
	let asked = 0;
	return nameServer(() => answers[Math.min(asked++, answers.length - 1)] ?? []);
}

const answer =
	(body: string): RequestListener =>
	(_, response) =>
		void response.end(body);

describe('what is out of reach gets no request', () => {
	test('an address', async () => {
		const {url, requests} = await listen(answer('secret'));
		await expect(open()(url)).rejects.toMatchObject({code: 'address_refused'});
		expect(requests).toEqual([]);
	});

	test('a name that resolves to it', async () => {
		const {url, requests} = await listen(answer('secret'));
		const fetch = open({lookup: lookupOf(['127.0.0.1'])});
		await expect(fetch(`http://evil.example:${url.port}/`)).rejects.toMatchObject({code: 'address_refused'});
		expect(requests).toEqual([]);
	});

	test('a name of which one address does', async () => {
		const fetch = open({lookup: lookupOf(['93.184.216.34', '127.0.0.1'])});
		await expect(fetch('http://evil.example/')).rejects.toMatchObject({code: 'address_refused'});
	});

	test('a name that changes its meaning between two requests', async () => {
		const {url, requests} = await listen((_, response) => void response.setHeader('connection', 'close').end('fine'));
		const fetch = open({reach: 'machine', lookup: lookupOf(['127.0.0.1'], ['169.254.169.254'])});
		const address = `http://changing.example:${url.port}/`;
		expect(await (await fetch(address)).text()).toBe('fine');
		await expect(fetch(address)).rejects.toMatchObject({code: 'address_refused'});
		expect(requests).toHaveLength(1);
	});

	test('a redirect to it', async () => {
		const {url} = await listen(
			(_, response) => void response.writeHead(302, {location: 'http://169.254.169.254/'}).end(),
		);
		const fetch = open({reach: 'machine', redirects: 'web'});
		await expect(fetch(url)).rejects.toMatchObject({code: 'address_refused'});
	});

	test('a redirect to what is no web address', async () => {
		const {url} = await listen((_, response) => void response.writeHead(302, {location: 'file:///etc/passwd'}).end());
		await expect(open({reach: 'machine', redirects: 'web'})(url)).rejects.toMatchObject({code: 'address_refused'});
	});
});

describe.each([301, 302, 303, 307, 308])('a redirect with %i', status => {
	const redirectTo = (location: URL): RequestListener => {
		return (_, response) => void response.writeHead(status, {location: location.href}).end();
	};

	const post = {method: 'POST', body: 'code=secret', headers: {'x-key': 'secret', accept: 'text/html'}};

	test('to another origin is refused by default, and nothing is sent there', async () => {
		const other = await listen(answer('other'));
		const {url} = await listen(redirectTo(other.url));
		await expect(open({reach: 'machine'})(url, post)).rejects.toMatchObject({code: 'address_refused'});
		expect(other.requests).toEqual([]);
	});

	test('to another origin carries neither body nor headers of ours', async () => {
		const other = await listen(answer('other'));
		const {url} = await listen(redirectTo(other.url));
		const got = await open({reach: 'machine', redirects: 'web'})(url, post);
		expect(await got.text()).toBe('other');
		const [request] = other.requests;
		expect({method: request?.method, key: request?.headers['x-key'], accept: request?.headers.accept}).toEqual({
			method: 'GET',
			key: undefined,
			accept: 'text/html',
		});
		expect(request?.headers['content-length']).toBeUndefined();
	});
});

test('the answer names the address that redirects led to', async () => {
	const other = await listen(answer('other'));
	const {url} = await listen((_, response) => void response.writeHead(302, {location: `${other.url.href}page`}).end());
	const got = await open({reach: 'machine', redirects: 'web'})(url);
	expect(got.url).toBe(`${other.url.href}page`);
});

test('a request that allows no redirect gets none', async () => {
	const {url, requests} = await listen((_, response) => void response.writeHead(302, {location: '/there'}).end());
	await expect(open({reach: 'machine'})(url, {redirect: 'error'})).rejects.toMatchObject({code: 'address_refused'});
	expect(requests).toHaveLength(1);
});

test('a request that handles redirects itself gets them', async () => {
	const {url} = await listen(
		(_, response) => void response.writeHead(302, {location: 'http://169.254.169.254/'}).end(),
	);
	expect((await open({reach: 'machine'})(url, {redirect: 'manual'})).status).toBe(302);
});

test('redirects without end are refused', async () => {
	const {url, requests} = await listen((_, response) => void response.writeHead(302, {location: '/'}).end());
	await expect(open({reach: 'machine'})(url)).rejects.toMatchObject({code: 'address_refused'});
	expect(requests).toHaveLength(6);
});

test('a body over the limit fails', async () => {
	const {url} = await listen(answer('x'.repeat(1001)));
	const got = await open({reach: 'machine'})(url);
	await expect(got.text()).rejects.toThrow('more than 1000 bytes');
});

test('what does not answer is a problem without words of the network', async () => {
	const {url} = await listen(request => void request.socket.destroy());
	await expect(open({reach: 'machine'})(url)).rejects.toMatchObject({
		code: 'fetch_failed',
		message: 'The web address did not answer',
	});
});

test('an abort keeps its reason', async () => {
	const {url} = await listen(() => undefined);
	const controller = new AbortController();
	const asked = open({reach: 'machine'})(url, {signal: controller.signal});
	controller.abort(new Error('called off'));
	await expect(asked).rejects.toThrow('called off');
});
