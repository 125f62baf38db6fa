import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, test, vi} from 'vitest';
import {addServer, enableWebhooks} from '../../../source/config/edit/edit-config.ts';
import {createProfileChange} from '../../../source/config/edit/profile-change.ts';
import {readForEdit} from '../../../source/config/read/editable-file.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {ensureEndpointToken} from '../../../source/config/secrets/env-file.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {tryProcessLock} from '../../../source/util/process-lock.ts';
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

describe('changes at the same time', () => {
	const servers = ['a', 'b', 'c', 'd', 'e', 'f'];

	test('that ask nobody in between are all made', async () => {
		const {paths} = prepare();
		await Promise.all(servers.map(name => addServer({paths, clock: systemClock}, {name, entry: {command: 'x'}})));
		const {value} = await readForEdit(paths.config);
		expect(Object.keys(Object(value()).mcp_servers).toSorted()).toEqual(servers);
		expect(readdirSync(paths.directory)).toEqual(['config.yaml']);
	});

	test('of what was read before are all made, to the texts as they are by then', async () => {
		const {paths, config, env} = prepare('# mine\n', 'A=1\n');
		const changes = await Promise.all(servers.map(() => createProfileChange(paths, systemClock)));
		for (const [index, change] of changes.entries()) {
			change.config.set(['mcp_servers', `s${index}`], {command: 'x'});
			change.setVariables({[`KEY_${index}`]: 'v'});
		}

		await Promise.all(changes.map(change => change.commit()));
		expect(config()).toMatch(/^# mine\n\nmcp_servers:\n(?: {2}s\d:\n {4}command: x\n){6}$/u);
		expect(env()).toMatch(/^A=1\n(?:KEY_\d=v\n){6}$/u);
	});

	test('that enable webhooks make one secret', async () => {
		const {paths, env} = prepare();
		await Promise.all([enableWebhooks({paths, clock: systemClock}), enableWebhooks({paths, clock: systemClock})]);
		expect(env()).toMatch(/^WEBHOOK_SECRET=[\w-]{43}\n$/u);
	});

	const start = {config: 'mcp_servers:\n  a: {command: x}\n  b: {command: y}\n', env: 'A=1\nB=2\n'};
	type Change = Awaited<ReturnType<typeof createProfileChange>>;

	test.each<[string, (change: Change) => void, {config?: string; env?: string}, string]>([
		[
			'the same key',
			({config}) => config.set(['mcp_servers', 'a', 'enabled'], false),
			{config: 'mcp_servers: {a: {command: x, enabled: true}}\n'},
			'mcp_servers.a.enabled in CONFIG',
		],
		[
			'a new key that another one wrote first',
			({config}) => config.set(['mcp_servers', 'c'], {command: 'mine'}),
			{config: 'mcp_servers: {c: {command: theirs}}\n'},
			'mcp_servers.c in CONFIG',
		],
		[
			'what was removed',
			({config}) => config.set(['mcp_servers', 'a', 'enabled'], false),
			{config: 'mcp_servers: {b: {command: y}}\n'},
			'mcp_servers.a.enabled in CONFIG',
		],
		[
			'what is to be removed',
			({config}) => config.remove(['mcp_servers', 'a']),
			{config: 'mcp_servers: {a: {command: z}}\n'},
			'mcp_servers.a in CONFIG',
		],
		['the same variable', change => change.setVariables({A: '2'}), {env: 'A=3\n'}, 'A in ENV'],
		['a variable that is to be removed', change => change.removeVariables(['A']), {env: 'A=3\n'}, 'A in ENV'],
	])('to %s is refused, and nothing is written', async (_name, act, theirs, conflict) => {
		const {paths, config, env} = prepare(start.config, start.env);
		const change = await createProfileChange(paths, clock);
		change.setVariables({OTHER: 'x'});
		act(change);
		const now = {...start, ...theirs};
		writeFileSync(paths.config, now.config);
		writeFileSync(paths.env, now.env);
		const what = conflict.replace('CONFIG', paths.config).replace('ENV', paths.env);
		await expect(change.commit()).rejects.toMatchObject({
			code: 'config_changed',
			message: `${what} has changed since it was read; nothing was written`,
		});
		expect({config: config(), env: env()}).toEqual(now);
	});

	test('a variable to which something refers by now is not removed', async () => {
		const {paths, config, env} = prepare(start.config, start.env);
		const change = await createProfileChange(paths, clock);
		change.config.remove(['mcp_servers', 'a']);
		change.removeVariables(['A']);
		const now = `${start.config}  c: {command: x, env: {A: "\${A}"}}\n`;
		writeFileSync(paths.config, now);
		await expect(change.commit()).rejects.toMatchObject({
			code: 'config_changed',
			message: `${paths.config} has changed since it was read and now refers to A; nothing was written`,
		});
		expect([config(), env()]).toEqual([now, start.env]);
	});

	test('that want the same are made once, and other text of the files stays', async () => {
		const {paths, config, env} = prepare(start.config, start.env);
		const change = await createProfileChange(paths, clock);
		change.config.set(['mcp_servers', 'a', 'enabled'], false);
		change.config.remove(['mcp_servers', 'b']);
		change.setVariables({C: '3'});
		writeFileSync(paths.config, '# theirs\nmcp_servers:\n  a: {command: x, enabled: false}\n');
		writeFileSync(paths.env, '# theirs\nA=2\nC=3\n');
		await change.commit();
		expect([config(), env()]).toEqual([
			'# theirs\nmcp_servers:\n  a: {command: x, enabled: false}\n',
			'# theirs\nA=2\nC=3\n',
		]);
	});

	test('a file that is broken by then is left as it is', async () => {
		const {paths, config, env} = prepare(start.config, start.env);
		const change = await createProfileChange(paths, clock);
		change.setVariables({C: '3'});
		writeFileSync(paths.config, 'a: [\n');
		await expect(change.commit()).rejects.toMatchObject({code: 'config_syntax'});
		expect([config(), env()]).toEqual(['a: [\n', start.env]);
	});

	test('make one token of the endpoint', async () => {
		const {paths, env} = prepare(undefined, 'A=1\n');
		const [first, second] = await Promise.all([
			ensureEndpointToken({paths, clock: systemClock}),
			ensureEndpointToken({paths, clock: systemClock}),
		]);
		expect([first, env()]).toEqual([second, `A=1\nSLUICE_ENDPOINT_TOKEN=${first}\n`]);
	});

	test('a lock that stays with somebody else is a problem after ten seconds, and nothing is written', async () => {
		const {paths, config, env} = prepare('# mine\n', 'A=1\n');
		const own = createFakeClock();
		const lock = await tryProcessLock(`${paths.config}.lock`);
		const ending = expect(enableWebhooks({paths, clock: own})).rejects.toMatchObject({
			code: 'config_unreadable',
			message: `${paths.config}.lock is held by another process`,
		});
		await vi.waitFor(() => expect(own.open()).toBeGreaterThan(0));
		await own.advance(10_000);
		await ending;
		expect([config(), env(), own.open()]).toEqual(['# mine\n', 'A=1\n', 0]);
		lock?.release();
	});
});
