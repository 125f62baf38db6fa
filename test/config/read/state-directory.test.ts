import {chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {ensureStateDirectory} from '../../../source/config/read/state-directory.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the folders of a profile', () => {
	test.each(['directory', 'tokens', 'media', 'scripts', 'skills', 'logs', 'serverLogs'] as const)(
		'%s is made, 0700',
		async name => {
			const paths = statePaths({root: join(temporaryDirectory(), 'state'), profile: 'work'});
			await ensureStateDirectory(paths);
			expect(rights(paths[name])).toBe('700');
		},
	);

	test('an existing folder keeps its permissions', async () => {
		const root = temporaryDirectory();
		chmodSync(root, 0o755);
		await ensureStateDirectory(statePaths({root, profile: 'default'}));
		expect(rights(root)).toBe('755');
	});

	test('a file in the way is a problem that names the directory', async () => {
		const root = join(temporaryDirectory(), 'state');
		writeFileSync(root, '');
		await expect(ensureStateDirectory(statePaths({root, profile: 'default'}))).rejects.toMatchObject({
			code: 'config_unreadable',
			message: `The state directory ${root} cannot be created: a file is in the way`,
		});
	});
});

describe('the folder of a moved control socket', () => {
	const pathsIn = (folder: string) =>
		statePaths({
			root: join(folder, 'x'.repeat(100)),
			profile: 'default',
			runtimeDirectory: join(folder, 'run'),
		});

	test('is made, 0700', async () => {
		const folder = temporaryDirectory();
		await ensureStateDirectory(pathsIn(folder));
		expect(rights(join(folder, 'run'))).toBe('700');
	});

	test('is refused when others may enter it', async () => {
		const folder = temporaryDirectory();
		mkdirSync(join(folder, 'run'));
		chmodSync(join(folder, 'run'), 0o777);
		await expect(ensureStateDirectory(pathsIn(folder))).rejects.toMatchObject({code: 'config_unreadable'});
	});

	test('is refused when it is a link to somewhere else', async () => {
		const folder = temporaryDirectory();
		mkdirSync(join(folder, 'elsewhere'), {mode: 0o700});
		symlinkSync(join(folder, 'elsewhere'), join(folder, 'run'));
		await expect(ensureStateDirectory(pathsIn(folder))).rejects.toMatchObject({code: 'config_unreadable'});
	});

	test('is not made when the socket stays', async () => {
		const folder = temporaryDirectory();
		await ensureStateDirectory(
			statePaths({root: join(folder, 's'), profile: 'default', runtimeDirectory: join(folder, 'run')}),
		);
		expect(existsSync(join(folder, 'run'))).toBe(false);
	});
});
