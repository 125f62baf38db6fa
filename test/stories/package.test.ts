import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {readTree} from '../helpers/architecture.ts';
import {openForAll} from '../helpers/on-test-finished.ts';
import {environment} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openTerminal} from '../helpers/terminal.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

/** Packs what is built and installs it into an empty folder, as a user without a network would. */
const installed = openForAll(async () => {
	const folder = temporaryDirectory();
	const env = {...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true'};
	await execute(process.execPath, ['build/pack.ts', folder], {cwd: root, env});
	const archive = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? '';
	const empty = join(folder, 'empty');
	const install = ['install', '--prefix', empty, '--ignore-scripts', '--no-audit', '--no-fund', join(folder, archive)];
	await execute('npm', install, {cwd: folder, env});
	return {modules: join(empty, 'node_modules'), content: join(empty, 'node_modules', 'sluice')};
});

describe('the package', () => {
	test('brings no other package, and says what users need to know', () => {
		const {modules, content} = installed();
		expect(readdirSync(modules).filter(name => !name.startsWith('.'))).toEqual(['sluice']);
		const manifest = readJson(join(content, 'package.json'));
		const fields = ['name', 'version', 'description', 'license', 'type', 'keywords', 'bin', 'files', 'engines'];
		expect(Object.keys(manifest)).toEqual(fields);
		const own = readJson(join(root, 'package.json'));
		expect(manifest).toEqual(Object.fromEntries(fields.map(field => [field, own[field]])));
	});

	test('is never made from package.json as it is: `npm pack` says what to do, and nothing is published', () => {
		const {status, stdout, stderr} = spawnSync('npm', ['pack', '--dry-run'], {cwd: root, encoding: 'utf8'});
		expect(status).not.toBe(0);
		expect(stdout + stderr).toContain('Use `npm run pack`');
		expect(readJson(join(root, 'package.json'))['private']).toBe(true);
	});

	test('holds the program, its pages and what to run it with', () => {
		const {content} = installed();
		const files = ['changelog.md', 'config.schema.json', 'license', 'package.json', 'readme.md'];
		expect(readdirSync(content).sort()).toEqual(
			[...files, 'assets', 'dist', 'docs', 'third-party-licenses.txt'].sort(),
		);
		expect(readdirSync(join(content, 'assets'))).toEqual(
			expect.arrayContaining(['sluice.desktop', 'sluice.service', 'Containerfile']),
		);
	});

	test('names every bundled package with its licence', () => {
		const notice = readFileSync(join(installed().content, 'third-party-licenses.txt'), 'utf8');
		expect(notice.split('-'.repeat(80)).filter(one => /NO LICENCE TEXT|Licence: not named/.test(one))).toEqual([]);
		const named = [...notice.matchAll(/^-{80}\n(.+)\nLicence: /gm)].map(([, nameAndVersion = '']) => nameAndVersion);
		expect(named).toHaveLength(Number(/code of (\d+) packages/.exec(notice)?.[1]));
		expect(named.join()).toMatch(/react-reconciler .*yoga-layout /);

		// All that the source imports, and beyond that only what is not there for building and testing.
		const locked = lockedPackages();
		const inProduct = new Set(locked.filter(({dev}) => !dev).map(({nameAndVersion}) => nameAndVersion));
		expect(named.filter(one => !inProduct.has(one))).toEqual([]);
		const imports = new Set(readTree(join(root, 'source')).flatMap(file => file.packages));
		const imported = locked.filter(({path}) => imports.has(path.slice('node_modules/'.length)));
		expect(imported.length).toBeGreaterThan(25);
		expect(imported.map(({nameAndVersion}) => nameAndVersion).filter(one => !named.includes(one))).toEqual([]);
	});
});

/** The packages in package-lock.json; `dev` are those that are not in the product. */
function lockedPackages() {
	const lock = readJson(join(root, 'package-lock.json')) as {
		packages: Record<string, {version: string; dev?: boolean}>;
	};
	return Object.entries(lock.packages).map(([path, {version, dev = false}]) => {
		const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
		return {path, nameAndVersion: `${name} ${version}`, dev};
	});
}

/** The oldest Node.js that runs the program; `.ci/run` has npm keep it. */
const oldest = `node-${process.platform}-${process.arch}@22.22.2`;

/** A Node.js 22 that runs the program: of this machine, or of those that npm keeps. */
function findNode22(): string | undefined {
	const fromPath = (process.env['PATH'] ?? '').split(delimiter).map(directory => join(directory, 'node'));
	const command = ['exec', '--offline', '--yes', `--package=${oldest}`, '--', 'node', '-p', 'process.execPath'];
	const {stdout} = spawnSync('npm', command, {cwd: '/', encoding: 'utf8'});
	return [...fromPath, stdout.trim()]
		.filter(path => existsSync(path))
		.find(path => /^v22\.(2[3-9]|22\.[2-9])/.test(execFileSync(path, ['--version'], {encoding: 'utf8'})));
}

const node22 = findNode22();
if (node22 === undefined) {
	const command = `npm exec --yes --package=${oldest} -- node --version`;
	console.warn(
		`SKIPPED: the package under Node.js 22, as there is none on this machine. To have npm keep one: ${command}`,
	);
}

describe.each([
	['the Node.js of the repository', process.execPath],
	['Node.js 22 (skipped where there is none)', node22],
])('the installed program, under %s', (_, node) => {
	const surroundings = () => {
		const home = temporaryDirectory();
		return {cwd: home, env: {...environment(home), PATH: `${dirname(node ?? '')}${delimiter}${process.env['PATH']}`}};
	};
	const sluice = () => join(installed().modules, '.bin', 'sluice');

	test.skipIf(node === undefined)('answers its version, its servers and what doctor finds', async () => {
		const run = async (...args: readonly string[]) => (await execute(sluice(), args, surroundings())).stdout;
		expect(await run('--version')).toBe(`${readJson(join(root, 'package.json'))['version'] as string}\n`);
		expect(JSON.parse(await run('mcp', 'list', '--json'))).toEqual([]);
		const {stdout} = await execute(node ?? '', ['--version']);
		expect(await run('doctor', '--offline')).toContain(`Node.js ${stdout.trim().slice(1)}`);
	});

	test.skipIf(node === undefined)('opens the dashboard, and its demo runs', {timeout: 120_000}, async () => {
		const terminal = openTerminal({command: sluice(), args: ['--demo'], columns: 100, ...surroundings()});
		await terminal.waitFor(/DEMO[\s\S]*garden +connected[\s\S]*weather +connected/, 60_000);
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toBe(0);
	});
});
