import {existsSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {addServer, enableWebhooks, setServerEnabled} from '../../../source/config/edit/edit-config.ts';
import {readConfig} from '../../../source/config/read/load-config.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const clock = createFakeClock();

function prepare(config?: string, env?: string) {
	const paths = statePaths({root: temporaryDirectory(), profile: 'default'});
	if (config !== undefined) {
		writeFileSync(paths.config, config);
	}

	if (env !== undefined) {
		writeFileSync(paths.env, env);
	}

	return {
		paths,
		config: () => readFileSync(paths.config, 'utf8'),
		env: () => (existsSync(paths.env) ? readFileSync(paths.env, 'utf8') : undefined),
	};
}

const commented = `# the gateway at home

mcp_servers:
  # files of the project
  files: {command: npx, args: [-y, "server", '\${userHome}']} # keep

  search:
    # web
    url: https://example.org/mcp # remote
    headers: {Authorization: "Bearer \${TOKEN}"}
    enabled: true # for now
    tools:
      include:
        - a
        - b # second

# the end
`;

describe('adding a server', () => {
	test('makes the file, for this user alone', async () => {
		const {paths, config} = prepare();
		await addServer({paths, clock}, {name: 'a', entry: {command: 'npx', args: ['-y', 'x']}});
		expect([config(), statSync(paths.config).mode & 0o777]).toEqual([
			'mcp_servers:\n  a:\n    command: npx\n    args:\n      - -y\n      - x\n',
			0o600,
		]);
	});

	test('leaves every comment, blank line and quote', async () => {
		const {paths, config} = prepare(commented);
		await addServer({paths, clock}, {name: 'new', entry: {url: 'https://h/mcp'}});
		expect(config()).toBe(commented.replace('\n# the end\n', '  new:\n    url: https://h/mcp\n\n# the end\n'));
	});

	test('moves a comment behind a key to a line of its own, and loses none', async () => {
		const {paths, config} = prepare('mcp_servers: # one\n  a: # two\n    command: x   # three\n# four\n');
		await addServer({paths, clock}, {name: 'b', entry: {command: 'y'}});
		expect(config().match(/# \w+/gu)).toEqual(['# one', '# two', '# three', '# four']);
	});

	test.each([
		['', 'mcp_servers:\n  a:\n    command: x\n'],
		['# only a comment\n', '# only a comment\n\nmcp_servers:\n  a:\n    command: x\n'],
		['mcp_servers:\n', 'mcp_servers:\n  a:\n    command: x\n'],
		['mcp_servers: {}\n', 'mcp_servers:\n  a:\n    command: x\n'],
		['agent: {max_steps: 3}\n', 'agent: {max_steps: 3}\nmcp_servers:\n  a:\n    command: x\n'],
		['mcp_servers: {b: {command: y}}\n', 'mcp_servers: {b: {command: y}, a: {command: x}}\n'],
	])('to %j gives %j', async (before, after) => {
		const {paths, config} = prepare(before);
		await addServer({paths, clock}, {name: 'a', entry: {command: 'x'}});
		expect(config()).toBe(after);
	});

	test('gives what is read again, whatever the texts are', async () => {
		const {paths} = prepare();
		const env = {
			A: 'yes',
			B: '0123',
			C: 'a: b # c',
			D: '${X}',
			E: '"q"',
			F: ' x ',
			G: 'l1\nl2',
			H: '',
			I: 'x'.repeat(300),
		};
		await addServer({paths, clock}, {name: 'odd: name', entry: {command: 'on', env}});
		const {config} = await readConfig(paths.config, () => undefined);
		expect(config.servers[0]).toMatchObject({name: 'odd: name', transport: {command: 'on', env}});
	});

	test.each(['files', 'sluice'])(
		'never takes the name %s, which another server or the built-in tools have',
		async name => {
			const {paths, config} = prepare(commented);
			await expect(addServer({paths, clock}, {name, entry: {command: 'evil'}})).rejects.toMatchObject({
				code: 'server_exists',
			});
			expect(config()).toBe(commented);
		},
	);

	test.each(['mcp_servers: [\n', 'mcp_servers: [1]\n', 'mcp_servers: text\n', '- a\n', 'a: 1\na: 2\n'])(
		'to %j is refused and the file stays',
		async before => {
			const {paths, config} = prepare(before);
			await expect(addServer({paths, clock}, {name: 'a', entry: {command: 'x'}})).rejects.toMatchObject({
				name: 'Problem',
			});
			expect(config()).toBe(before);
		},
	);
});

describe('switching a server', () => {
	test('off leaves the comment beside the switch', async () => {
		const {paths, config} = prepare(commented);
		await setServerEnabled({paths, clock}, 'search', false);
		expect(config()).toBe(commented.replace('enabled: true # for now', 'enabled: false # for now'));
	});

	test('off adds the key where it is missing', async () => {
		const {paths, config} = prepare(commented);
		await setServerEnabled({paths, clock}, 'files', false);
		expect(config()).toContain(`files: {command: npx, args: [-y, "server", '\${userHome}'], enabled: false} # keep`);
	});

	test('that is not there is a problem', async () => {
		const {paths} = prepare(commented);
		await expect(setServerEnabled({paths, clock}, 'nobody', true)).rejects.toMatchObject({code: 'unknown_server'});
	});
});

describe('turning webhooks on', () => {
	test('writes the switch and a fresh secret', async () => {
		const {paths, config, env} = prepare();
		await enableWebhooks({paths, clock});
		expect([config(), env()]).toEqual([
			'platforms:\n  webhook:\n    enabled: true\n',
			expect.stringMatching(/^WEBHOOK_SECRET=[\w-]{43}\n$/u),
		]);
	});

	test('the .env is for this user alone', async () => {
		const {paths} = prepare(undefined, 'A=1\n');
		await enableWebhooks({paths, clock});
		expect(statSync(paths.env).mode & 0o777).toBe(0o600);
	});

	test('leaves the other variables of .env', async () => {
		const {paths, env} = prepare(undefined, '# mine\nA=1');
		await enableWebhooks({paths, clock});
		expect(env()).toMatch(/^# mine\nA=1\nWEBHOOK_SECRET=[\w-]{43}\n$/u);
	});

	test.each([
		['.env', undefined, 'WEBHOOK_SECRET=mine\n'],
		['the platform', 'platforms: {webhook: {secret: mine}}\n', undefined],
		['extra', 'platforms: {webhook: {extra: {secret: [mine]}}}\n', undefined],
	])('keeps a secret of %s', async (_name, config, before) => {
		const {paths, env} = prepare(config, before);
		await enableWebhooks({paths, clock});
		expect(env()).toBe(before);
	});

	test('an empty secret is none', async () => {
		const {paths, env} = prepare('platforms: {webhook: {secret: ""}}\n', 'WEBHOOK_SECRET=\n');
		await enableWebhooks({paths, clock});
		expect(env()).toMatch(/^WEBHOOK_SECRET=[\w-]{43}\n$/u);
	});

	test('twice leaves the first secret', async () => {
		const {paths, env} = prepare();
		await enableWebhooks({paths, clock});
		const first = env();
		await enableWebhooks({paths, clock});
		expect(env()).toBe(first);
	});

	test('a broken configuration is left alone and no secret is written', async () => {
		const {paths, env} = prepare('a: [\n');
		await expect(enableWebhooks({paths, clock})).rejects.toMatchObject({code: 'config_syntax'});
		expect(env()).toBeUndefined();
	});
});

test('an edit through a link changes the file behind it', async () => {
	const {paths} = prepare();
	const real = join(temporaryDirectory(), 'real.yaml');
	writeFileSync(real, '# real\n');
	symlinkSync(real, paths.config);
	await addServer({paths, clock}, {name: 'a', entry: {command: 'x'}});
	expect(readFileSync(real, 'utf8')).toContain('# real');
});
