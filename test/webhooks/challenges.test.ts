import {createHmac} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {type PresetName} from '../../source/config/webhooks/presets/preset-table.ts';
import {toSenderRules} from '../../source/config/webhooks/sender-rules.ts';
import {openAdapter} from './open-adapter.ts';
import {openHandler, secret} from './open-handler.ts';
import {providerOf} from './provider-messages.ts';
import {webhookConfig} from './webhook-config.ts';

const token = 'a verify token';
const byGet = toSenderRules({challenge: {method: 'GET', parameter: 'hub.challenge', token}});
const byPost = toSenderRules({challenge: {method: 'POST', parameter: 'validationToken'}});
const routes = [
	{name: 'get', secrets: [secret], ...byGet},
	{name: 'post', secrets: [secret], ...byPost},
	{name: 'json', secrets: [secret], ...toSenderRules({challenge: {parameter: 'a.challenge', answer: 'json'}})},
	{name: 'field', secrets: [secret], ...toSenderRules({challenge: {field: 'proof.text'}})},
	{name: 'paused', secrets: [secret], ...byGet, enabled: false},
	{name: 'plain', secrets: [secret]},
];

const query = (parameters: Readonly<Record<string, string>>) => `?${new URLSearchParams(parameters).toString()}`;
const right = query({'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444'});

describe('on real sockets', () => {
	const open = async () => {
		const {url, journal} = await openAdapter({config: webhookConfig({routes})});
		const send = async (method: string, path: string, body?: string) => {
			const response = await fetch(`${url}/webhooks/${path}`, {method, body});
			return {status: response.status, text: await response.text(), headers: response.headers};
		};

		return {send, journal};
	};

	test('a GET with the token gets its challenge back as text that no browser takes for a page', async () => {
		const {send, journal} = await open();
		const {status, text, headers} = await send('GET', `get${right}`);
		expect({status, text}).toEqual({status: 200, text: '1158201444'});
		expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		expect(journal.runs).toEqual([]);
		expect(journal.rows).toMatchObject([{outcome: 'ignored', reason: 'handshake', status: 200}]);
	});

	test('a POST with the parameter is answered before its signature, and its body is not read', async () => {
		const {send, journal} = await open();
		const value = 'Validation: Testing client application reachability';
		const answer = await send('POST', `post${query({validationToken: value})}`, '{');
		expect(answer).toMatchObject({status: 200, text: value});
		expect(await send('POST', 'post', '{}')).toMatchObject({status: 401});
		expect(journal.runs).toEqual([]);
	});

	test('JSON has the last part of the name', async () => {
		const {send} = await open();
		expect(await send('GET', `json${query({'a.challenge': 'x'})}`)).toMatchObject({
			status: 200,
			text: '{"challenge":"x"}',
		});
	});

	test('a route without one takes no GET, and others say which methods they take', async () => {
		const {send} = await open();
		const refused = await send('GET', `plain${right}`);
		expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
		const other = await send('PUT', 'get', '{}');
		expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
		expect((await send('GET', `post${query({validationToken: 'x'})}`)).headers.get('allow')).toBe('POST');
	});

	test('a paused route says so', async () => {
		const {send} = await open();
		expect(await send('GET', `paused${right}`)).toMatchObject({status: 503});
	});
});

describe('a challenge by parameter is refused', () => {
	const get = (search: string, route = 'get') =>
		openHandler({routes}).post({method: 'GET', url: `/webhooks/${route}${search}`});

	test.each([
		['with another token', query({'hub.verify_token': 'another', 'hub.challenge': '1'})],
		['with the beginning of the token', query({'hub.verify_token': token.slice(0, -1), 'hub.challenge': '1'})],
		['without a token', query({'hub.challenge': '1'})],
		['with an empty token', query({'hub.verify_token': '', 'hub.challenge': '1'})],
		['without anything', ''],
	])('%s', async (_, search) => {
		expect(await get(search)).toMatchObject({status: 401, body: {error: 'Invalid signature'}});
	});

	test.each([
		['nothing', {}],
		['an empty text', {'a.challenge': ''}],
		['a text of 1,025 characters', {'a.challenge': 'x'.repeat(1025)}],
		['a line break', {'a.challenge': 'a\r\nSet-Cookie: b'}],
		['a letter that is not ASCII', {'a.challenge': 'é'}],
	])('with %s to send back', async (_, parameters) => {
		const reply = await get(query({...parameters}), 'json');
		expect(reply).toMatchObject({status: 400, body: {error: 'Bad request'}});
		expect(reply.reason).toContain('1 to 1,024 printable ASCII characters');
	});

	test('a script is sent back as text', async () => {
		const script = '<script>alert(1)</script>';
		expect(await get(query({'hub.verify_token': token, 'hub.challenge': script}))).toMatchObject({
			text: script,
			headers: {'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff'},
		});
	});

	test('whose token has a variable that is not set lets nobody pass', async () => {
		const open = [{name: 'r', secrets: [secret], ...toSenderRules({challenge: {parameter: 'c', token: ''}})}];
		const handler = openHandler({routes: open});
		const search = query({c: 'x', 'hub.verify_token': ''});
		expect(await handler.post({method: 'GET', url: `/webhooks/r${search}`})).toMatchObject({status: 401});
	});
});

test('ten challenges a minute are answered, and they take nothing of the quota of events', async () => {
	const handler = openHandler({routes, rateLimit: 1});
	const get = () => handler.post({method: 'GET', url: `/webhooks/get${right}`});
	for (let count = 0; count < 10; count++) {
		expect(await get()).toMatchObject({status: 200});
	}

	expect(await get()).toMatchObject({status: 429, headers: {'retry-after': '60'}});
	expect(await handler.post({url: '/webhooks/get', sign: secret})).toMatchObject({status: 202});
	await handler.clock.advance(60_000);
	expect(await get()).toMatchObject({status: 200});
});

test('a field of a signed message is sent back, and a message without it is an event', async () => {
	const handler = openHandler({routes});
	const send = (body: string, sign = secret) => handler.post({url: '/webhooks/field', body, sign});
	expect(await send('{"proof":{"text":"abc"}}')).toMatchObject({status: 200, text: 'abc', reason: 'handshake'});
	expect(await send('{"proof":{"text":"abc"}}', 'another')).toMatchObject({status: 401});
	expect(handler.journal.runs).toEqual([]);
	expect(await send('{"proof":{}}')).toMatchObject({status: 202});
});

describe("a route's own places", () => {
	const own = toSenderRules({delivery_id: {field: 'build.id'}, event_type: {header: 'X-Kind'}});
	const routesOf = (rules: object) => [{name: 'r', secrets: [secret], ...rules}];
	const send = (handler: ReturnType<typeof openHandler>, body: string, headers = {}) =>
		handler.post({url: '/webhooks/r', body, headers, sign: secret});

	test('give the id and the event type', async () => {
		const handler = openHandler({routes: routesOf(own)});
		const headers = {'x-kind': 'done', 'x-request-id': 'r-1', 'x-github-event': 'push'};
		expect(await send(handler, '{"build":{"id":7}}', headers)).toMatchObject({
			body: {status: 'accepted', event: 'done', delivery_id: '7'},
		});
		expect(await send(handler, '{"build":{"id":7}}', {'x-request-id': 'r-2'})).toMatchObject({
			body: {status: 'duplicate'},
		});
	});

	test.each(['{"build":{}}', '{"build":{"id":""}}', '{"build":{"id":[1]}}', '[]'])(
		'that are missing in %s are as for any sender',
		async body => {
			const handler = openHandler({routes: routesOf(own)});
			expect(await send(handler, body, {'x-request-id': 'r-1', 'x-github-event': 'push'})).toMatchObject({
				body: {event: 'push', delivery_id: 'r-1'},
			});
		},
	);

	test('`none` is neither an id nor an event type', async () => {
		const handler = openHandler({routes: routesOf(toSenderRules({delivery_id: 'none', event_type: 'none'}))});
		const headers = {'x-request-id': 'r-1', 'x-github-event': 'push'};
		for (let count = 0; count < 2; count++) {
			expect(await send(handler, '{}', headers)).toMatchObject({
				body: {status: 'accepted', event: 'unknown', delivery_id: expect.stringMatching(/^\d{13}-/u)},
			});
		}
	});

	test('a whole number beyond 2^53 keeps its digits', async () => {
		const handler = openHandler({routes: routesOf(own)});
		expect(await send(handler, '{"build":{"id":9007199254740993}}')).toMatchObject({
			body: {delivery_id: '9007199254740993'},
		});
	});
});

describe('the presets', () => {
	const get = (signature: PresetName, search: string, challenge?: {readonly token: string}) =>
		openHandler({routes: [{name: 'r', secrets: [secret], ...toSenderRules({signature, challenge})}]}).post({
			method: 'GET',
			url: `/webhooks/r${search}`,
		});

	test('Meta gets its challenge for its token alone', async () => {
		const search = (text: string) => query({'hub.mode': 'subscribe', 'hub.verify_token': text, 'hub.challenge': '11'});
		expect(await get('meta', search(token), {token})).toMatchObject({status: 200, text: '11'});
		expect(await get('meta', search('another'), {token})).toMatchObject({status: 401});
		expect(await get('meta', search(''))).toMatchObject({status: 401});
	});

	test('Dropbox gets its challenge', async () => {
		expect(await get('dropbox', query({challenge: 'abc'}))).toMatchObject({status: 200, text: 'abc'});
	});
});

describe('Zoom', () => {
	const ask = (plainToken: unknown, secrets: readonly string[] = [providerOf('zoom').secret]) => {
		const handler = openHandler({routes: [{name: 'r', secrets, ...toSenderRules({signature: 'zoom'})}]});
		const body = JSON.stringify({event: 'endpoint.url_validation', payload: {plainToken}});
		const {headers} = providerOf('zoom').send(body, Math.floor(handler.clock.now() / 1000));
		return {reply: handler.post({url: '/webhooks/r', body, headers}), ...handler};
	};

	const signed = (text: string) => createHmac('sha256', providerOf('zoom').secret).update(text).digest('hex');

	test('gets its token back, signed', async () => {
		const {reply, journal} = ask('qgg8vlvZRS6UYooatFL8Aw');
		expect(await reply).toMatchObject({
			status: 200,
			body: {plainToken: 'qgg8vlvZRS6UYooatFL8Aw', encryptedToken: signed('qgg8vlvZRS6UYooatFL8Aw')},
			reason: 'handshake',
		});
		expect(journal.runs).toEqual([]);
	});

	test('during a rotation it is signed with the secret that proved the message', async () => {
		const {reply} = ask('abc', ['the next one', providerOf('zoom').secret]);
		expect(await reply).toMatchObject({body: {encryptedToken: signed('abc')}});
	});

	test.each(['v0:1700000000:{"event":"meeting.started"}', '', 'x'.repeat(129), 'a.b', 5, undefined])(
		'%j is not signed, and its row says why',
		async token => {
			const {reply, journal} = ask(token);
			expect(await reply).toMatchObject({status: 400, body: {error: 'Bad request'}});
			expect(journal.rows).toMatchObject([{outcome: 'rejected', reason: expect.stringContaining('is not signed')}]);
		},
	);

	test('nothing is signed for a stranger, or on a route without signatures', async () => {
		expect(await ask('abc', ['another secret']).reply).toMatchObject({status: 401});
		const {reply} = ask('abc', ['INSECURE_NO_AUTH']);
		expect(await reply).toMatchObject({status: 400, reason: 'No secret proves the challenge, so it is not signed'});
	});
});
