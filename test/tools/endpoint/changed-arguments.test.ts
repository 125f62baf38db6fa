import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test} from 'vitest';
import {serveStream} from '../../../source/tools/endpoint/serve-stream.ts';
import {handshake, openEndpoint, post} from './endpoint-fixture.ts';

const name = 'mcp__files__read';
const envelope = {
	'io.modelcontextprotocol/protocolVersion': '2026-07-28',
	'io.modelcontextprotocol/clientInfo': {name: 'bare', version: '1.0.0'},
	'io.modelcontextprotocol/clientCapabilities': {},
};

/** Arguments that would not be what the client wrote once they are read, and such that are. */
const changed = [
	'{"n": 9007199254740993}',
	'{"n": -9007199254740993}',
	'{"n": 1E400}',
	'{"n": [{"deep": 12345678901234567890}]}',
	'{"path": "/a", "path": "/b"}',
	'{"path": "/a", "p\\u0061th": "/a"}',
	'{"o": {"x": 1, "x": 1}}',
	'{"__proto__": {"x": 1}, "path": "/a"}',
	'{"o": [{"\\u005f_proto__": 1}]}',
];
const kept = [
	['{"n": 9007199254740992}', '{"n":9007199254740992}'],
	['{"n": [9007199254740994, 1152921504606847000]}', '{"n":[9007199254740994,1152921504606847000]}'],
	['{"n": [1.0, 1e2, 0.1, 5e-324]}', '{"n":[1,100,0.1,5e-324]}'],
	['{"n": "9007199254740993", "o": {"n": 1}}', '{"n":"9007199254740993","o":{"n":1}}'],
] as const;

function callText(args: string, more: object): string {
	const params = {name, arguments: 'HERE', ...more};
	return JSON.stringify({jsonrpc: '2.0', id: 5, method: 'tools/call', params}).replace('"HERE"', () => args);
}

type Fixture = Awaited<ReturnType<typeof openEndpoint>>;
type Ask = (args: string) => Promise<string>;

async function overHttp({endpoint}: Fixture, era: Era, way: object): Promise<Ask> {
	const session = era === 'older' ? await post(endpoint, {body: handshake}) : undefined;
	await session?.text();
	const headers: Record<string, string> = session
		? {'mcp-session-id': session.headers.get('mcp-session-id') ?? ''}
		: {'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name};
	const meta = era === 'older' ? way : {_meta: envelope, ...way};
	return async args => (await post(endpoint, {headers, text: callText(args, meta)})).text();
}

async function overStream({tools}: Fixture, era: Era): Promise<Ask> {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const controller = new AbortController();
	const served = serveStream(tools, {input, output}, {signal: controller.signal, report: () => undefined});
	onTestFinished(async () => {
		controller.abort();
		await served;
	});
	const lines = createInterface({input: output});
	const ask = async (text: string) => {
		const answered = once(lines, 'line');
		// In two pieces, as a pipe may cut it.
		input.write(text.slice(0, 60));
		input.write(`${text.slice(60)}\n`);
		return String((await answered)[0]);
	};
	if (era === 'older') {
		await ask(JSON.stringify(handshake));
	}

	return args => ask(callText(args, era === 'older' ? {} : {_meta: envelope}));
}

type Era = 'older' | 'newer';

describe.each<[way: string, open: (fixture: Fixture) => Promise<Ask>]>([
	['the short way of the older era', fixture => overHttp(fixture, 'older', {})],
	['the short way of the newer era', fixture => overHttp(fixture, 'newer', {})],
	['the SDK in the older era', fixture => overHttp(fixture, 'older', {extra: true})],
	['the SDK in the newer era', fixture => overHttp(fixture, 'newer', {extra: true})],
	['streams in the older era', fixture => overStream(fixture, 'older')],
	['streams in the newer era', fixture => overStream(fixture, 'newer')],
])('over %s', (_, open) => {
	test('arguments that would be changed are refused, and nothing is sent', async () => {
		const fixture = await openEndpoint();
		const ask = await open(fixture);
		for (const args of changed) {
			expect([args, await ask(args)]).toEqual([
				args,
				expect.stringContaining(String.raw`\"code\":\"invalid_arguments\"`),
			]);
		}

		expect(fixture.requests).toEqual([]);
		expect(fixture.refused.length).toBe(changed.length);
		expect(fixture.refused.every(([call, end]) => end.code === 'invalid_arguments' && call.tool === 'read')).toBe(true);
	});

	test('other spellings of the same values pass', async () => {
		const fixture = await openEndpoint();
		const ask = await open(fixture);
		for (const [args] of kept) {
			expect(await ask(args)).toContain('done');
		}

		const sent = fixture.requests.map(request => JSON.stringify('arguments' in request ? request.arguments : request));
		expect(sent).toEqual(kept.map(([, text]) => text));
	});
});

test('one changed call of a batch of the older era is refused, and the others are answered', async () => {
	const fixture = await openEndpoint();
	const session = await post(fixture.endpoint, {
		body: {...handshake, params: {...handshake.params, protocolVersion: '2025-03-26'}},
	});
	await session.text();
	const headers = {'mcp-session-id': session.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-03-26'};
	const batch = [
		'{"n": 1E400}',
		'{"n": 1, "s": "],["}',
		'{"n": 1, "n": 2}',
		'{"n": 9007199254740993}',
		'{"__proto__": 1}',
		'{"n": [2]}',
	];
	const calls = batch.map((args, id) => callText(args, {}).replace('"id":5', `"id":${id}`));
	const ping = '{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":{"n":1,"n":2}}}';
	const answered = await (await post(fixture.endpoint, {headers, text: `[${[...calls, ping].join(', ')}]`})).text();
	const answers = answered.split('\n').flatMap(line => (line.startsWith('data: ') ? [line] : []));
	expect(answers).toHaveLength(7);
	for (const id of batch.keys()) {
		const own = answers.find(line => line.includes(`"id":${id}`));
		expect([id, own?.includes('invalid_arguments')]).toEqual([id, id !== 1 && id !== 5]);
	}

	const sent = fixture.requests.map(request => JSON.stringify('arguments' in request ? request.arguments : request));
	expect(sent.toSorted()).toEqual(['{"n":1,"s":"],["}', '{"n":[2]}']);
});
