import {describe, expect, test} from 'vitest';
import {parse, remote, server} from '../parsed-server.ts';

const switches: ReadonlyArray<readonly [unknown, boolean]> = [
	[true, true],
	['true', true],
	['YES', true],
	['On', true],
	[1, true],
	['1', true],
	[' yes ', true],
	[false, false],
	['false', false],
	['No', false],
	['OFF', false],
	[0, false],
	['0', false],
];

describe('defaults', () => {
	test('of a stdio server', () => {
		expect(server({})).toEqual({
			name: 'one',
			transport: {kind: 'stdio', command: 'x', args: [], env: {}},
			enabled: true,
			timeoutSeconds: 300,
			connectTimeoutSeconds: 60,
			protocol: 'auto',
			start: 'eager',
			calls: 'serial',
			tools: {include: undefined, exclude: [], resources: true, prompts: true},
			trust: 'full',
			elicitation: {timeoutSeconds: 300, pages: 'declined'},
			sampling: {
				maximumTokens: 4096,
				timeoutSeconds: 30,
				requestsPerMinute: 10,
				maximumToolRounds: 5,
				allowedModels: [],
			},
		});
	});

	test('of a remote server', () => {
		expect(remote({})).toEqual({
			kind: 'http',
			url: 'http://127.0.0.1/mcp',
			headers: {},
			tls: {verification: {kind: 'system'}, clientCertificate: undefined},
			preflight: 'probe',
		});
	});

	test('stand for keys without a value, without a word', () => {
		const entry = {command: 'x', args: null, env: null, timeout: null, enabled: null, tools: null, protocol: null};
		expect([parse(entry).problems, server(entry)]).toEqual([[], server({})]);
	});
});

describe('switches', () => {
	test.each(switches)('enabled: %j means %j', (written, expected) => {
		expect(server({enabled: written}).enabled).toBe(expected);
	});

	test.each(switches)('supports_parallel_tool_calls: %j means %j', (written, expected) => {
		expect(server({supports_parallel_tool_calls: written}).calls).toBe(expected ? 'parallel' : 'serial');
	});

	test.each(switches)('skip_preflight: %j means %j', (written, expected) => {
		expect(remote({skip_preflight: written}).preflight).toBe(expected ? 'skip' : 'probe');
	});

	test.each(switches)('lazy: %j means %j', (written, expected) => {
		expect(server({lazy: written}).start).toBe(expected ? 'lazy' : 'eager');
	});

	test.each(switches)('tools.resources and tools.prompts: %j means %j', (written, expected) => {
		expect(server({tools: {resources: written, prompts: written}}).tools).toMatchObject({
			resources: expected,
			prompts: expected,
		});
	});

	test.each(['maybe', 2, -1, [], {}, ''])('enabled: %j is the default, with a warning', written => {
		const {parsed, problems} = parse({command: 'x', enabled: written});
		expect([parsed.kind === 'server' && parsed.server.enabled, problems]).toEqual([
			true,
			[
				expect.stringMatching(
					/^warning: entry: enabled: .+ is not allowed here\. Allowed: true or false\. Using true$/u,
				),
			],
		]);
	});
});

describe('numbers', () => {
	test.each([
		[5, 5],
		[0.5, 0.5],
		['7', 7],
		[' 7.5 ', 7.5],
	])('timeout: %j is %j seconds', (written, expected) => {
		expect(server({timeout: written}).timeoutSeconds).toBe(expected);
	});

	test.each([
		Number.NaN,
		Number.POSITIVE_INFINITY,
		-1,
		0,
		'-1',
		'NaN',
		'Infinity',
		'soon',
		'5s',
		'1e3',
		'',
		true,
		[5],
		{},
	])('timeout: %j is the default, with a warning', written => {
		const {parsed, problems} = parse({command: 'x', timeout: written});
		expect([parsed.kind === 'server' && parsed.server.timeoutSeconds, problems]).toEqual([
			300,
			[
				expect.stringMatching(
					/^warning: entry: timeout: .+ is not allowed here\. Allowed: a number of seconds, .+\. Using 300$/u,
				),
			],
		]);
	});

	test('connect_timeout has its own default', () => {
		expect(server({connect_timeout: 'soon'}).connectTimeoutSeconds).toBe(60);
	});
});

describe('arguments', () => {
	test.each([
		[null, []],
		['one', ['one']],
		[5, ['5']],
		[false, ['false']],
		[[], []],
		[
			['a', 1, true, null, {b: 1}, [2]],
			['a', '1', 'true', 'null', '{"b":1}', '[2]'],
		],
	])('args: %j', (written, expected) => {
		expect(server({args: written}).transport).toMatchObject({args: expected});
	});

	test('a mapping is an error of the server', () => {
		expect(parse({command: 'x', args: {a: 1}}).problems).toEqual([
			'error: entry: args: A mapping is not allowed here. Allowed: a list',
		]);
	});
});

describe('mappings of texts', () => {
	test('scalars of env are texts', () => {
		expect(server({env: {PORT: 80, DEBUG: true, A: '${B}'}}).transport).toMatchObject({
			env: {PORT: '80', DEBUG: 'true', A: '${B}'},
		});
	});

	test('a member without a value is left out, with a warning', () => {
		const entry = {command: 'x', env: {A: null, B: 'b'}};
		expect([parse(entry).problems, server(entry).transport]).toEqual([
			['warning: entry: env.A: The key has no value and is ignored'],
			{kind: 'stdio', command: 'x', args: [], env: {B: 'b'}},
		]);
	});

	test('a list among headers is an error that does not show the value', () => {
		expect(parse({url: 'http://h/', headers: {Authorization: ['hunter2']}}).problems).toEqual([
			'error: entry: headers.Authorization: A list is not allowed here. Allowed: text',
		]);
	});
});

describe('tools', () => {
	test.each([
		[undefined, undefined],
		[null, undefined],
		['one', ['one']],
		[
			['a', 'b*'],
			['a', 'b*'],
		],
		[[], []],
		[[1, null], ['1']],
	])('include: %j', (written, expected) => {
		expect(server({tools: {include: written}}).tools.include).toEqual(expected);
	});

	test.each([
		[undefined, []],
		['one', ['one']],
		[['a'], ['a']],
	])('exclude: %j', (written, expected) => {
		expect(server({tools: {exclude: written}}).tools.exclude).toEqual(expected);
	});

	test.each([{tools: []}, {tools: 'x'}, {tools: {include: {a: 1}}}])(
		'%j is an error: a filter is never guessed',
		entry => {
			expect(parse({command: 'x', ...entry}).parsed.kind).toBe('broken');
		},
	);
});

describe('trust and protocol', () => {
	test.each([
		[undefined, 'full', 0],
		['full', 'full', 0],
		['untrusted', 'untrusted', 0],
		['Full', 'untrusted', 1],
		['trusted', 'untrusted', 1],
		['', 'untrusted', 1],
		[true, 'untrusted', 1],
		[null, 'untrusted', 1],
	])('trust: %j is %s', (written, expected, warnings) => {
		const {parsed, problems} = parse({command: 'x', trust: written});
		expect([parsed.kind === 'server' && parsed.server.trust, problems.length]).toEqual([expected, warnings]);
	});

	test.each([
		['stateless', 'stateless', 0],
		['legacy', 'legacy', 0],
		['auto', 'auto', 0],
		['modern', 'auto', 1],
		[5, 'auto', 1],
	])('protocol: %j is %s', (written, expected, warnings) => {
		const {parsed, problems} = parse({command: 'x', protocol: written});
		expect([parsed.kind === 'server' && parsed.server.protocol, problems.length]).toEqual([expected, warnings]);
	});
});

describe('what a server may ask for', () => {
	test.each([
		[{timeout: '20'}, {timeoutSeconds: 20, pages: 'declined'}],
		[{url: true}, {timeoutSeconds: 300, pages: 'asked'}],
		[{url: 'no'}, {timeoutSeconds: 300, pages: 'declined'}],
	])('elicitation: %j is read as %j', (written, read) => {
		expect(server({elicitation: written}).elicitation).toEqual(read);
	});

	test('sampling: every key is taken over', () => {
		const sampling = {
			model: 'small',
			max_tokens_cap: 100,
			timeout: 5,
			max_rpm: 0,
			max_tool_rounds: 1,
			allowed_models: ['small', 'big'],
		};
		expect(server({sampling}).sampling).toEqual({
			model: 'small',
			maximumTokens: 100,
			timeoutSeconds: 5,
			requestsPerMinute: 0,
			maximumToolRounds: 1,
			allowedModels: ['small', 'big'],
		});
	});

	test.each(['elicitation', 'sampling'] as const)('%s: nothing when it is switched off', key => {
		expect(server({[key]: {enabled: 'no'}})[key]).toBeUndefined();
	});

	test('a number that is none falls back to its default, with a warning', () => {
		expect(server({sampling: {max_rpm: 'many'}}).sampling?.requestsPerMinute).toBe(10);
		expect(parse({command: 'x', sampling: {max_rpm: 'many'}}).problems).toHaveLength(1);
	});
});
