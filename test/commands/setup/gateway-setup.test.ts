import {createServer} from 'node:http';
import {describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {checkModelKey} from '../../../source/commands/setup/setup-model.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {freePort} from '../../helpers/free-port.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {readState, sluice, startSluice, stateDirectory, typeSluice} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';

const [gardenProgram = ''] = garden.args;
const commented = '# the gateway at home\nplatforms:\n  webhook:\n    rate_limit: 5 # slow\n';

/** A provider that knows one key. Answers its address. */
async function openProvider(): Promise<string> {
	const server = createServer((request, response) => {
		response.statusCode = request.headers.authorization === 'Bearer good-key' ? 200 : 401;
		response.end('{}');
	});
	return listen(server, '/v1');
}

describe('sluice gateway setup', () => {
	test('asks, checks as it goes, shows the change and keeps comments', async () => {
		const home = stateDirectory(commented);
		const [provider, port] = [await openProvider(), await freePort()];
		const taken = Number(new URL(provider).port);
		const terminal = typeSluice({home}, 'gateway', 'setup');
		const answer = async (question: string | RegExp, line: string) => {
			await terminal.waitFor(question);
			terminal.press(`${line}\r`);
		};

		await answer('Receive webhooks? [Y/n]', '');
		await answer('Host [127.0.0.1]:', '');
		await answer('Port [8644]:', String(taken));
		await answer(/is in use by another program\.\s+Port \[8644\]:/, String(port));
		await answer('Global secret, stored in .env (not shown; Enter to make a random one):', '');
		await answer('Enter for none:', 'openai-compatible');
		await answer('Model:', 'small');
		await answer('Base URL of the provider:', provider);
		await answer('API key, stored in .env as MODEL_API_KEY', 'bad-key');
		await answer(/rejected that key \(401\)\.\s+API key, stored/, 'good-key');
		await answer(/The key works\.[\s\S]*deny them, or hold them for `sluice approve` \[deny\]:/, 'ask');
		await answer(/Type deny or hold\.[\s\S]*hold them/, 'hold');
		await answer('Name of a first tool server (Enter for none):', 'garden');
		await answer('Its URL, or its command', `'${process.execPath}' "${gardenProgram}"`);
		await answer('Which of them?', '1');
		await answer('Name of a first webhook route (Enter for none):', '-x');
		await answer(/must begin with a letter[\s\S]*first webhook route \(Enter for none\):$/mu, 'Pulls');
		await answer('Event types it accepts', 'opened, closed');
		await answer('Prompt of its runs', 'Look at {number}');
		await terminal.waitFor('Write it? [Y/n]');
		const screen = terminal.screen().join('\n');
		expect(screen).toMatch(/\+ {5}enabled: true[\s\S]*\+ model:[\s\S]*\.env\n\+ MODEL_API_KEY=…\n\+ WEBHOOK_SECRET=…/);
		expect(screen).not.toMatch(/good-key|bad-key/);
		expect([readState(home, 'config.yaml'), readState(home, '.env')]).toEqual([commented, '']);
		terminal.press('\r');
		await terminal.waitFor(/A random global secret is in \.env as WEBHOOK_SECRET[\s\S]*Type next:/);
		expect(await terminal.exit).toBe(0);
		const [, made = ''] = /WEBHOOK_SECRET=([\w-]{43})\n/u.exec(readState(home, '.env')) ?? [];
		expect(terminal.screen().join('')).not.toContain(made);
		const typed = /Type next:\n([\s\S]*)$/u.exec(terminal.screen().join('\n').trimEnd())?.[1] ?? '';
		expect(typed.split('\n').map(line => line.trim().replace(/ --home \S+/u, ''))).toEqual([
			'sluice doctor',
			'sluice webhook test pulls --dry-run',
			'sluice',
		]);
		expect(await runSluice({home}, 'webhook', 'test', 'pulls', '--dry-run')).toMatchObject({code: 0});
		expect(readState(home, 'config.yaml')).toMatch(/^# the gateway at home\n[\s\S]*rate_limit: 5 # slow\n/);
		expect(parse(readState(home, 'config.yaml'))).toEqual({
			platforms: {
				webhook: {
					rate_limit: 5,
					enabled: true,
					host: '127.0.0.1',
					port,
					routes: {pulls: {events: ['opened', 'closed'], prompt: 'Look at {number}', deliver: 'log'}},
				},
			},
			approvals: {unattended: 'hold'},
			model: {provider: 'openai-compatible', name: 'small', base_url: provider, api_key: '${MODEL_API_KEY}'},
			mcp_servers: {
				garden: {
					command: process.execPath,
					args: [gardenProgram],
					trust: 'untrusted',
					tools: {include: ['list_tasks']},
				},
			},
		});
		expect(readState(home, '.env')).toMatch(/^WEBHOOK_SECRET=[\w-]{43}\nMODEL_API_KEY=good-key\n$/);
	});

	test.each([
		['at the first question', [] as readonly string[]],
		['at the last one', ['n\r', '\r', '\r', '\r']],
	])('changes nothing when the person breaks off %s', async (_when, keys) => {
		const home = stateDirectory(commented);
		const terminal = typeSluice({home}, 'gateway', 'setup');
		const questions = [
			'Receive webhooks?',
			'Model for agent runs',
			'Unattended calls',
			'Name of a first tool server',
			'Write it?',
		];
		for (const [index, key] of keys.entries()) {
			await terminal.waitFor(questions[index] ?? '');
			terminal.press(key);
		}

		await terminal.waitFor(questions[keys.length] ?? '');
		terminal.press('\u0003');
		await terminal.waitFor('Nothing was changed');
		expect([await terminal.exit, readState(home, 'config.yaml'), readState(home, '.env')]).toEqual([1, commented, '']);
	});

	test('goes by flags alone, and the gateway it writes for runs', async () => {
		const home = stateDirectory();
		const server = ['--server', 'garden', '--', process.execPath, gardenProgram];
		const {code, stdout} = await sluice({home}, 'gateway', 'setup', '--yes', '--port', '0', ...server);
		expect([code, stdout]).toEqual([0, expect.stringContaining('Written.')]);
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('garden connected');
		await gateway.waitForLine(/webhooks +.*http:\/\/127\.0\.0\.1:\d+/);
	});

	test('takes the global secret that is typed, and never shows it', async () => {
		const home = stateDirectory('platforms: {webhook: {host: 0.0.0.0}}\n');
		const terminal = typeSluice({home}, 'gateway', 'setup', '--port', '0', '--provider', 'none');
		for (const [question, line] of [
			['Host [0.0.0.0]:', ''],
			['Global secret, stored in .env (not shown; Enter to make a random one):', 'INSECURE_NO_AUTH'],
			[/INSECURE_NO_AUTH is only allowed on a loopback host\.\s+Global secret/, 'typed-by-hand'],
			['Unattended calls', ''],
			['Name of a first tool server', ''],
			['Name of a first webhook route', ''],
			['Write it?', 'y'],
		] as const) {
			await terminal.waitFor(question);
			terminal.press(`${line}\r`);
		}

		expect(await terminal.exit).toBe(0);
		expect(readState(home, '.env')).toBe('WEBHOOK_SECRET=typed-by-hand\n');
		expect(terminal.screen().join('\n')).not.toContain('typed-by-hand');
	});

	test('without questions makes a secret, says where it is, and never shows it', async () => {
		const home = stateDirectory();
		const {code, stdout, stderr} = await runSluice({home}, 'gateway', 'setup', '--yes', '--port', '0');
		const [, made] = /^WEBHOOK_SECRET=([\w-]{43})\n$/u.exec(readState(home, '.env')) ?? [];
		expect([code, stdout]).toEqual([0, 'Written.\n']);
		expect(stderr).toContain('A random global secret is in .env as WEBHOOK_SECRET');
		expect(`${stdout}${stderr}`).not.toContain(made);
		expect((await runSluice({home}, 'gateway', 'setup', '--yes', '--port', '0')).stdout).toBe('Written.\n');
	});

	test.each([
		['takes the one of a flag', undefined, ['--secret', 'of-a-flag'], 'of-a-flag'],
		['keeps the one that is there', 'WEBHOOK_SECRET=kept\n', [], 'kept'],
		['replaces it by that of a flag', 'WEBHOOK_SECRET=old\n', ['--secret', 'new'], 'new'],
	])('without questions %s, and shows none', async (_what, env, flags, stored) => {
		const home = stateDirectory(undefined, env);
		const {stdout} = await runSluice({home}, 'gateway', 'setup', '--yes', '--port', '0', ...flags);
		expect([stdout, readState(home, '.env')]).toEqual(['Written.\n', `WEBHOOK_SECRET=${stored}\n`]);
	});

	test('a secret of a flag replaces the one that config.yaml has, which refers to .env then', async () => {
		const home = stateDirectory('# mine\nplatforms:\n  webhook:\n    secret: plain # old\n');
		await runSluice({home}, 'gateway', 'setup', '--yes', '--port', '0', '--secret', 'new');
		expect(readState(home, 'config.yaml')).toMatch(/^# mine\n[\s\S]*secret: \$\{WEBHOOK_SECRET\} # old\n/u);
		expect(readState(home, '.env')).toBe('WEBHOOK_SECRET=new\n');
	});

	test.each<[string, readonly string[], string]>([
		['an empty secret', ['--secret', ' '], 'A global secret cannot be empty'],
		['no check on a public host', ['--host', '0.0.0.0', '--port', '0', '--secret', 'INSECURE_NO_AUTH'], 'loopback'],
		[
			'a key that is refused',
			['--no-webhooks', '--provider', 'openai-compatible', '--model', 'm', '--api-key-env', 'MY_KEY'],
			'rejected the key in MY_KEY (401)',
		],
		['a server that does not answer', ['--no-webhooks', '--server', 'gone', '--', '/no/such/program'], 'Written'],
		['a port that is none', ['--port', '99999'], 'from 0 to 65535'],
		['a mode that is none', ['--no-webhooks', '--unattended', 'ask'], 'must be deny or hold'],
		['a route without a receiver', ['--no-webhooks', '--route', 'a'], '--route needs a receiver'],
		['a route name that is none', ['--port', '0', '--route', '-a'], 'must begin with a letter or digit'],
		['an unknown provider', ['--no-webhooks', '--provider', 'acme'], '--provider must be one of'],
	])('reports %s', async (_what, flags, report) => {
		const home = stateDirectory(undefined, 'MY_KEY=bad-key\n');
		const base = flags.includes('openai-compatible') ? ['--base-url', await openProvider()] : [];
		const {stdout, stderr} = await runSluice({home}, 'gateway', 'setup', '--yes', ...base, ...flags);
		expect(`${stdout}${stderr}`).toContain(report);
	});

	test('a model server of this machine needs no key, unless it refuses to answer without one', async () => {
		const open = createServer((_request, response) => response.end('{}'));
		const model = ['--no-webhooks', '--provider', 'openai-compatible', '--model', 'm'];
		const home = stateDirectory({model: {api_key: '${OLD}'}});
		const setUp = (url: string) => runSluice({home}, 'gateway', 'setup', '--yes', ...model, '--base-url', url);
		const url = await listen(open, '/v1');
		expect(await setUp(url)).toMatchObject({code: 0, stderr: expect.stringContaining('The model server answers.')});
		expect(parse(readState(home, 'config.yaml'))).toMatchObject({model: {name: 'm', base_url: url}});
		expect(readState(home, 'config.yaml')).not.toContain('api_key');
		expect((await setUp(await openProvider())).stderr).toContain('MODEL_API_KEY is not set yet');
		expect(parse(readState(home, 'config.yaml'))).toMatchObject({model: {api_key: '${MODEL_API_KEY}'}});
	});

	test('goes by flags for the unattended mode and the route, and ends with commands that work as printed', async () => {
		const home = stateDirectory({});
		const route = ['--route', 'alerts', '--events', 'push', '--prompt', 'Look at {ref}'];
		const {code, stderr} = await runSluice(
			{home},
			'gateway',
			'setup',
			'--yes',
			'--port',
			'0',
			'--unattended',
			'hold',
			...route,
		);
		expect([code, parse(readState(home, 'config.yaml'))]).toMatchObject([
			0,
			{
				approvals: {unattended: 'hold'},
				platforms: {webhook: {routes: {alerts: {events: ['push'], prompt: 'Look at {ref}', deliver: 'log'}}}},
			},
		]);
		const commands = /Type next:\n([\s\S]*)$/u.exec(stderr)?.[1]?.trim().split('\n') ?? [];
		expect(commands).toHaveLength(3);
		for (const command of commands.slice(0, 2)) {
			const [, ...words] = command.trim().split(' ');
			expect((await runSluice({home}, ...words)).code, command).toBe(0);
		}
	});

	test('under `cli: deny` leaves the unattended mode to config.yaml', async () => {
		const home = stateDirectory({approvals: {cli: 'deny'}});
		const setUp = (mode: string) =>
			runSluice({home}, 'gateway', 'setup', '--yes', '--no-webhooks', '--unattended', mode);
		expect(await setUp('hold')).toMatchObject({code: 1, stderr: expect.stringContaining('`approvals.cli: deny`')});
		expect(await setUp('deny')).toMatchObject({code: 0});
	});

	test('needs a terminal or a yes', async () => {
		expect(await runSluice({home: stateDirectory()}, 'gateway', 'setup')).toMatchObject({code: 2});
	});
});

test('a key is unclear where nobody answers', async () => {
	const signal = neverAborted();
	const model = {provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1', key: 'k'} as const;
	expect(await checkModelKey(model, {clock: systemClock, signal})).toMatchObject({kind: 'unclear'});
	expect(await checkModelKey({...model, baseUrl: undefined}, {clock: systemClock, signal})).toMatchObject({
		kind: 'unclear',
	});
});
