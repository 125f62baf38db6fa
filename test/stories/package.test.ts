import {execFile} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openTerminal} from '../helpers/terminal.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

test('the package holds all it needs: unpacked into an empty folder, its demo runs', {timeout: 180_000}, async () => {
	const folder = temporaryDirectory();
	// The build is there already: stories are about the built program.
	const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
	await execute('npm', pack, {
		cwd: root,
		env: {...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true'},
	});
	const archive = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? '';
	mkdirSync(join(folder, 'empty'));
	await execute('tar', ['-xzf', join(folder, archive), '-C', join(folder, 'empty')]);

	const unpacked = join(folder, 'empty', 'package');
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Record<string, unknown>;
	expect(manifest['dependencies'] ?? {}).toEqual({});
	expect(readdirSync(unpacked)).toEqual(
		expect.arrayContaining(['assets', 'config.schema.json', 'dist', 'docs', 'license', 'readme.md']),
	);
	expect(readdirSync(join(unpacked, 'assets'))).toEqual(
		expect.arrayContaining(['sluice.desktop', 'sluice.service', 'Containerfile']),
	);

	const terminal = openTerminal({
		command: process.execPath,
		args: ['--disable-warning=ExperimentalWarning', join(unpacked, 'dist', 'bin.js'), '--demo'],
		cwd: folder,
		columns: 100,
	});
	await terminal.waitFor(/DEMO[\s\S]*garden +connected[\s\S]*weather +connected/, 60_000);
	terminal.kill('SIGTERM');
	expect(await terminal.exit).toBe(0);
});
