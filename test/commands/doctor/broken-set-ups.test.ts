import {existsSync, mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {type TokenRecord, tokenFileText} from '../../../source/oauth/protocol/token-record.ts';
import {listen, serve} from '../../helpers/loopback.ts';
import {refusedCommands} from '../../helpers/remedy-commands.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {writeConfig} from '../../helpers/sluice.ts';
import {garden} from '../../stories/garden.ts';
import {configSetUps} from './set-ups-of-config.ts';
import {fileSetUps} from './set-ups-of-files.ts';
import {routeSetUps} from './set-ups-of-routes.ts';
import {healthy, healthyDirectory, put, withServer, withWebhook} from './set-up.ts';

const findingsSchema = z.array(
	z.strictObject({
		check: z.string(),
		level: z.enum(['ok', 'warning', 'error']),
		message: z.string(),
		remedy: z.string().nullable(),
	}),
);

async function doctor(home: string, ...flags: readonly string[]) {
	const {code, stdout} = await runSluice({home}, 'doctor', '--json', ...flags);
	return {code, findings: findingsSchema.parse(JSON.parse(stdout))};
}

/** The files below a folder with their contents, modes and times of change. */
function snapshot(folder: string): unknown {
	return readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.sort()
		.map(name => {
			const path = join(folder, name);
			const stats = statSync(path);
			return [name, stats.mode, stats.mtimeMs, stats.isFile() ? readFileSync(path, 'utf8') : ''];
		});
}

describe('doctor names what is broken, and its remedy', () => {
	test.each([...routeSetUps, ...fileSetUps, ...configSetUps])('$broken', async ({config, env, prepare, found}) => {
		const home = healthyDirectory(config, env);
		await prepare?.(home);
		const before = snapshot(home);
		const {code, findings} = await doctor(home, '--offline');
		const troubles = findings.filter(({level}) => level !== 'ok');
		const expected = found.map(({check, level, message, remedy}) => ({
			check,
			level,
			message: expect.stringContaining(message.replaceAll('HOME', home)),
			remedy: expect.stringContaining(remedy.replaceAll('HOME', home)),
		}));
		expect(troubles).toEqual(expected);
		expect(code).toBe(found.some(({level}) => level === 'error') ? 1 : 0);
		expect(troubles.flatMap(({remedy}) => refusedCommands(remedy ?? ''))).toEqual([]);
		expect(snapshot(home)).toEqual(before);
	});

	test.each([
		['webhooks', 'error', 'platforms.webhook.port', (port: number) => withWebhook({port})],
		['endpoint', 'warning', 'gateway.endpoint.port', (port: number) => ({...healthy, gateway: {endpoint: {port}}})],
	] as const)('a port of %s that is taken', async (check, level, key, config) => {
		const port = Number(new URL(await listen(createServer())).port);
		const home = healthyDirectory(config(port));
		const {findings} = await doctor(home, '--offline');
		expect(findings.filter(finding => finding.level !== 'ok')).toEqual([
			{
				check,
				level,
				message: `Port ${port} on 127.0.0.1 is in use by another program`,
				remedy: expect.stringContaining(`Set \`${key}\` (${home}/config.yaml, line `),
			},
		]);
	});

	test('a server of another profile', async () => {
		const home = healthyDirectory({...healthy, gateway: {multiplex_profiles: true, endpoint: {port: 0}}});
		mkdirSync(join(home, 'profiles', 'work'), {recursive: true, mode: 0o700});
		writeConfig(join(home, 'profiles', 'work'), {mcp_servers: {shed: {command: 'no-such-program'}}});
		const {findings} = await doctor(home, '--offline');
		expect(findings.filter(({level}) => level !== 'ok')).toEqual([
			{
				check: 'server shed (profile work)',
				level: 'error',
				message: 'The command no-such-program was not found',
				remedy: expect.stringContaining(`\`mcp_servers.shed.command\` (${home}/profiles/work/config.yaml, line `),
			},
		]);
	});

	test('a login that its server refuses, which it neither renews nor begins', async () => {
		const requests: string[] = [];
		const {origin} = await serve((request, response) => {
			requests.push(request.url ?? '');
			response.writeHead(401).end();
		});
		const url = `${origin}/mcp`;
		const home = healthyDirectory({
			...healthy,
			mcp_servers: {garden, tracker: {url, auth: 'oauth', oauth: {cimd: false}}},
		});
		const record: TokenRecord = {
			serverUrl: url,
			authorizationServer: {issuer: origin, token_endpoint: `${origin}/token`},
			client: {kind: 'registered', client_id: 'one'},
			tokens: {access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1'},
		};
		put(home, 'mcp-tokens/tracker.json', tokenFileText(record));
		const {findings} = await doctor(home);
		expect(findings.filter(({check}) => check === 'server tracker')).toEqual([
			{
				check: 'server tracker',
				level: 'warning',
				message: expect.stringContaining('A login is required: its access token was refused'),
				remedy: 'Log in: `sluice mcp login tracker`',
			},
		]);
		expect(requests).toContain('/mcp');
		expect(requests).not.toContain('/token');
		expect(readFileSync(join(home, 'mcp-tokens', 'tracker.json'), 'utf8')).toBe(tokenFileText(record));
	});

	test('nothing in a set-up that is in order, and nothing in it is changed', async () => {
		const home = healthyDirectory();
		const before = snapshot(home);
		const {code, findings} = await doctor(home, '--offline');
		expect(findings.filter(({level}) => level !== 'ok')).toEqual([]);
		expect(findings).toContainEqual(expect.objectContaining({check: 'route pulls', level: 'ok'}));
		expect(code).toBe(0);
		expect(snapshot(home)).toEqual(before);
		expect(existsSync(join(home, 'journal.db'))).toBe(false);
	});

	test('nothing about a server that is disabled', async () => {
		const home = healthyDirectory(withServer({command: 'no-such-program', enabled: false}));
		const {code, findings} = await doctor(home);
		expect(code).toBe(0);
		expect(findings).toContainEqual({check: 'server garden', level: 'ok', message: 'disabled', remedy: null});
	});
});
