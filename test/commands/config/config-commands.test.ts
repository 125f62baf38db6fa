import {statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runConfigSet} from '../../../source/commands/config/config-set.ts';
import {openSession} from '../../../source/commands/cli/session.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {readState, stateDirectory} from '../../helpers/sluice.ts';
import {openContext} from '../command-fixture.ts';

const written = `# the gateway at home
model:
  provider: openai # for now
  api_key: sk-literal-key

mcp_servers:
  # files of the project
  "a.b":
    command: npx
    args: [-y, server]
    env: {LEVEL: debug, KEY: "\${KEY}"}
    trust: untrusted
agent: {max_steps: 3}
`;

const config = (home: string) => readState(home, 'config.yaml');

function ownSession(home: string) {
	return openSession({home, demo: false, dashboard: 'never', readOnly: false, ascii: false}, '0.0.0');
}

/** Runs `config set` with a text on stdin; answers what it printed. */
async function setFromInput(home: string, key: string, input: string) {
	const {context, stdout} = openContext({arguments: [key, '-']});
	const code = await runConfigSet(context, ownSession(home), async () => input);
	return [code, stdout()];
}

describe('config get', () => {
	test.each([
		['model.provider', 'openai\n'],
		['agent', 'max_steps: 3\n'],
		['mcp_servers."a.b".args[1]', 'server\n'],
		['mcp_servers."a.b".args', '- -y\n- server\n'],
		['mcp_servers."a.b".env', 'LEVEL: ‹redacted 5 chars›\nKEY: ${KEY}\n'],
		['model.api_key', '‹redacted 14 chars›\n'],
	])('of %s prints %j', async (key, text) => {
		const {code, stdout} = await runSluice({home: stateDirectory(written)}, 'config', 'get', key);
		expect([code, stdout]).toEqual([0, text]);
	});

	test('prints all of it, as JSON too, without a secret', async () => {
		const home = stateDirectory(written);
		const all = await runSluice({home}, 'config', 'get');
		expect(all.stdout).toContain('  provider: openai\n');
		const json = await runSluice({home}, 'config', 'get', '--json');
		expect(JSON.parse(json.stdout)).toMatchObject({model: {provider: 'openai'}, agent: {max_steps: 3}});
		expect(all.stdout + json.stdout).not.toMatch(/sk-literal-key|debug/u);
	});

	test('of a key that is not there says so, and names the one that was meant', async () => {
		const {code, stderr} = await runSluice({home: stateDirectory(written)}, 'config', 'get', 'model.provder');
		expect([code, stderr]).toEqual([
			1,
			expect.stringContaining('`model.provder` is not set in config.yaml; did you mean `model.provider`?'),
		]);
	});

	test('of a state directory without config.yaml is an empty mapping', async () => {
		expect(await runSluice({home: stateDirectory()}, 'config', 'get')).toMatchObject({code: 0, stdout: '{}\n'});
	});
});

test('config path names the file of the profile, whether it is there or not', async () => {
	const home = stateDirectory();
	const {stdout} = await runSluice({home}, 'config', 'path');
	expect(stdout).toBe(`${home}/config.yaml\n`);
	const json = await runSluice({home}, 'config', 'path', '--json');
	expect(JSON.parse(json.stdout)).toEqual({path: `${home}/config.yaml`});
});

describe('config set', () => {
	test.each([
		['agent.max_steps', '50', '{max_steps: 3}', '{max_steps: 50}'],
		['model.provider', 'anthropic', 'provider: openai # for now', 'provider: anthropic # for now'],
		['mcp_servers."a.b".args[1]', 'other', '[-y, server]', '[-y, other]'],
		['mcp_servers."a.b".args.2', 'third', '[-y, server]', '[-y, server, third]'],
		['model.name', 'gpt', '  api_key: sk-literal-key\n', '  api_key: sk-literal-key\n  name: gpt\n'],
		['model.api_key', '${OPENAI_API_KEY}', 'sk-literal-key', '${OPENAI_API_KEY}'],
		['platforms', '{telegram: {home_channel: "1"}}', /$/u, 'platforms:\n  telegram:\n    home_channel: "1"\n'],
	])('of %s to %s keeps the rest of the file', async (key, value, old, fresh) => {
		const home = stateDirectory(written);
		const {code, stderr, stdout} = await runSluice({home}, 'config', 'set', key, value);
		expect([code, stdout]).toEqual([0, `Set ${key.replace('.2', '[2]')}.\n`]);
		expect(config(home).replaceAll(/\s+/gu, ' ')).toBe(written.replace(old, fresh).replaceAll(/\s+/gu, ' '));
		expect(stderr).not.toContain('error');
	});

	test.each([
		[
			'agent.max_steps',
			'many',
			'config.yaml:13:20: agent.max_steps: "many" is not allowed here. Allowed: a whole number, 1 or more',
		],
		['model.provider', 'opneai', '"opneai" is not a known provider; did you mean "openai"? Allowed: auto'],
		['modle.name', 'x', '"modle" is not a known key; did you mean "model"?'],
		['mcp_servers."a.b".command', '""', 'The server has neither `command` nor `url`'],
		['mcp_servers."a.b".cwd', 'notes', 'cwd: A relative path is not allowed here'],
		['approvals.rules', '[{action: never}]', '"never" is not a known action'],
		['platforms.webhook', '{enabled: true, routes: {a: {}}}', 'route a: No secret is set'],
	])('of %s to %s is refused as a start would report it', async (key, value, message) => {
		const home = stateDirectory(written);
		const {code, stderr} = await runSluice({home}, 'config', 'set', key, value);
		expect([code, stderr, config(home)]).toEqual([1, expect.stringContaining(message), written]);
	});

	test.each([
		['model.api_key', 'sk-typed'],
		['mcp_servers."a.b".env.TOKEN', 'typed'],
		['mcp_servers.c', '{url: "https://h", headers: {Authorization: Bearer typed}}'],
		['mcp_servers.c.url', 'https://me:typed@h/mcp'],
		['journal.url', 'postgres://me:typed@h/db'],
		['platforms.telegram.token', '12345'],
	])('of %s refuses a secret that was typed', async (key, value) => {
		const home = stateDirectory(written);
		const {code, stderr} = await runSluice({home}, 'config', 'set', key, value);
		expect([code, stderr, config(home)]).toEqual([2, expect.stringContaining('is a secret'), written]);
		expect(stderr).not.toMatch(/typed|12345/u);
	});

	test.each([
		[
			'model.api_key',
			'model:\n  provider: openai\n',
			'sk-new',
			'  api_key: ${MODEL_API_KEY}\n',
			'MODEL_API_KEY=sk-new\n',
		],
		['model.api_key', 'model:\n  api_key: ${OWN}\n', 'sk-new', '  api_key: ${OWN}\n', 'OWN=sk-new\n'],
		['platforms.webhook.secret', '', 'a b', 'secret: ${WEBHOOK_SECRET}\n', "WEBHOOK_SECRET='a b'\n"],
		['mcp_servers.s.env.API_KEY', 'mcp_servers:\n  s:\n    command: x\n', 'k', 'API_KEY: ${API_KEY}\n', 'API_KEY=k\n'],
		[
			'mcp_servers.s.headers.Authorization',
			'mcp_servers:\n  s:\n    url: https://h/\n',
			'Bearer k',
			'Authorization: Bearer ${S_HEADERS_AUTHORIZATION}\n',
			'S_HEADERS_AUTHORIZATION=k\n',
		],
	])('of %s from stdin stores the secret in .env', async (key, before, input, ...[line, env]) => {
		const home = stateDirectory(before);
		const [code, stdout] = await setFromInput(home, key, input);
		expect([code, stdout]).toEqual([0, expect.stringMatching(/^Set .+\. The secret is in \.env as \w+\.\n$/u)]);
		expect([config(home), readState(home, '.env')]).toEqual([expect.stringContaining(line), env]);
		expect(statSync(join(home, '.env')).mode & 0o777).toBe(0o600);
	});

	test('from stdin takes another name where that one has another value', async () => {
		const home = stateDirectory('model: {provider: openai}\n', 'MODEL_API_KEY=other\n');
		await setFromInput(home, 'model.api_key', 'sk-new');
		expect(config(home)).toContain('${MODEL_API_KEY_2}');
		expect(readState(home, '.env')).toBe('MODEL_API_KEY=other\nMODEL_API_KEY_2=sk-new\n');
	});

	test('from stdin takes YAML for a key that is no secret', async () => {
		const home = stateDirectory('');
		await setFromInput(home, 'agent', 'max_steps: 5\ninstructions: |\n  a\n  b\n');
		expect(config(home)).toBe('agent:\n  max_steps: 5\n  instructions: |\n    a\n    b\n');
	});

	test.each(['', 'a: b', '[a', '*b', '"a'])('to %j is refused: no YAML in one line', async value => {
		const home = stateDirectory(written);
		const {code} = await runSluice({home}, 'config', 'set', 'model.name', value);
		expect([code, config(home)]).toEqual([2, written]);
	});

	test('of the value that is there already changes nothing', async () => {
		const home = stateDirectory(written);
		const {code, stdout} = await runSluice({home}, 'config', 'set', 'agent.max_steps', '3');
		expect([code, stdout, config(home)]).toEqual([0, 'agent.max_steps already has this value.\n', written]);
	});

	test('says what takes effect at the next start', async () => {
		const {stderr} = await runSluice({home: stateDirectory('')}, 'config', 'set', 'journal.node', 'left');
		expect(stderr).toContain('`journal.node` takes effect at the next start of the gateway.');
	});
});

describe('config unset', () => {
	test.each([
		['agent.max_steps', 'agent: {max_steps: 3}', 'agent: {}'],
		['mcp_servers."a.b".args[0]', '[-y, server]', '[server]'],
		['model.api_key', '  api_key: sk-literal-key\n', ''],
	])('of %s removes it and keeps the rest', async (key, old, fresh) => {
		const home = stateDirectory(written);
		const {code, stdout} = await runSluice({home}, 'config', 'unset', key);
		expect([code, stdout, config(home)]).toEqual([0, `Removed ${key}.\n`, written.replace(old, fresh)]);
	});

	test.each([
		['model.nothing', 'is not set'],
		['mcp_servers."a.b".command', 'The server has neither `command` nor `url`'],
	])('of %s is refused: %s', async (key, message) => {
		const home = stateDirectory(written);
		const {code, stderr} = await runSluice({home}, 'config', 'unset', key);
		expect([code, stderr, config(home)]).toEqual([1, expect.stringContaining(message), written]);
	});
});

describe('under `approvals.cli: deny`', () => {
	const closed = 'approvals: {cli: deny}\nmcp_servers:\n  a: {command: x, trust: untrusted}\nmodel: {name: m}\n';

	test.each([
		['set', 'approvals.cli', 'allow'],
		['set', 'approvals', '{cli: allow}'],
		['unset', 'approvals'],
		['unset', 'approvals.cli'],
		['set', 'mcp_servers.a.trust', 'full'],
		['set', 'mcp_servers.a', '{command: x}'],
		['unset', 'mcp_servers'],
		['set', 'gateway.endpoint.host', '127.0.0.2'],
		['set', 'gateway', '{endpoint: {enabled: false}}'],
	])('config %s %s %s answers commands_denied', async (...words) => {
		const home = stateDirectory(closed);
		const {code, stderr} = await runSluice({home}, 'config', ...words);
		expect([code, stderr, config(home)]).toEqual([1, expect.stringContaining('Commands may not change'), closed]);
	});

	test('another key is set', async () => {
		const home = stateDirectory(closed);
		const {code} = await runSluice({home}, 'config', 'set', 'model.name', 'n');
		expect([code, config(home)]).toEqual([0, closed.replace('name: m', 'name: n')]);
	});
});
