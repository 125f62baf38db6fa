import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	expandPath,
	fileVariablesText,
	findWorkingDirectory,
	readFileVariables,
} from '../../../source/mcp/transport/child-files.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {callForText, openConnections, serverConfig, stdioFixture} from '../fixture-servers.ts';

function prepare() {
	const home = temporaryDirectory();
	const expand = (text: string) => text.replaceAll('${userHome}', home).replaceAll('${FOLDER}', 'notes');
	const put = (name: string, text: string) => {
		writeFileSync(join(home, name), text, {mode: 0o600});
		return join(home, name);
	};

	mkdirSync(join(home, 'notes'));
	return {home, expand, put};
}

test.each([
	['~', ''],
	['~/notes', '/notes'],
	['${userHome}/${FOLDER}', '/notes'],
])('the path %s is expanded', (written, end) => {
	const {home, expand} = prepare();
	expect(expandPath(written, expand)).toBe(`${home}${end}`);
});

test('a dollar sign in the home directory stays as it is', () => {
	expect(expandPath('~/a', text => text.replace('${userHome}', () => '/h/$&'))).toBe('/h/$&/a');
});

test('the folder of a server is an existing one', async () => {
	const {home, expand} = prepare();
	expect(await findWorkingDirectory({cwd: '~/${FOLDER}'}, expand)).toBe(join(home, 'notes'));
	expect(await findWorkingDirectory({}, expand)).toBeUndefined();
});

test.each([
	['~/nowhere', 'file_missing', /^cwd: the folder \/.+\/nowhere does not exist$/u],
	['~/file', 'config_invalid', /^cwd: \/.+\/file is not a folder$/u],
	['${UNSET}/x', 'config_invalid', /^cwd: \$\{UNSET\}\/x is not an absolute path$/u],
])('the folder %s is refused', async (cwd, code, message) => {
	const {expand, put} = prepare();
	put('file', '');
	await expect(findWorkingDirectory({cwd}, expand)).rejects.toMatchObject({
		code,
		message: expect.stringMatching(message),
	});
});

test('a file of variables is read as .env is', async () => {
	const {expand, put} = prepare();
	const text = '# keys\nexport A=1\nB="two words" # note\nC=${A}\n';
	const envFile = put('server.env', text);
	expect(await readFileVariables({envFile}, expand)).toEqual({A: '1', B: 'two words', C: '${A}'});
	expect(await readFileVariables({}, expand)).toEqual({});
});

test('a file of variables has 64 KB and not a byte more', async () => {
	const {expand, put} = prepare();
	const ofBytes = (bytes: number) => put('server.env', `A=${'x'.repeat(bytes - 2)}`);
	expect((await readFileVariables({envFile: ofBytes(65_536)}, expand))['A']?.length).toBe(65_534);
	await expect(readFileVariables({envFile: ofBytes(65_537)}, expand)).rejects.toMatchObject({
		code: 'config_invalid',
		message: expect.stringContaining('is larger than 64 KB'),
	});
});

test.each<[string, (files: ReturnType<typeof prepare>) => string, string, string]>([
	['that is missing', ({home}) => join(home, 'gone.env'), 'file_missing', 'does not exist'],
	['that is a folder', ({home}) => join(home, 'notes'), 'config_invalid', 'is not a regular file'],
	['of another user', () => '/etc/passwd', 'config_invalid', 'belongs to another user'],
	[
		'behind a symbolic link',
		({home, put}) => {
			symlinkSync(put('real.env', 'A=1'), join(home, 'link.env'));
			return join(home, 'link.env');
		},
		'config_invalid',
		'is a symbolic link',
	],
	[
		'that is a pipe without a writer',
		({home}) => {
			execFileSync('mkfifo', [join(home, 'pipe.env')]);
			return join(home, 'pipe.env');
		},
		'config_invalid',
		'is not a regular file',
	],
])('a file %s is refused', async (kind, make, code, message) => {
	if (kind === 'of another user' && process.getuid?.() === 0) {
		return;
	}

	const files = prepare();
	await expect(readFileVariables({envFile: make(files)}, files.expand)).rejects.toMatchObject({
		code,
		message: expect.stringContaining(message),
	});
});

test('the names of the variables are shown, and never their values', () => {
	expect(fileVariablesText({API_KEY: 's3cret', LEVEL: '1'})).toBe('Its `env_file` sets API_KEY, LEVEL');
	expect(fileVariablesText({})).toBe('Its `env_file` has no variables');
});

test('a server gets the variables of its file, and `env` wins; their values are learned as secrets', async () => {
	const {put} = prepare();
	const envFile = put('server.env', 'ONE=of-the-file\nTWO=of-the-file\n');
	const transport = {...stdioFixture('mcp-both-eras.ts', 'stdio'), env: {TWO: 'of-env'}, envFile};
	const learned: string[] = [];
	const {connections} = openConnections([serverConfig(transport)], {
		environment: {PATH: '/usr/bin:/bin'},
		learn: secret => learned.push(secret),
	});
	await connections.settled(neverAborted());
	expect(JSON.parse(await callForText(connections, 'environment', {}))).toEqual({
		PATH: '/usr/bin:/bin',
		ONE: 'of-the-file',
		TWO: 'of-env',
	});
	expect(learned).toEqual(['of-the-file', 'of-the-file']);
});

test('a server starts in its folder', async () => {
	const {home} = prepare();
	const cwd = join(home, 'notes');
	const command = join(cwd, 'serve');
	writeFileSync(command, '#!/bin/sh\npwd >&2\nexit 3\n', {mode: 0o700});
	const transport = {kind: 'stdio', command: './serve', args: [], env: {}, cwd} as const;
	const {until} = openConnections([serverConfig(transport)]);
	const {stderr} = await until(state => state.stderr !== undefined && state.stderr.length > 0);
	expect(stderr).toEqual([cwd]);
});

test('a folder or a file that cannot be used fails that server alone, and at once', async () => {
	const {home, expand, put} = prepare();
	const plain = stdioFixture('mcp-plain.ts');
	const broken = (name: string, keys: object) => serverConfig({...plain, ...keys}, {name});
	const {connections, recorded} = openConnections(
		[
			broken('folder', {cwd: '~/gone'}),
			broken('file', {envFile: '~/gone.env'}),
			broken('good', {cwd: home, envFile: put('a.env', '')}),
		],
		{expand},
	);
	await connections.settled(neverAborted());
	const last = new Map(recorded.ofType('server.state').map(state => [state.server, [state.state, state.reason]]));
	expect(Object.fromEntries(last)).toEqual({
		folder: ['failed', expect.stringContaining('gone does not exist')],
		file: ['failed', expect.stringContaining('gone.env does not exist')],
		good: ['connected', undefined],
	});
});

test('a reload connects a server again whose file changed, and leaves the others', async () => {
	const {put} = prepare();
	const envFile = put('server.env', 'ONE=1\n');
	const changing = serverConfig({...stdioFixture('mcp-both-eras.ts', 'stdio'), envFile});
	const {connections} = openConnections([changing]);
	await connections.settled(neverAborted());
	expect(connections.apply([changing]).unchanged).toEqual(['fixture']);
	put('server.env', 'ONE=changed\n');
	expect(connections.apply([changing]).reconnected).toEqual(['fixture']);
	expect(JSON.parse(await callForText(connections, 'environment', {}))).toMatchObject({ONE: 'changed'});
});
