import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {statePaths, stateRoot} from '../../../source/config/read/state-paths.ts';

describe('the state directory', () => {
	test.each([
		[{home: '/home/me'}, undefined, '/home/me/.sluice'],
		[{home: '/home/me', sluiceHome: '/state'}, undefined, '/state'],
		[{home: '/home/me', sluiceHome: '/state'}, '/asked', '/asked'],
	])('of %j, asked for %j, is %s', (environment, asked, expected) => {
		expect(stateRoot(environment, asked)).toBe(expected);
	});

	test.each(['', '.', 'home/me'])('is not looked for in the working folder when HOME is %j', home => {
		const refusal = {code: 'bad_usage', message: expect.stringContaining('HOME is ')};
		expect(() => stateRoot({home})).toThrow(expect.objectContaining(refusal));
		expect(stateRoot({home, sluiceHome: '/state'})).toBe('/state');
		expect(stateRoot({home}, '/asked')).toBe('/asked');
	});
});

describe('paths', () => {
	test('of the default profile stand in the root', () => {
		const {root: _root, profile: _profile, ...paths} = statePaths({root: '/s', profile: 'default'});
		expect(paths).toEqual({
			directory: '/s',
			config: '/s/config.yaml',
			env: '/s/.env',
			tokens: '/s/mcp-tokens',
			subscriptions: '/s/webhook_subscriptions.json',
			approvalRules: '/s/approval-rules.json',
			hold: '/s/hold.json',
			cronJobs: '/s/cron/jobs.json',
			schemaCache: '/s/cache/mcp-schemas.json',
			media: '/s/cache/media',
			scripts: '/s/scripts',
			skills: '/s/skills',
			journal: '/s/journal.db',
			logs: '/s/logs',
			serverLogs: '/s/logs/mcp-stderr',
			preferences: '/s/preferences.json',
			controlSocket: '/s/control.sock',
			lock: '/s/gateway.lock',
		});
	});

	test('of a named profile stand in a folder of their own, with the same layout', () => {
		const paths = statePaths({root: '/s', profile: 'work'});
		expect([paths.root, paths.config, paths.controlSocket]).toEqual([
			'/s',
			'/s/profiles/work/config.yaml',
			'/s/profiles/work/control.sock',
		]);
	});

	test.each(['..', '.', '', 'a/b', '../x', '.hidden', 'a\0b', 'x'.repeat(65), 'ä'])(
		'the profile name %j is refused',
		profile => {
			expect(() => statePaths({root: '/s', profile})).toThrow(expect.objectContaining({code: 'bad_usage'}));
		},
	);
});

describe('the control socket', () => {
	const runtimeDirectory = '/run/user/1000';

	test.each([
		['/'.padEnd(100 - '/control.sock'.length, 'x'), 'stays'],
		['/'.padEnd(101 - '/control.sock'.length, 'x'), 'moves'],
		[`/${'ä'.repeat(50)}`, 'moves'],
	])('%s: it %s', (root, verdict) => {
		const {controlSocket} = statePaths({root, profile: 'default', runtimeDirectory});
		expect(controlSocket.startsWith(runtimeDirectory) ? 'moves' : 'stays').toBe(verdict);
	});

	test('of two long roots are two', () => {
		const socket = (root: string) => statePaths({root, profile: 'default', runtimeDirectory}).controlSocket;
		expect(socket(join('/', 'x'.repeat(120)))).not.toBe(socket(join('/', 'y'.repeat(120))));
	});

	test('of one long root is always the same and short', () => {
		const {controlSocket} = statePaths({root: `/${'x'.repeat(200)}`, profile: 'work', runtimeDirectory});
		expect(controlSocket).toMatch(/^\/run\/user\/1000\/sluice-[0-9a-f]{16}\.sock$/u);
	});
});
