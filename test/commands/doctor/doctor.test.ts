import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {checkClientDocument} from '../../../source/commands/doctor/doctor-network.ts';
import {collisionFindings, descriptionFindings, filterFindings} from '../../../source/commands/doctor/server-tools.ts';
import {parseServerEntry} from '../../../source/config/servers/server-entry.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {listen, serve} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runSluice, runSluiceJson} from '../../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';
import {ownPlace} from './set-up.ts';

/** Listens on a port of loopback until the test ends. */
async function takePort(): Promise<number> {
	return Number(new URL(await listen(createServer())).port);
}

describe('sluice doctor', () => {
	test('finds nothing wrong with what is in order', async () => {
		const home = stateDirectory({
			mcp_servers: {garden},
			platforms: {webhook: {enabled: true, port: 0, secret: 'x', routes: {pulls: {}}}},
		});
		const {code, stdout} = await runSluice({home}, 'doctor');
		expect([code, stdout]).toEqual([
			0,
			expect.stringMatching(
				/ok +server garden +It answers: stdio, MCP 2025-11-25[\s\S]*ok +route pulls[\s\S]*No problems found\.\n$/,
			),
		]);
		expect(stdout).not.toMatch(/warning|error/);
	});

	test('names everything that is wrong, with its remedy, and fails', async () => {
		const port = await takePort();
		const entry = {
			...garden,
			env: {A: '${UNSET}'},
			tools: {include: ['list_tasks', 'add_task', 'gone'], exclude: ['add_*']},
		};
		const routes = {
			scripted: {script: 'gone.py'},
			skilled: {skills: ['nowhere']},
			pattern: {filters: [{field: 'a', regex: '(?=x)'}]},
			resting: {enabled: false},
		};
		const home = stateDirectory({
			mcp_servers: {garden: entry, broken: {command: '/no/such/program'}},
			platforms: {webhook: {enabled: true, port, secret: 'x', routes}},
			gateway: {endpoint: {port}},
			aprovals: {},
		});
		chmodSync(join(home, 'config.yaml'), 0o644);
		const findings = await runSluiceJson({home}, 'doctor');
		const found = (check: string, level: string, [message, remedy = expect.any(String)]: readonly [string, unknown?]) =>
			expect(findings).toContainEqual({check, level, message: expect.stringContaining(message), remedy});
		found('files', 'warning', ['Other users can open', `chmod 600 ${home}/config.yaml`]);
		found('config', 'warning', ['did you mean "approvals"?']);
		found('webhooks', 'error', [`Port ${port} on 127.0.0.1 is in use`]);
		found('endpoint', 'warning', [
			`Port ${port} on 127.0.0.1 is in use`,
			expect.stringContaining('Set `gateway.endpoint.port` ('),
		]);
		found('server garden', 'ok', ['It answers', null]);
		found('server garden', 'warning', ['${UNSET}, which is not set', `Add the line UNSET=… to ${home}/.env`]);
		found('server garden', 'warning', ['both name add_task']);
		found('server garden', 'warning', ['has gone, but the server has no such tool']);
		found('server broken', 'error', ['/no/such/program was not found']);
		found('route scripted', 'error', ['no script gone.py']);
		found('route skilled', 'warning', ['The skill "nowhere" is not loaded']);
		found('route pattern', 'error', ['The pattern "(?=x)" is not allowed']);
		found('route resting', 'warning', ['paused']);
	});

	test('asks a running gateway instead of starting its servers again', async () => {
		const home = stateDirectory({mcp_servers: {garden}});
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('garden connected');
		expect(await runSluiceJson({home}, 'doctor')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					check: 'gateway',
					level: 'ok',
					message: expect.stringContaining(`process ${gateway.pid}`),
				}),
				expect.objectContaining({check: 'server garden', level: 'ok', message: expect.stringContaining('3 tools')}),
			]),
		);
	});

	test('looks for the skills of a route in the profile that serves it', async () => {
		const routes = {theirs: {profile: 'work', skills: ['weeding']}, own: {skills: ['weeding']}};
		const home = stateDirectory({
			gateway: {multiplex_profiles: true, endpoint: {port: 0}},
			platforms: {webhook: {enabled: true, port: 0, secret: 'x', routes}},
		});
		const skill = join(home, 'profiles', 'work', 'skills', 'weeding');
		mkdirSync(skill, {recursive: true});
		writeFileSync(join(skill, 'SKILL.md'), 'Pull');
		expect(await runSluiceJson({home}, 'doctor', '--offline')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({check: 'route theirs', level: 'ok'}),
				expect.objectContaining({
					check: 'route own',
					message: expect.stringContaining('The skill "weeding" is not loaded'),
				}),
			]),
		);
	});

	test('checks only files with --offline, and makes none', async () => {
		const home = join(stateDirectory(), 'not-there');
		const {code, stdout} = await runSluice({home}, 'doctor', '--offline');
		expect([code, existsSync(home)]).toEqual([0, false]);
		expect(stdout).toContain('the first start creates it');
	});

	test('reports what is wrong with a file that is no YAML', async () => {
		const home = stateDirectory('a: [\n');
		const {code, stdout} = await runSluice({home}, 'doctor', '--offline');
		expect([code, stdout]).toEqual([1, expect.stringMatching(/error +config +config\.yaml:2:1:/)]);
	});
});

test('descriptions that programs may cut are named, a few of them, and only of tools that are registered', () => {
	const parsed = parseServerEntry('s', {command: 'x', tools: {exclude: ['off']}}, sectionWithoutFile('test'));
	const server = parsed.kind === 'server' ? parsed.server : expect.fail('it is a server');
	expect(descriptionFindings(server, ownPlace, ['off'])).toEqual([]);
	expect(descriptionFindings(server, ownPlace, ['off', 'a\u001B[2J', 'b', 'c', 'd', 'e', 'f'])).toMatchObject([
		{
			check: expect.stringContaining('server s'),
			level: 'warning',
			message: expect.stringMatching(/^A description of more than 2 KB, .* have .*a␛\[2J.*b, c, d, e and 1 more$/u),
		},
	]);
});

test('tools that end in one name are reported', () => {
	const status = {state: 'connected', reason: null, nextAction: null, facts: ''};
	expect(
		collisionFindings(
			[
				{...status, name: 'a.b', tools: ['x']},
				{...status, name: 'a-b', tools: ['x', 'y']},
			],
			ownPlace,
		),
	).toMatchObject([
		{level: 'warning', message: expect.stringContaining('a.b/x and a-b/x have the same name, mcp__a_b__x')},
	]);
});

test.each([
	{
		oauth: {},
		found: [expect.objectContaining({level: 'warning', message: expect.stringContaining('it answered 404')})],
	},
	{oauth: {client_id: 'mine'}, found: []},
	{oauth: {cimd: false}, found: []},
	{oauth: {flow: 'device'}, found: []},
])('a client document that is not there is reported when a login may name it: $oauth', async ({oauth, found}) => {
	const {origin: base} = await serve((_, response) => response.writeHead(404).end());
	const entry = {url: `${base}/mcp`, auth: 'oauth', oauth: {client_metadata_url: '${DOCUMENT}', ...oauth}};
	const parsed = parseServerEntry('s', entry, sectionWithoutFile('test'));
	const server = parsed.kind === 'server' ? parsed.server : undefined;
	const signal = neverAborted();
	const expand = (text: string) => text.replace('${DOCUMENT}', `${base}/client.json`);
	expect(
		server && (await checkClientDocument(server, {clock: systemClock, home: '/', expand, signal, ...ownPlace})),
	).toEqual(found);
});

test('filters that overlap are reported without asking the server', () => {
	const entry = {command: 'x', tools: {include: ['a', 'b*'], exclude: ['a', 'c']}};
	const parsed = parseServerEntry('s', entry, sectionWithoutFile('test'));
	const server = parsed.kind === 'server' ? parsed.server : undefined;
	expect(server && filterFindings(server, ownPlace)).toMatchObject([
		{message: expect.stringContaining('both name a;')},
	]);
});
