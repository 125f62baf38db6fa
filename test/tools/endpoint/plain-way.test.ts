import {describe, expect, test, vi} from 'vitest';
import {type CallContent, type Connection} from '../../../source/mcp/connection.ts';
import {endpointLimits} from '../../../source/tools/endpoint/limits.ts';
import {done} from '../call-fixture.ts';
import {handshake, openEndpoint, post, token} from './endpoint-fixture.ts';

type Headers = Record<string, string>;

const envelope = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientInfo': {name: 'bare', version: '1.0.0'},
	'io.modelcontextprotocol/clientCapabilities': {},
};

async function openSession(endpoint: URL): Promise<Headers> {
	const answer = await post(endpoint, {body: handshake});
	await answer.text();
	return {'mcp-session-id': answer.headers.get('mcp-session-id') ?? ''};
}

/** Both eras, with the head and the notes of a call of `name`. */
const eras: ReadonlyArray<{
	readonly era: string;
	readonly headersFor: (endpoint: URL, name: string) => Promise<Headers>;
	readonly meta: object;
}> = [
	{era: 'older era', headersFor: endpoint => openSession(endpoint), meta: {}},
	{
		era: '2026 era',
		headersFor: async (_, name) => ({
			'mcp-protocol-version': '2026-07-28',
			'mcp-method': 'tools/call',
			'mcp-name': name,
		}),
		meta: {_meta: envelope},
	},
];

function callOf(name: string, more: object = {}) {
	return {jsonrpc: '2.0', id: 5, method: 'tools/call', params: {name, arguments: {path: 'a'}, ...more}};
}

/** The message in a response, whichever form it has, and the form. */
async function messageIn(response: Response) {
	const text = await response.text();
	const isStream = response.headers.get('content-type') === 'text/event-stream';
	const data = isStream ? /^data: (.*)$/mu.exec(text)?.[1] : text;
	const message: unknown = JSON.parse(data ?? 'null');
	return {status: response.status, form: isStream ? 'stream' : 'JSON', message};
}

/** A server whose calls last until they are cancelled. */
function patient() {
	const seen = {asked: 0, cancelled: 0};
	const respond: Connection['request'] = (_, {signal}) =>
		new Promise<CallContent>((_resolve, reject) => {
			seen.asked++;
			signal.addEventListener('abort', () => {
				seen.cancelled++;
				reject(signal.reason);
			});
		});
	return {seen, respond};
}

describe.each(eras)('a call of the $era', ({headersFor, meta}) => {
	test.each([
		{why: 'a result', name: 'mcp__files__read', respond: async () => done},
		{
			why: 'a picture and structured content',
			name: 'mcp__files__read',
			respond: async () => ({
				content: [{type: 'image', data: 'aGk=', mimeType: 'image/png'}],
				structuredContent: {count: 1},
				isError: false,
			}),
		},
		{
			why: 'an error of the tool',
			name: 'mcp__files__read',
			respond: async () => ({content: [{type: 'text', text: 'no such file'}], isError: true}),
		},
		{
			why: 'an error of ours',
			name: 'mcp__files__read',
			respond: () => Promise.reject(new Error('lost')),
		},
		{why: 'an unknown tool', name: 'mcp__files__nothing', respond: async () => done},
	] as ReadonlyArray<{why: string; name: string; respond: Connection['request']}>)(
		'$why: status and message are those that the SDK sends',
		async ({name, respond}) => {
			const {endpoint} = await openEndpoint({respond});
			const headers = await headersFor(endpoint, name);
			const own = await messageIn(await post(endpoint, {headers, body: callOf(name, meta)}));
			// A member that we do not know leaves the call to the SDK.
			const left = await messageIn(await post(endpoint, {headers, body: callOf(name, {...meta, extra: true})}));
			expect(own.form).toBe('JSON');
			expect(own.message).toMatchObject({jsonrpc: '2.0', id: 5});
			expect({...own, form: left.form}).toEqual(left);
		},
	);

	test.each([
		['the last of two values is allowed', '{"path": "/etc/passwd", "path": "/srv/a"}', []],
		['the last of two values is denied', '{"path": "/srv/a", "path": "/etc/passwd"}', []],
		['the second name is written with an escape', '{"path": "/srv/a", "p\\u0061th": "/etc/passwd"}', []],
		['the denied value stands in a prototype', '{"path": "/srv/a", "__proto__": {"path": "/etc/passwd"}}', []],
		['the prototype has it alone', '{"__proto__": {"path": "/etc/passwd"}}', []],
		['the value is written once', '{"path": "/srv/a"}', ['{"path":"/srv/a"}', '{"path":"/srv/a"}']],
	])('a rule sees the arguments that the server gets: %s', async (_, written, sent) => {
		const name = 'mcp__files__write';
		const deny = (path: string) => ({
			...({id: path, source: 'config', action: 'deny', ignore: []} as const),
			arguments: {[path]: {prefix: '/etc'}},
		});
		const rules = [deny('path'), deny('__proto__.path')];
		const {endpoint, requests} = await openEndpoint({config: {trust: 'full'}, ruleList: () => rules});
		const headers = await headersFor(endpoint, name);
		for (const more of [meta, {...meta, extra: true}]) {
			const body = JSON.stringify(callOf(name, more));
			const text = body.replace('{"path":"a"}', () => written);
			expect(text).not.toBe(body);
			await messageIn(await post(endpoint, {headers, text}));
		}

		const got = requests.map(request => JSON.stringify('arguments' in request ? request.arguments : request));
		expect(got.join(' ')).not.toContain('/etc');
		expect(got).toEqual(sent);
	});

	test('shows the name of its client', async () => {
		const fixture = await openEndpoint();
		const {endpoint, approvals} = fixture;
		const name = 'mcp__files__write';
		const headers = await headersFor(endpoint, name);
		const answered = post(endpoint, {headers, body: callOf(name, meta)});
		const card = await vi.waitFor(() => approvals.pending()[0] ?? expect.fail('nothing is pending'));
		expect(card.origin).toEqual({kind: 'endpoint', client: 'bare', name: 'default'});
		await fixture.answer({kind: 'approve', scope: 'once'});
		expect((await messageIn(await answered)).form).toBe('JSON');
	});

	test('is cancelled when the endpoint closes', async () => {
		const {seen, respond} = patient();
		const {endpoint, listener} = await openEndpoint({respond});
		const headers = await headersFor(endpoint, 'mcp__files__read');
		const answered = post(endpoint, {headers, body: callOf('mcp__files__read', meta)}).catch(() => undefined);
		await vi.waitFor(() => expect(seen.asked).toBe(1));
		await listener.keep([]);
		await vi.waitFor(() => expect(seen.cancelled).toBe(1));
		expect(await (await answered)?.text()).toBe('');
	});
});

const bareHeaders = {
	authorization: `Bearer ${token}`,
	accept: 'application/json, text/event-stream',
	'content-type': 'application/json',
};

describe('a session with a call under way', () => {
	async function openCall() {
		const {seen, respond} = patient();
		const {endpoint, errors} = await openEndpoint({respond});
		const headers = await openSession(endpoint);
		const answered = post(endpoint, {headers, body: callOf('mcp__files__read')});
		await vi.waitFor(() => expect(seen.asked).toBe(1));
		return {seen, endpoint, errors, headers, answered};
	}

	const cancelling = {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 5}};

	test.each([
		{why: 'a notification', body: cancelling, cancelled: 1},
		{why: 'a notification among others', body: [cancelling], cancelled: 1},
		{why: 'a notification about another call', body: {...cancelling, params: {requestId: '5'}}, cancelled: 0},
	])('$why cancels $cancelled', async ({body, cancelled}) => {
		const {seen, endpoint, headers, answered} = await openCall();
		expect((await post(endpoint, {headers, body})).status).toBe(202);
		expect(seen.cancelled).toBe(cancelled);
		if (cancelled > 0) {
			expect(await (await answered).text()).toBe('');
		}
	});

	test('is not cancelled by a message that is refused', async () => {
		const {seen, endpoint, headers} = await openCall();
		const refused = await post(endpoint, {
			headers: {...headers, 'mcp-protocol-version': '1999-01-01'},
			body: cancelling,
		});
		expect([refused.status, seen.cancelled]).toEqual([400, 0]);
	});

	test('hears of a cancellation whose length its head does not declare', async () => {
		const {seen, endpoint, headers, answered} = await openCall();
		const sent = await fetch(endpoint, {
			method: 'POST',
			duplex: 'half',
			headers: {...headers, ...bareHeaders},
			body: new Blob([JSON.stringify(cancelling)]).stream(),
		});
		expect([sent.status, seen.cancelled]).toEqual([202, 1]);
		expect(await (await answered).text()).toBe('');
	});

	test('cancels it when its client ends the session', async () => {
		const {seen, endpoint, headers, answered} = await openCall();
		const authorization = `Bearer ${token}`;
		expect((await fetch(endpoint, {method: 'DELETE', headers: {...headers, authorization}})).status).toBe(200);
		expect(await (await answered).text()).toBe('');
		expect(seen.cancelled).toBe(1);
	});

	test('cancels both of two calls that have one id when its client ends the session', async () => {
		const {seen, endpoint, headers, answered} = await openCall();
		const twin = post(endpoint, {headers, body: callOf('mcp__files__read')});
		await vi.waitFor(() => expect(seen.asked).toBe(2));
		await fetch(endpoint, {method: 'DELETE', headers: {...headers, authorization: `Bearer ${token}`}});
		expect(seen.cancelled).toBe(2);
		expect(await Promise.all([answered, twin].map(async one => (await one).text()))).toEqual(['', '']);
	});

	test('is busy: new sessions end another one', async () => {
		const {seen, endpoint, headers} = await openCall();
		for (let count = 0; count < endpointLimits.sessions; count++) {
			await openSession(endpoint);
		}

		expect((await post(endpoint, {headers})).status).toBe(200);
		expect(seen.cancelled).toBe(0);
	});

	test('answers another call meanwhile, and what is not JSON with a refusal', async () => {
		const {endpoint, headers} = await openCall();
		expect((await post(endpoint, {headers})).status).toBe(200);
		const refused = await fetch(endpoint, {
			method: 'POST',
			headers: {...headers, ...bareHeaders},
			body: '{"jsonrpc": "2.0"',
		});
		expect([refused.status, await refused.json()]).toMatchObject([400, {error: {code: -32_700}}]);
	});
});
