import {request} from 'node:http';
import {describe, expect, onTestFinished, test} from 'vitest';
import {authorizeRequest, type RequestHead} from '../../../source/tools/endpoint/authorize-request.ts';
import {endpointLimits} from '../../../source/tools/endpoint/limits.ts';
import {handshake, openEndpoint, otherToken, post, token} from './endpoint-fixture.ts';

const head: RequestHead = {
	target: '/mcp',
	host: '127.0.0.1:8645',
	origin: undefined,
	authorization: 'Bearer right',
	remoteAddress: '127.0.0.1',
};

/** The response to a request that differs from a good one in these members. */
function accessOf(
	differing: Partial<RequestHead>,
	rules: {readonly host?: string; readonly metrics?: Parameters<typeof authorizeRequest>[1]['metrics']} = {},
): string | number {
	const clients = new Map<string | undefined, ReadonlyArray<{readonly token: string}>>([
		[undefined, [{token: 'right'}, {token: 'laptop'}]],
		['default', [{token: 'right'}]],
		['work', [{token: 'other'}]],
		['broken', [{token: ''}]],
		['nobody-admitted', []],
	]);
	const access = authorizeRequest(
		{...head, ...differing},
		{host: '127.0.0.1', metrics: {kind: 'off'}, ...rules, clientsOf: name => clients.get(name)},
	);
	return access.kind === 'refused' ? access.status : access.kind;
}

describe('who is let in', () => {
	test.each([
		{why: 'a good request', differing: {}, becomes: 'tools'},
		{why: 'the scheme in small letters', differing: {authorization: 'bearer right'}, becomes: 'tools'},
		{why: 'a query', differing: {target: '/mcp?a=b'}, becomes: 'tools'},
		{why: 'the first profile by its name', differing: {target: '/p/default/mcp'}, becomes: 'tools'},
		{why: 'the token of another client', differing: {authorization: 'Bearer laptop'}, becomes: 'tools'},
		{why: 'a profile that admits nobody', differing: {target: '/p/nobody-admitted/mcp'}, becomes: 401},
		{why: 'no token', differing: {authorization: undefined}, becomes: 401},
		{why: 'a wrong token', differing: {authorization: 'Bearer wrong'}, becomes: 401},
		{why: 'the beginning of the token', differing: {authorization: 'Bearer righ'}, becomes: 401},
		{why: 'another scheme', differing: {authorization: 'Basic right'}, becomes: 401},
		{why: 'the token of another profile', differing: {target: '/p/work/mcp'}, becomes: 401},
		{
			why: 'an empty token where none is kept',
			differing: {target: '/p/broken/mcp', authorization: 'Bearer '},
			becomes: 401,
		},
		{why: 'an unknown profile', differing: {target: '/p/nobody/mcp'}, becomes: 404},
		{why: 'an unknown path', differing: {target: '/mcp/more'}, becomes: 404},
		{why: 'a foreign host', differing: {host: 'attacker.example:8645'}, becomes: 403},
		{why: 'no host', differing: {host: undefined}, becomes: 403},
		{why: 'a host that only begins well', differing: {host: 'localhost.attacker.example'}, becomes: 403},
		{why: 'a user part in the host', differing: {host: '127.0.0.1@attacker.example'}, becomes: 403},
		{why: 'localhost', differing: {host: 'LOCALHOST:1'}, becomes: 'tools'},
		{why: 'the IPv6 loopback', differing: {host: '[::1]:8645'}, becomes: 'tools'},
		{why: 'an origin of this machine', differing: {origin: 'http://localhost:6274'}, becomes: 'tools'},
		{why: 'a foreign origin', differing: {origin: 'https://attacker.example'}, becomes: 403},
		{why: 'the origin of a file or a frame', differing: {origin: 'null'}, becomes: 403},
		{why: 'an origin of another scheme', differing: {origin: 'ftp://localhost'}, becomes: 403},
		{why: 'the metrics, switched off', differing: {target: '/metrics'}, becomes: 404},
	])('$why: $becomes', ({differing, becomes}) => {
		expect(accessOf(differing)).toBe(becomes);
	});

	test.each([
		{host: '0.0.0.0', named: 'gateway.example:8645', becomes: 'tools'},
		{host: '192.0.2.7', named: '192.0.2.7:8645', becomes: 'tools'},
		{host: '192.0.2.7', named: 'gateway.example', becomes: 403},
		{host: '::1', named: '[::1]:8645', becomes: 'tools'},
	])('bound to $host and called $named: $becomes', ({host, named, becomes}) => {
		expect(accessOf({host: named}, {host})).toBe(becomes);
	});

	test.each([
		{metrics: {kind: 'loopback'}, differing: {authorization: undefined}, becomes: 'metrics'},
		{metrics: {kind: 'loopback'}, differing: {remoteAddress: '::ffff:127.0.0.1'}, becomes: 'metrics'},
		{metrics: {kind: 'loopback'}, differing: {remoteAddress: '192.0.2.7'}, becomes: 403},
		{metrics: {kind: 'token', token: 'read'}, differing: {authorization: undefined}, becomes: 401},
		{metrics: {kind: 'token', token: 'read'}, differing: {authorization: 'Bearer right'}, becomes: 401},
		{
			metrics: {kind: 'token', token: 'read'},
			differing: {authorization: 'Bearer read', remoteAddress: '192.0.2.7'},
			becomes: 'metrics',
		},
		{metrics: {kind: 'token', token: ''}, differing: {authorization: 'Bearer '}, becomes: 401},
	] as const)('metrics $metrics.kind, $differing: $becomes', ({metrics, differing, becomes}) => {
		expect(accessOf({target: '/metrics', ...differing}, {metrics})).toBe(becomes);
	});
});

describe('the listener', () => {
	test.each([
		{why: 'without a token', headers: {authorization: ''}, status: 401},
		{why: 'from a foreign page', headers: {origin: 'https://attacker.example'}, status: 403},
		{why: 'of the older era without a session', headers: {}, status: 400},
		{why: 'with an unknown session', headers: {'mcp-session-id': 'nobody'}, status: 404},
		{why: 'that is no JSON by its type', headers: {'content-type': 'text/plain'}, status: 415},
	] as ReadonlyArray<{why: string; headers: Record<string, string>; status: number}>)(
		'a request $why: $status',
		async ({headers, status}) => {
			const {endpoint} = await openEndpoint();
			expect((await post(endpoint, {headers})).status).toBe(status);
		},
	);

	test.each([
		{host: 'attacker.example', path: '/mcp', status: 403},
		{host: '127.0.0.1', path: 'http://attacker.example/mcp', status: 403},
		{host: '127.0.0.1', path: 'http://attacker.example/metrics', status: 403},
		{host: 'attacker.example', path: 'http://127.0.0.1/mcp', status: 406},
		{host: '127.0.0.1', path: '/mcp', status: 406},
	])('a request for $path with Host $host: $status', async ({host, path, status}) => {
		const {url} = await openEndpoint();
		const {port} = new URL(url);
		const headers = {host, authorization: `Bearer ${token}`};
		const answered = await new Promise(resolve => {
			request({host: '127.0.0.1', port, path, headers}, response => {
				response.resume();
				resolve(response.statusCode);
			}).end();
		});
		expect(answered).toBe(status);
	});

	test.each([
		{why: 'with its token', given: token, invited: true},
		{why: 'without it', given: 'wrong', invited: false},
	])('a body that waits for 100 Continue is invited $why: $invited', async ({given, invited}) => {
		const {endpoint} = await openEndpoint();
		const wasInvited = await new Promise(resolve => {
			const headers = {authorization: `Bearer ${given}`, expect: '100-continue', 'content-length': 2};
			const asked = request(endpoint, {method: 'POST', headers});
			asked.on('continue', () => resolve(true));
			asked.on('response', () => resolve(false));
			asked.on('error', () => undefined).on('response', response => response.resume());
			asked.flushHeaders();
			onTestFinished(() => void asked.destroy());
		});
		expect(wasInvited).toBe(invited);
	});

	test('a path whose escapes are broken is refused like any other', async () => {
		const {url} = await openEndpoint();
		const answer = await fetch(`${url}/%zz`, {method: 'PROPFIND'});
		expect([answer.status, await answer.json()]).toMatchObject([404, {error: {message: 'Not found'}}]);
	});

	test('a message beyond the limit is refused', async () => {
		const {endpoint} = await openEndpoint();
		const {status} = await post(endpoint, {body: {text: 'x'.repeat(endpointLimits.bodyBytes)}});
		expect(status).toBe(413);
	});

	test.each(['', '{', '{"jsonrpc": "2.0"'])('a message that is not JSON is refused as one: %j', async body => {
		const {endpoint} = await openEndpoint();
		const headers = {
			authorization: `Bearer ${token}`,
			accept: 'application/json, text/event-stream',
			'content-type': 'application/json',
		};
		const response = await fetch(endpoint, {method: 'POST', headers, body});
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({error: {code: -32_700}});
	});

	test('a session belongs to its profile', async () => {
		const {endpoint, url} = await openEndpoint();
		const session = (await post(endpoint, {body: handshake})).headers.get('mcp-session-id') ?? '';
		const headers = {'mcp-session-id': session, authorization: `Bearer ${otherToken}`};
		expect((await post(new URL('/p/work/mcp', url), {headers})).status).toBe(404);
		expect((await post(endpoint, {headers: {'mcp-session-id': session}})).status).toBe(200);
	});

	test('too many sessions end the one that was idle for longest', async () => {
		const {endpoint} = await openEndpoint();
		const sessions: string[] = [];
		for (let count = 0; count <= endpointLimits.sessions; count++) {
			const answer = await post(endpoint, {body: handshake});
			sessions.push(answer.headers.get('mcp-session-id') ?? '');
			await answer.text();
		}

		const statusOf = async (session = '') => (await post(endpoint, {headers: {'mcp-session-id': session}})).status;
		expect(await statusOf(sessions[0])).toBe(404);
		expect(await statusOf(sessions[1])).toBe(200);
	});

	test('a session that its client ended is gone', async () => {
		const {endpoint} = await openEndpoint();
		const session = (await post(endpoint, {body: handshake})).headers.get('mcp-session-id') ?? '';
		const headers = {'mcp-session-id': session, authorization: `Bearer ${token}`};
		expect((await fetch(endpoint, {method: 'DELETE', headers})).status).toBe(200);
		expect((await post(endpoint, {headers})).status).toBe(404);
	});

	test('metrics are text that Prometheus reads', async () => {
		const {url} = await openEndpoint({metrics: {kind: 'loopback'}});
		const answer = await fetch(new URL('/metrics', url));
		expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
		expect(await answer.text()).toBe('up 1\n');
	});
});
