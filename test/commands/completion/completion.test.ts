import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {commands} from '../../../source/commands/cli/command-table.ts';
import {completeLine} from '../../../source/commands/completion/complete-line.ts';
import {completionScripts} from '../../../source/commands/completion/completion-scripts.ts';
import {runCompletion} from '../../../source/commands/completion/completion.ts';
import {readEnvironment} from '../../../source/config/read/environment.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {program, stateDirectory} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openTerminal} from '../../helpers/terminal.ts';
import {openContext} from '../command-fixture.ts';

function wordsFor(...line: readonly string[]): readonly string[] | string {
	const completion = completeLine(line, commands);
	return completion.kind === 'names' ? completion.of : completion.candidates.map(({word}) => word);
}

describe('a typed line', () => {
	test.each<[readonly string[], readonly string[]]>([
		[[''], ['gateway', 'mcp', 'webhook', 'doctor', 'approvals', 'events', 'completion']],
		[
			['mcp', ''],
			['list', 'add', 'import', 'test', 'call'],
		],
		[
			['--read-only', 'mcp', ''],
			['list', 'call'],
		],
		[
			['--home', '/x', 'mcp', ''],
			['list', 'call'],
		],
		[
			['approvals', 'rules', ''],
			['list', 'revoke'],
		],
		[
			['approvals', 'allow', '9db7', '--scope', ''],
			['once', 'run', 'session', 'always'],
		],
		[
			['mcp', 'add', 'x', '--flow', ''],
			['device', 'browser'],
		],
		[
			['completion', ''],
			['bash', 'zsh', 'fish'],
		],
		[
			['mcp', 'list', '--'],
			['--json', '--home', '--no-tui'],
		],
		[
			['events', 'list', '--'],
			['--route', '--limit'],
		],
	])('%j goes on with commands, flags or their values', (line, words) => {
		expect(wordsFor(...line)).toEqual(expect.arrayContaining([...words]));
	});

	test('a flag that means something else to another command is completed for its own alone', () => {
		expect(wordsFor('mcp', 'add', 'x', 'https://x.test', '--scope', '')).toEqual([]);
	});

	test.each<[readonly string[], string]>([
		[['mcp', 'test', ''], 'server'],
		[['mcp', 'tools', 'ga'], 'server'],
		[['webhook', 'test', ''], 'route'],
		[['events', 'list', '--route', ''], 'route'],
		[['--profile', ''], 'profile'],
		[['webhook', 'subscribe', 'a', '--deliver', ''], 'target'],
	])('%j goes on with names of a %s', (line, of) => {
		expect(wordsFor(...line)).toBe(of);
	});

	test.each<[readonly string[]]>([[['mcp', 'list', '']], [['mcp', 'add', 'a', '--', '']], [['nothing', '']]])(
		'%j goes on with nothing',
		line => {
			expect(wordsFor(...line)).toEqual([]);
		},
	);

	test('offers no flag of another command', () => {
		expect(wordsFor('mcp', 'list', '--')).not.toContain('--limit');
	});
});

describe('sluice completion', () => {
	function prepare() {
		const home = stateDirectory({
			mcp_servers: {garden: {command: 'x'}, 'gate way': {command: 'x'}, '$(id)': {command: 'x'}},
			platforms: {webhook: {routes: {pulls: {}}}},
		});
		writeFileSync(join(home, 'webhook_subscriptions.json'), '{"alerts": {}}');
		return home;
	}

	/** The lines that a shell gets, without a process of its own. */
	async function completed(home: string, ...line: readonly string[]): Promise<string> {
		const {context, stdout} = openContext({arguments: ['words', ...line]});
		const session = {paths: statePaths({root: home, profile: 'default'}), environment: readEnvironment()};
		expect(await runCompletion(context, commands, session)).toBe(0);
		return stdout();
	}

	test.each<[string, readonly string[], string]>([
		['servers whose names are plain words', ['mcp', 'test', ''], 'garden\t\n'],
		['routes and subscriptions', ['webhook', 'test', ''], 'pulls\t\nalerts\t\n'],
		['what is typed already', ['webhook', 'test', 'al'], 'alerts\t\n'],
	])('knows %s', async (_what, line, lines) => {
		expect(await completed(prepare(), ...line)).toBe(lines);
	});

	test.each([
		['as two words', (home: string) => ['--home', home]],
		['as one word, as zsh and fish have it', (home: string) => [`--home=${home}`]],
		['as three words, as bash has it', (home: string) => ['--home', '=', home]],
	])('looks into the state directory that the line is about, typed %s', async (_, typed) => {
		expect(await completed(stateDirectory(), ...typed(prepare()), 'mcp', 'test', '')).toBe('garden\t\n');
	});

	test.each<[readonly string[], string]>([
		[['mcp', 'add', 'x', '--flow=de'], '--flow=device\t\n'],
		[['mcp', 'add', 'x', '--flow', '=', 'de'], 'device\t\n'],
		[['mcp', 'add', 'x', '--flow', '='], 'device\t\nbrowser\t\n'],
		[['mcp', 'add', 'x', '--env=A=B', '--flow', ''], 'device\t\nbrowser\t\n'],
		[['mcp', 'add', 'x', '--env', 'A', '=', 'B', '--flow', ''], 'device\t\nbrowser\t\n'],
		[['mcp', 'list', '--json=x'], ''],
	])('completes the value behind `=`: %j', async (line, lines) => {
		expect(await completed(prepare(), ...line)).toBe(lines);
	});

	test('works in bash', async () => {
		const home = prepare();
		const bin = temporaryDirectory();
		mkdirSync(join(bin, 'bin'));
		writeFileSync(join(bin, 'bin', 'sluice'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
			mode: 0o755,
		});
		const {stdout: script} = await runSluice({home}, 'completion', 'bash');
		const ask =
			'COMP_WORDS=(sluice mcp te); COMP_CWORD=2; _sluice; printf "%s\\n" "${COMPREPLY[@]}"; COMP_WORDS=(sluice mcp test ""); COMP_CWORD=3; _sluice; printf "%s\\n" "${COMPREPLY[@]}"';
		const {stdout, stderr} = spawnSync('bash', ['-c', `${script}\n${ask}`], {
			encoding: 'utf8',
			env: {PATH: `${join(bin, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: home, SLUICE_HOME: home},
		});
		expect([stdout, stderr]).toEqual(['test\ngarden\n', '']);
	});

	test('completes the value behind `=` in a bash that breaks words there', async () => {
		const bin = temporaryDirectory();
		const asked = join(bin, 'asked');
		// The request is written down, and answered as `sluice` does.
		writeFileSync(join(bin, 'sluice'), `#!/bin/sh\nprintf '%s|' "$@" >'${asked}'\necho 'device\t'\n`, {mode: 0o755});
		writeFileSync(join(bin, 'script'), completionScripts.bash);
		const bash = openTerminal({
			command: 'bash',
			args: ['--noprofile', '--norc', '-i'],
			env: {PATH: `${bin}:${process.env['PATH'] ?? ''}`, PS1: '> ', INPUTRC: '/dev/null'},
			cwd: bin,
		});
		await bash.waitFor(/^>/mu);
		bash.press('source ./script; echo sourced\r');
		await bash.waitFor(/^sourced$/mu);
		bash.press('sluice mcp add x --flow=de\t');
		await bash.waitFor(/> sluice mcp add x --flow=device$/mu);
		const [, , , ...words] = readFileSync(asked, 'utf8').split('|').slice(0, -1);
		expect(await completed(stateDirectory(), ...words)).toBe('device\t\n');
	});

	test.each(['zsh', 'fish'] as const)('has a script for %s that asks for words', shell => {
		expect(completionScripts[shell]).toContain('sluice completion words --');
	});

	test('does not know other shells', async () => {
		expect(await runSluice({home: stateDirectory()}, 'completion', 'ksh')).toMatchObject({code: 2});
	});
});
