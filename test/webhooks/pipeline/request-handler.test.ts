import {Readable} from 'node:stream';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {legacySignature, openHandler, secret} from '../open-handler.ts';

describe('rows', () => {
	test('every request but /health and /ready is one event and one row', async () => {
		const handler = openHandler({routes: [{name: 'open'}, {name: 'closed', secrets: [secret]}]});
		await handler.post();
		await handler.post({url: '/webhooks/closed'});
		await handler.post({url: '/favicon.ico', method: 'GET'});
		await handler.post({url: '/health', method: 'GET'});
		await handler.post({url: '/ready', method: 'GET'});
		expect(
			handler.ofType('webhook.settled').map(({route, status, outcome, reason}) => ({route, status, outcome, reason})),
		).toEqual([
			{route: 'open', status: 202, outcome: 'accepted', reason: undefined},
			{route: 'closed', status: 401, outcome: 'rejected', reason: 'Invalid signature'},
			{route: '/favicon.ico', status: 404, outcome: 'rejected', reason: 'Unknown route: /favicon.ico'},
		]);
		expect(handler.journal.rows.map(row => row.id)).toEqual(
			handler.ofType('webhook.settled').map(event => event.eventId),
		);
	});

	test('the name of a route that nobody configured is exact in the answer, and quoted in the reason', async () => {
		const handler = openHandler({routes: [{name: 'open'}]});
		const answer = await handler.post({url: '/webhooks/pulls%20%20202%20%C2%B7%20signed'});
		expect(answer).toMatchObject({status: 404, body: {error: 'Unknown route: pulls  202 · signed'}});
		expect(handler.ofType('webhook.settled')).toMatchObject([
			{route: 'pulls  202 · signed', reason: 'Unknown route: "pulls ␠202 · signed"'},
		]);
	});

	test.each([
		{what: 'refused', request: {url: '/webhooks/closed', sign: 'wrong'}, isStored: false},
		{what: 'malformed', request: {body: '{'}, isStored: false},
		{what: 'ignored', request: {url: '/webhooks/picky'}, isStored: true},
		{what: 'accepted', request: {}, isStored: true},
	])('the body of what was $what is stored: $isStored', async ({request, isStored}) => {
		const handler = openHandler({
			routes: [{name: 'open'}, {name: 'closed', secrets: [secret]}, {name: 'picky', events: ['push']}],
		});
		await handler.post(request);
		expect(handler.journal.rows.map(row => row.body !== undefined)).toEqual([isStored]);
	});

	test('nothing foreign reaches an event as it came', async () => {
		const hostile = '\u001B]52;c;aGk=\u0007\u202E\n';
		const handler = openHandler({routes: [{name: 'open', events: ['push']}]});
		await handler.post({url: `/webhooks/${encodeURIComponent(hostile)}`});
		await handler.post({headers: {'x-github-event': hostile, 'x-request-id': hostile}});
		expect(JSON.stringify(handler.ofType('webhook.settled'))).not.toMatch(/\\u001b|\\u0007|\u202E|\\n/u);
	});

	test('the time from arrival to answer is measured', async () => {
		const handler = openHandler();
		const body = new Readable({read() {}});
		const answer = handler.post({body});
		await handler.clock.advance(250);
		body.push('{}');
		body.push(null);
		await answer;
		expect(handler.ofType('webhook.settled')).toMatchObject([{ms: 250}]);
	});
});

describe('answers', () => {
	test('/health needs no route and no signature', async () => {
		expect(await openHandler({routes: []}).post({method: 'GET', url: '/health'})).toMatchObject({
			status: 200,
			body: {status: 'ok', platform: 'webhook'},
		});
	});

	test('/health takes no POST', async () => {
		expect(await openHandler().post({url: '/health'})).toMatchObject({status: 405, headers: {allow: 'GET, HEAD'}});
	});

	test.each(['GET', 'HEAD'])('/ready, asked with %s, says why no new request is to come', async method => {
		const ready = {status: 200, body: {status: 'ready', platform: 'webhook'}};
		expect(await openHandler({routes: []}).post({method, url: '/ready?x=1'})).toMatchObject(ready);
		const handler = openHandler({unready: async () => ['journal', 'draining']});
		const unready = {status: 503, body: {status: 'not_ready', platform: 'webhook', reasons: ['journal', 'draining']}};
		expect(await handler.post({method, url: '/ready'})).toMatchObject(unready);
		expect(await handler.post({method, url: '/health'})).toMatchObject({status: 200});
		expect(await handler.post()).toMatchObject({status: 202});
		expect(handler.ofType('webhook.settled')).toHaveLength(1);
	});

	test('/ready is answered during a stop, where everything else is refused', async () => {
		const handler = openHandler();
		handler.state.stopping = true;
		expect(await handler.post({method: 'GET', url: '/ready'})).toMatchObject({
			status: 503,
			body: {reasons: ['draining']},
		});
		expect(await handler.post()).toMatchObject({status: 503, body: {error: 'Shutting down'}});
	});

	test.each(['POST', 'PUT', 'DELETE', 'PROPFIND'])('/ready takes no %s', async method => {
		const refused = {status: 405, headers: {allow: 'GET, HEAD'}};
		expect(await openHandler().post({method, url: '/ready'})).toMatchObject(refused);
	});

	test('a foreign profile reads like an unknown route', async () => {
		const handler = openHandler({routes: [{name: 'r', secrets: [secret]}]});
		expect(await handler.post({url: '/p/other/webhooks/r', sign: secret})).toMatchObject({
			status: 404,
			body: {error: 'Unknown route: r'},
		});
		expect(await handler.post({url: '/p/default/webhooks/r', sign: secret})).toMatchObject({status: 202});
	});

	test('a route whose pattern is refused is paused, and the others are served', async () => {
		const handler = openHandler({
			routes: [{name: 'broken', filters: [{kind: 'regex', field: 'a', pattern: '(?=x)'}]}, {name: 'open'}],
		});
		expect(await handler.post({url: '/webhooks/broken'})).toMatchObject({status: 503, body: {error: 'Route paused'}});
		expect(await handler.post()).toMatchObject({status: 202});
	});

	test('a filter that cannot be decided lets nothing through', async () => {
		const handler = openHandler({routes: [{name: 'r', filters: [{kind: 'not', filter: {kind: 'malformed'}}]}]});
		expect(await handler.post({url: '/webhooks/r'})).toMatchObject({body: {status: 'ignored', reason: 'filter'}});
	});

	test('a bad signature uses no quota', async () => {
		const handler = openHandler({routes: [{name: 'r', secrets: [secret]}], rateLimit: 1});
		for (let attempt = 0; attempt < 5; attempt++) {
			expect(await handler.post({url: '/webhooks/r', sign: 'wrong'})).toMatchObject({status: 401});
		}

		expect(await handler.post({url: '/webhooks/r', sign: secret})).toMatchObject({status: 202});
		expect(await handler.post({url: '/webhooks/r', sign: secret})).toMatchObject({status: 429});
	});

	test('the secret of one route does not open another', async () => {
		const handler = openHandler({
			routes: [
				{name: 'a', secrets: ['one']},
				{name: 'b', secrets: ['two']},
			],
		});
		expect(await handler.post({url: '/webhooks/b', sign: 'one'})).toMatchObject({status: 401});
	});

	test.each(['${UNSET}', '', 'whsec_%'])('nobody can sign for a route whose only secret is "%s"', async unusable => {
		const handler = openHandler({routes: [{name: 'r', secrets: [unusable]}]});
		expect(await handler.post({url: '/webhooks/r', sign: unusable})).toMatchObject({status: 503, name: 'unavailable'});
		expect([handler.journal.runs, handler.journal.rows[0]?.body]).toEqual([[], undefined]);
	});

	test('a valid legacy signature is warned about once per route', async () => {
		const handler = openHandler({
			routes: [
				{name: 'r', secrets: [secret]},
				{name: 's', secrets: [secret]},
			],
		});
		await handler.post({url: '/webhooks/r', sign: 'wrong'});
		expect(handler.ofType('log')).toEqual([]);
		for (const url of ['/webhooks/r', '/webhooks/r', '/webhooks/s']) {
			await handler.post({url, sign: secret});
		}

		expect(handler.ofType('log').map(({level, text}) => ({level, route: text.slice(0, 7)}))).toEqual([
			{level: 'warning', route: 'route r'},
			{level: 'warning', route: 'route s'},
		]);
	});

	test('an error of our own is answered 500 and logged', async () => {
		const handler = openHandler();
		const body = Object.assign(new Readable({read() {}}), {
			on() {
				throw new Error('a bug');
			},
		});
		expect(await handler.post({body})).toMatchObject({status: 500, body: {error: 'Internal error'}});
		expect(handler.ofType('log')).toMatchObject([{level: 'error', text: 'a bug'}]);
	});
});

describe('bodies', () => {
	test('one that does not come in 30 s is answered 408', async () => {
		const handler = openHandler();
		const answer = handler.post({body: new Readable({read() {}})});
		await handler.clock.advance(30_000);
		expect(await answer).toMatchObject({status: 408, headers: {connection: 'close'}});
		expect(handler.clock.open()).toBe(0);
	});

	test('of unverified senders at most 64 are read at once, per route: a newer one ends the one that stalls for longest', async () => {
		const handler = openHandler({routes: [{name: 'r', secrets: [secret]}, {name: 's'}]});
		const bodies = Array.from({length: 64}, () => new Readable({read() {}}));
		const signed = {url: '/webhooks/r', headers: legacySignature(secret, '{}')};
		const waiting = bodies.map(body => handler.post({...signed, body}));
		await handler.clock.advance(10);
		bodies[0]?.push('{');
		await handler.clock.advance(10);
		expect(await handler.post({url: '/webhooks/s'})).toMatchObject({status: 202});
		expect(handler.ofType('webhook.settled')).toHaveLength(1);

		const late = new Readable({read() {}});
		const answer = handler.post({...signed, body: late});
		expect(await waiting[1]).toMatchObject({status: 408, body: {error: 'Request timeout'}});
		expect(handler.ofType('webhook.settled').slice(1)).toMatchObject([
			{status: 408, reason: 'Request timeout: stalled for longest while 64 bodies were being read'},
		]);
		late.push('{}');
		late.push(null);
		expect(await answer).toMatchObject({status: 202});
		bodies[0]?.push('}');
		bodies[0]?.push(null);
		expect(await waiting[0]).toMatchObject({status: 202});
		await handler.clock.advance(30_000);
		expect((await Promise.all(waiting)).map(reply => reply.status)).toEqual([202, ...Array(63).fill(408)]);
		expect(handler.ofType('webhook.settled').filter(event => event.reason === 'Request timeout')).toHaveLength(62);
		expect(handler.clock.open()).toBe(0);
	});

	test('one that is being read when the adapter gives up is answered 503', async () => {
		const handler = openHandler();
		const answer = handler.post({body: new Readable({read() {}})});
		handler.givingUp.abort();
		expect(await answer).toMatchObject({status: 503, body: {error: 'Shutting down'}});
	});

	test('whatever comes is answered, and never with 500', async () => {
		const handler = openHandler({
			routes: [
				{name: 'open', events: [], filters: [{kind: 'contains', field: 'a.0', value: 'x'}], prompt: '{a} {__raw__}'},
			],
			rateLimit: 1e9,
		});
		const headers = fc.dictionary(
			fc.constantFrom('content-type', 'content-encoding', 'x-github-event', 'x-request-id', 'content-length'),
			fc.oneof(
				fc.string(),
				fc.constantFrom('gzip', 'deflate', 'application/json', 'application/x-www-form-urlencoded'),
			),
		);
		const body = fc.oneof(
			fc.uint8Array(),
			fc.json().map(text => Buffer.from(text)),
		);
		await fc.assert(
			fc.asyncProperty(headers, body, async (headers, body) => {
				expect((await handler.post({headers, body})).status).not.toBe(500);
			}),
			{numRuns: 500},
		);
	});
});
