import {mkdirSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {loadConfig} from '../../../source/config/read/load-config.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {problemLine} from '../../../source/util/problem.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

function prepare(
	files: {readonly config?: string; readonly env?: string},
	variables: Readonly<Record<string, string>> = {},
) {
	const paths = statePaths({root: temporaryDirectory(), profile: 'default'});
	for (const name of ['config', 'env'] as const) {
		const text = files[name];
		if (text !== undefined) {
			writeFileSync(paths[name], text);
		}
	}

	return {
		paths,
		load: async () => loadConfig({paths, environment: {variables, home: '/home/me', workingDirectory: '/work'}}),
	};
}

describe('the file', () => {
	test('that is missing is an empty configuration without problems', async () => {
		const {config, file} = await prepare({}).load();
		expect([file, config.problems, config.servers]).toEqual(['absent', [], []]);
	});

	test('that is broken is named with its path, line and column', async () => {
		const {paths, load} = prepare({config: 'agent:\n  a: [\n'});
		const {config, file} = await load();
		expect([file, config.problems.map(problem => problemLine(problem))[0]]).toEqual([
			'unusable',
			expect.stringContaining(`${paths.config}:3:1: `),
		]);
	});

	test('that cannot be read is a problem', async () => {
		const {paths, load} = prepare({});
		mkdirSync(paths.config);
		const {config, file} = await load();
		expect([file, config.problems.map(problem => problem.code)]).toEqual(['unusable', ['config_unreadable']]);
	});

	test('that is huge is a problem', async () => {
		const {config} = await prepare({config: `# ${'x'.repeat(5_000_000)}`}).load();
		expect(config.problems.map(problem => problem.message)).toEqual([expect.stringContaining('larger than 4 MB')]);
	});
});

describe('the environment', () => {
	test('WEBHOOK_PORT may stand in the .env', async () => {
		const {config} = await prepare({env: 'WEBHOOK_PORT=1234\n'}, {WEBHOOK_PORT: '99'}).load();
		expect(config.webhook.port).toBe(1234);
	});

	test('WEBHOOK_SECRET of the process fills a missing global secret', async () => {
		const {config} = await prepare({}, {WEBHOOK_SECRET: 'from-process'}).load();
		expect(config.webhook.secrets).toEqual(['${WEBHOOK_SECRET}']);
	});

	test('an empty WEBHOOK_SECRET is none', async () => {
		const {config} = await prepare({env: 'WEBHOOK_SECRET=\n'}).load();
		expect(config.webhook.secrets).toEqual([]);
	});

	test('references in the configuration stay as written', async () => {
		const {config} = await prepare({config: 'mcp_servers: {a: {command: "${A}"}}', env: 'A=value\n'}).load();
		expect(config.servers[0]?.transport).toMatchObject({command: '${A}'});
	});
});

describe('the redactor learns', () => {
	const text = `
mcp_servers:
  remote:
    url: https://h/mcp
    headers: {Authorization: "Bearer \${TOKEN}", Accept: text/plain}
    client_cert: [a.pem, b.pem, key-password]
  local: {command: x, env: {API_KEY: literal-key, MODE: harmless}}
platforms:
  webhook:
    secret: global-secret
    routes:
      served: {secret: [old-secret, new-secret]}
      refused: {secret: refused-secret, script: x.py}
`;

	test('the secrets that stand in the configuration, references resolved', async () => {
		const {secrets} = await prepare({config: text}, {TOKEN: 'abcdefgh'}).load();
		expect(secrets.values).toEqual(
			expect.arrayContaining([
				'Bearer abcdefgh',
				'abcdefgh',
				'key-password',
				'literal-key',
				'global-secret',
				'old-secret',
				'new-secret',
				'refused-secret',
			]),
		);
	});

	test('nothing harmless', async () => {
		const {secrets} = await prepare({config: text}, {PATH: '/usr/bin'}).load();
		expect(secrets.values.filter(value => /harmless|plain|usr/u.test(value))).toEqual([]);
	});
});
