import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {readState, sluice, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';
import {listeningAt, post, webhookPlatform} from './sender.ts';

test.each([['list'], ['tools'], ['call', 'mcp__a__b']])(
	'mcp %s says that the configuration is broken',
	async (...words) => {
		const home = stateDirectory('mcp_servers: [oh');
		const {code, stdout, stderr} = await runSluice({home}, 'mcp', ...words);
		expect([code, stdout]).toEqual([1, '']);
		expect(stderr).toMatch(/config\.yaml:1:17: /);
	},
);

test('a server may ask the configured model here too', async () => {
	const asking = {command: process.execPath, args: fixtureArguments('mcp-asking.ts', 'legacy'), trust: 'full'};
	const model = {provider: 'anthropic', api_key: 'never sent', name: 'model-1'};
	const home = stateDirectory({mcp_servers: {asking}, model});
	const {stdout} = await runSluice({home}, 'mcp', 'call', 'mcp__asking__capabilities');
	expect(stdout).toContain('sampling');
});

test('a warning about the configuration goes to stderr and leaves the answer on stdout alone', async () => {
	const home = stateDirectory({mcp_server: {}});
	const {code, stdout, stderr} = await sluice({home}, 'mcp', 'list', '--json');
	expect([code, stdout]).toEqual([0, '[]\n']);
	expect(stderr).toMatch(/did you mean "?mcp_servers/);
});

test('mcp remove removes nothing with a flag that says no, however it is written', async () => {
	const home = stateDirectory({mcp_servers: {files: {command: 'true'}}});
	for (const flag of ['--yes=no', '--yes=off', '--yes=0', '--no-yes']) {
		const {code} = await runSluice({home}, 'mcp', 'remove', 'files', flag);
		expect([flag, code, readState(home, 'config.yaml')]).toEqual([flag, 2, expect.stringContaining('files')]);
	}

	// The same line with a yes does.
	expect((await runSluice({home}, 'mcp', 'remove', 'files', '--yes=on')).code).toBe(0);
	expect(readState(home, 'config.yaml')).not.toContain('files');
});

test.each([
	['a flag that is given twice', ['mcp', 'tools', '--args', 'a', '--args', 'b'], /--args can only be given once/],
	['a flag nobody knows', ['mcp', 'list', '--jsn'], /did you mean --json/],
	['a profile that is not there', ['--profile', 'typo', 'mcp', 'list'], /no profile "typo"/],
	['a state directory without a name', ['--home', '', 'mcp', 'list'], /need a value/],
	['the demo beside another command', ['--demo', 'mcp', 'list'], /--demo/],
	['a switch with a value that is neither yes nor no', ['mcp', 'list', '--json=jsno'], /--json cannot be "jsno"/],
	['a switch that is on and off', ['mcp', 'remove', 'x', '--yes', '--no-yes'], /--yes and --no-yes exclude each other/],
	['a command nobody knows', ['mcp', 'lst'], /did you mean "sluice mcp list"/],
])('%s is refused in one line with exit code 2', async (_name, words, expected) => {
	const {code, stdout, stderr} = await runSluice({home: stateDirectory()}, ...words);
	expect([code, stdout]).toEqual([2, '']);
	expect(stderr).toMatch(expected);
});

describe('a call', () => {
	test('to a server that needs a login says so, with the command for this profile', async () => {
		const {url} = await startProtectedServer({
			authorizationServers: () => ['http://127.0.0.1:9'],
			isValid: () => false,
		});
		const home = stateDirectory();
		mkdirSync(join(home, 'profiles', 'work'), {recursive: true, mode: 0o700});
		const servers = {x: {url, auth: 'oauth'}, off: {command: 'x', enabled: false}};
		writeFileSync(join(home, 'profiles', 'work', 'config.yaml'), JSON.stringify({mcp_servers: servers}));
		const call = (name: string) => runSluice({home}, '--profile', 'work', 'mcp', 'call', name, '--json');
		const {code, stdout} = await call('mcp__x__anything');
		expect([code, JSON.parse(stdout)]).toEqual([
			1,
			{
				error: {
					code: 'login_required',
					message: expect.stringMatching(/run `sluice --profile work mcp login x`$/u),
					server: 'x',
					needs_reauth: true,
				},
			},
		]);
		expect(JSON.parse((await call('mcp__off__anything')).stdout)).toMatchObject({
			error: {
				code: 'server_unavailable',
				message: 'The tool server is disabled; `sluice --profile work mcp enable off` enables it',
			},
		});
	});

	test('of a name that is not quite one says which was probably meant', async () => {
		const plain = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'full'};
		const home = stateDirectory({mcp_servers: {plain}});
		const {stdout} = await runSluice({home}, 'mcp', 'tools', '--json');
		const [{name}] = JSON.parse(stdout);
		const {code, stderr} = await runSluice({home}, 'mcp', 'call', `${name}s`);
		expect([code, stderr]).toEqual([1, expect.stringContaining(`did you mean "${name}"?`)]);
		const unknown = await runSluice({home}, 'mcp', 'call', 'nothing_alike');
		expect(unknown.stderr).toContain('see `sluice mcp tools`');
	});
});

test('an event is named by what the list shows of its id, with a gateway and without one', async () => {
	const at = {home: stateDirectory(webhookPlatform({issues: {prompt: 'Look', events: ['ping']}}))};
	const gateway = startSluice(at, 'gateway', 'run', '--log', 'json');
	const base = await listeningAt(gateway);
	for (const id of ['first', 'second']) {
		await post(base, {id, event: 'ping', payload: {}});
	}

	const events = (await runSluiceJson(at, 'events', 'list')) as ReadonlyArray<{readonly id: string}>;
	const [second = '', first = ''] = events.map(({id}) => id);
	const end = first.slice(-8);
	const both = first.slice(0, 6);
	const use = async () => {
		expect((await runSluice(at, 'events', 'list')).stdout).toContain(` ${end}  202`);
		expect(await runSluiceJson(at, 'events', 'show', end)).toMatchObject({id: first, delivery_id: 'first'});
		const dry = ['webhook', 'test', 'issues', '--dry-run', '--event'];
		expect(await runSluice(at, ...dry, end)).toMatchObject({code: 0});
		for (const words of [
			['events', 'show', both],
			[...dry, both],
		]) {
			expect(await runSluice(at, ...words)).toMatchObject({
				code: 2,
				stdout: '',
				stderr: expect.stringMatching(new RegExp(`"${both}" matches more than one id: .*${second}, ${first}\\n`, 'u')),
			});
		}
	};

	await use();
	expect(await runSluice(at, 'events', 'replay', both, '--yes')).toMatchObject({code: 2});
	expect(await runSluiceJson(at, 'events', 'replay', end, '--yes')).toMatchObject({
		status: 202,
		reason: `replay of ${first}`,
	});
	gateway.signal('SIGTERM');
	await gateway.end;
	await use();
});
