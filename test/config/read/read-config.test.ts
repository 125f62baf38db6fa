import {describe, expect, test} from 'vitest';
import {type ConfigReading, readConfigText} from '../../../source/config/read/load-config.ts';
import {problemLine} from '../../../source/util/problem.ts';

const nothingSet = () => undefined;

function read(text: string): ConfigReading {
	return readConfigText('config.yaml', text, nothingSet);
}

function lines(text: string): string[] {
	return read(text).config.problems.map(problem => `${problem.level} ${problem.code} ${problemLine(problem)}`);
}

describe('a problem names file, line, column, key path, what was found and what is allowed', () => {
	test.each([
		[
			'a list that is not closed',
			'mcp_servers:\n  a:\n    args: [1\n    url: x\n',
			['error config_syntax config.yaml:4:5: A ] is missing above, or a line inside the brackets is not indented'],
		],
		[
			'a tab',
			'mcp_servers:\n\ta: 1\n',
			['error config_syntax config.yaml:2:1: The line is indented with a tab. Use spaces'],
		],
		[
			'a key twice',
			'agent: {}\nagent: {}\n',
			['error config_syntax config.yaml:2:1: The key "agent" is in this mapping twice. Remove one of them'],
		],
		[
			'an unknown alias',
			'agent: *nobody\n',
			['error config_syntax config.yaml:1:1: An alias cannot be resolved, or values are nested too deeply'],
		],
		[
			'a value inside itself',
			'agent: &a {b: *a}\n',
			['error config_syntax config.yaml:1:1: Values are nested too deeply, or contain themselves'],
		],
		[
			'a list at the root',
			'- a\n',
			[
				'error config_invalid config.yaml:1:1: A list is not allowed here. Allowed: a mapping with mcp_servers, platforms, model, vision_model, search, agent, limits, approvals, platform_toolsets, journal, metrics, gateway',
			],
		],
		[
			'an unknown key of the root',
			'mcp_server:\n  a: {command: x}\n',
			[
				'warning config_unknown_key config.yaml:1:1: mcp_server: "mcp_server" is not a known key; did you mean "mcp_servers"?',
			],
		],
		[
			'an unknown key of a server',
			'mcp_servers:\n  a:\n    command: x\n    tiemout: 5\n',
			[
				'warning config_unknown_key config.yaml:4:5: mcp_servers.a.tiemout: "tiemout" is not a known key; did you mean "timeout"?',
			],
		],
		[
			'an unknown key that resembles nothing',
			'zebra: 1\n',
			['warning config_unknown_key config.yaml:1:1: zebra: "zebra" is not a known key'],
		],
		[
			'a wrong type',
			'mcp_servers:\n  a:\n    command: [x]\n',
			[
				'error config_invalid config.yaml:3:14: mcp_servers.a.command: A list is not allowed here. Allowed: a program name or path',
			],
		],
		[
			'a number that is none',
			'agent:\n  max_concurrent_runs: many\n',
			[
				'warning config_invalid config.yaml:2:24: agent.max_concurrent_runs: "many" is not allowed here. Allowed: a whole number, 1 or more. Using 4',
			],
		],
		[
			'an unknown choice',
			'approvals: {unattended: ask}\n',
			['error config_invalid config.yaml:1:25: approvals.unattended: "ask" is not a known value. Allowed: deny, hold'],
		],
		[
			'a section that is no mapping',
			'journal: 5\n',
			[
				'error config_invalid config.yaml:1:10: journal: A number is not allowed here. Allowed: a mapping with max_age_days, max_bytes, url, schema, pool, node, lease, patience, unplaced',
			],
		],
	])('%s', (_name, text, expected) => {
		expect(lines(text)).toEqual(expected);
	});

	test('problems come in the order of the file', () => {
		const text = 'zebra: 1\nmcp_servers:\n  a: {command: x, timeout: soon}\nplatforms: 5\n';
		expect(read(text).config.problems.map(problem => problem.place?.line)).toEqual([1, 3, 4]);
	});

	test.each([
		'a: ]hunter2hunter2\n',
		'a: |hunter2hunter2\n x\n',
		'a: !hunter2hunter2 x\n',
		'a: !<hunter2hunter2> x\n',
		'a: *hunter2hunter2\n',
		'a: "x" hunter2hunter2\n',
		'%YAML hunter2hunter2\n---\n{}',
		'<<: hunter2hunter2\n',
	])('a syntax error does not quote %j', text => {
		expect(lines(text).join()).toMatch(/^(?!.*hunter2).*config_syntax/u);
	});

	test('a wrong value at a key of secrets is not quoted', () => {
		expect(lines('platforms: {webhook: {secret: 4242424242}}\n').join()).not.toContain('4242');
	});

	test('an endless list of mistakes gives a bounded list of problems', () => {
		const text = Array.from({length: 2000}, (_, index) => `zebra${index}: 1\n`).join('');
		expect(read(text).config.problems).toHaveLength(500);
	});
});

describe('an unusable part stops no other', () => {
	const text = [
		'mcp_servers:',
		'  good: {command: x}',
		'  bad: {command: 5}',
		'  nothing:',
		'  also_good: {url: "http://127.0.0.1/mcp"}',
		'platforms: [1]',
	].join('\n');

	test('servers in the order of the file', () => {
		expect(read(text).config.servers.map(server => server.name)).toEqual(['good', 'also_good']);
	});

	test('a broken server keeps its name and its problem', () => {
		const [broken] = read(text).config.brokenServers;
		expect([broken?.name, broken?.problem.scope, broken?.problem.place?.line]).toEqual([
			'bad',
			{kind: 'server', name: 'bad'},
			3,
		]);
	});

	test.each(['"a\\e[2J"', '"a\\x9Bb"', '"a\\u202Eb"', '""'])(
		'a server named %s is broken, and nothing of it hides',
		name => {
			const {config} = read(`mcp_servers: {${name}: {command: x}, good: {command: x}}`);
			expect([config.servers.map(server => server.name), config.brokenServers]).toMatchObject([
				['good'],
				[
					{
						name: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u),
						problem: {message: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u)},
					},
				],
			]);
		},
	);

	test('a server with the name of the built-in tools is broken, because rules for those would hold for it', () => {
		const {config} = read('mcp_servers: {sluice: {command: x}, Sluice: {command: x}, good: {command: x}}');
		expect([config.servers.map(server => server.name), config.brokenServers]).toMatchObject([
			['Sluice', 'good'],
			[{name: 'sluice', problem: {code: 'config_invalid', remedy: 'Rename the server'}}],
		]);
	});

	test('an entry without a value is absent, with a warning', () => {
		expect(lines(text)).toContain(
			'warning config_invalid config.yaml:4:11: mcp_servers.nothing: The server is empty and is ignored. Give it a `command` or a `url`, or remove it',
		);
	});

	test.each(['mcp_servers: 5', 'mcp_servers: [a]', 'mcp_servers: text', 'mcp_servers:'])(
		'%s is absent, with a warning',
		text => {
			const {config} = read(text);
			expect([config.servers, config.brokenServers, config.problems.map(problem => problem.level)]).toEqual([
				[],
				[],
				['warning'],
			]);
		},
	);
});

describe('the file as a whole', () => {
	test.each(['', '# nothing but a comment\n', '{}', '---\n', '\uFEFF{}'])(
		'%j is an empty configuration without problems',
		text => {
			expect(read(text)).toMatchObject({file: 'read', config: {servers: [], problems: [], webhook: {enabled: false}}});
		},
	);

	test('the defaults of an empty configuration', () => {
		const {approvals, agent, model, visionModel, search, toolsets, journal} = read('').config;
		expect([approvals, agent, model, visionModel, search, toolsets, journal]).toEqual([
			{
				timeoutSeconds: 300,
				unattended: 'deny',
				commandLine: 'allow',
				remote: {delaySeconds: 20, timeoutSeconds: 900, channels: []},
			},
			{maxSteps: 30, modelTimeoutSeconds: 300, maxConcurrentRuns: 4, maxQueuedRuns: 10_000, maxWaitingRuns: 100},
			{provider: 'auto'},
			undefined,
			{},
			{webhook: ['web_search', 'web_extract', 'vision_analyze', 'clarify']},
			{
				maxAgeDays: 30,
				maxBytes: 1_073_741_824,
				leaseMilliseconds: 15_000,
				patienceMilliseconds: 600_000,
				unplacedMilliseconds: 300_000,
			},
		]);
	});

	test('journal.lease is a whole number of milliseconds, as a database has times', () => {
		expect(read('journal: {lease: 2.3456}').config.journal.leaseMilliseconds).toBe(2346);
	});

	test.each([
		['allow', 'allow'],
		['deny', 'deny'],
		['maybe', 'deny'],
		['[]', 'deny'],
		['null', 'allow'],
	])('approvals.cli: %s is read as %s: what cannot be read allows nothing', (written, commandLine) => {
		expect(read(`approvals: {cli: ${written}}`).config.approvals).toMatchObject({commandLine});
	});

	test('what agent runs go by is read', () => {
		const text = `
model: {provider: anthropic, name: big, base_url: http://h/v1, api_key: '\${KEY}'}
vision_model: {provider: openai}
search: {provider: searxng, url: http://127.0.0.1:8888}
agent: {max_steps: 3, instructions: Be short.}
platform_toolsets: {webhook: [clarify, files]}
`;
		const {model, visionModel, search, agent, toolsets, problems} = read(text).config;
		expect([model, visionModel, search, agent, toolsets, problems]).toMatchObject([
			{provider: 'anthropic', name: 'big', baseUrl: 'http://h/v1', apiKey: '${KEY}'},
			{provider: 'openai'},
			{provider: 'searxng', url: 'http://127.0.0.1:8888'},
			{maxSteps: 3, instructions: 'Be short.'},
			{webhook: ['clarify', 'files']},
			[],
		]);
	});

	test('a model that cannot be understood is none: another one might cost money', () => {
		const {model, problems} = read('model: {provider: antropic}\n').config;
		expect([model, problems.map(problem => problem.level)]).toEqual([{provider: 'none'}, ['error']]);
	});

	test('a file that is no YAML is unusable and leaves the defaults', () => {
		expect(read('a: [')).toMatchObject({file: 'unusable', config: {servers: [], agent: {maxConcurrentRuns: 4}}});
	});

	test('anchors and merge keys are understood', () => {
		const text = 'mcp_servers:\n  a: &base {command: x, timeout: 7}\n  b:\n    <<: *base\n    command: y\n';
		expect(read(text).config.servers.map(server => server.timeoutSeconds)).toEqual([7, 7]);
	});

	test('an unknown tag is a warning', () => {
		expect(lines('agent: !secret {}\n')).toEqual([
			'warning config_syntax config.yaml:1:8: The tag is not known. Put a text that begins with ! in quotes',
		]);
	});

	test('names of inherited members are names like any other', () => {
		const text = 'mcp_servers: {__proto__: {command: x}, constructor: {command: y}}\n__proto__: {agent: 1}\n';
		expect(read(text).config.servers.map(server => server.name)).toEqual(['__proto__', 'constructor']);
	});
});

describe('sections that are left empty or switched off', () => {
	test.each([
		'model: {provider: none}',
		'model: {}',
		'model:',
		'metrics: {enabled: false}',
		'metrics: {token: x}',
		'gateway: {multiplex_profiles: off, endpoint: {enabled: no}}',
		'platforms: {telegram: {enabled: false, token: x}}',
	])('%s is no reason to complain', text => {
		expect(lines(text)).toEqual([]);
	});
});
