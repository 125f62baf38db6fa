import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {agentLabel, agentText, isDisabled, readAgentState} from '../../../source/commands/service/launchd-manager.ts';
import {longestStop, stopSecondsOf} from '../../../source/commands/service/stop-time.ts';
import {
	compareFile,
	nodeFlags,
	type Program,
	serviceTarget,
	writtenFor,
} from '../../../source/commands/service/service-file.ts';
import {
	execLine,
	readUnitState,
	unitName,
	unitText,
	unitWord,
	unreachable,
} from '../../../source/commands/service/systemd-manager.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const shipped = readFileSync(new URL('../../../assets/sluice.service', import.meta.url), 'utf8');

/** The program of a service, for a user whose home directory is /home/me. */
function targetOf({
	root = '/home/me/.sluice',
	profile = 'default',
	node = '/usr/bin/node',
	program = '/usr/local/bin/sluice',
	platform = 'linux',
	home = '/home/me',
	drainDelay = 0,
}: Partial<Program & {root: string; profile: string; drainDelay: number}> = {}) {
	const runtimeDirectory = '/run/user/1000';
	return serviceTarget(statePaths({root, profile, runtimeDirectory}), {node, program, platform, home}, drainDelay);
}

const lineOf = (text: string, key: string) => new RegExp(`^${key}=(.*)$`, 'mu').exec(text)?.[1];

describe('a word of a unit', () => {
	test.each([
		['/usr/bin/node', '/usr/bin/node'],
		['/home/a b/x', '"/home/a b/x"'],
		['/50%', '/50%%'],
		['/a b/50%', '"/a b/50%%"'],
		[String.raw`/back\slash`, String.raw`"/back\\slash"`],
		['/a"b', String.raw`"/a\"b"`],
		["/it's", '"/it\'s"'],
		['/a;b', '"/a;b"'],
		['/ü', '"/ü"'],
		['', '""'],
	])('%s is written as %s', (word, written) => expect(unitWord(word)).toBe(written));

	test.each([
		['variables stay text, but in the name of the executable there are none', ['/n$1', '/$HOME'], '/n$1 /$$HOME'],
		[
			'an executable that systemd would refuse is found by env',
			[String.raw`/a\b`, 'x'],
			String.raw`/usr/bin/env "/a\\b" x`,
		],
		['spaces', ['/a b/node', '--x', '/c d'], '"/a b/node" --x "/c d"'],
	] as const)('in a command line: %s', (_, command, line) => expect(execLine(command)).toBe(line));
});

describe('the unit', () => {
	test('has one line of each that is replaced', () => {
		for (const key of ['ExecStart', 'ReadWritePaths', 'Description']) {
			expect(shipped.split('\n').filter(line => line.startsWith(`${key}=`))).toHaveLength(1);
		}
	});

	test('starts this Node.js as the program starts itself', () => {
		const [shebang = ''] = readFileSync(new URL('../../../source/bin.ts', import.meta.url), 'utf8').split('\n');
		expect(shebang).toBe(`#!/usr/bin/env -S node ${nodeFlags.join(' ')}`);
		expect(lineOf(unitText(shipped, targetOf()), 'ExecStart')).toBe(
			`/usr/bin/node ${nodeFlags.join(' ')} /usr/local/bin/sluice gateway run --log json`,
		);
	});

	test('finds npx beside Node.js, and uvx', () => {
		const path = lineOf(unitText(shipped, targetOf({node: '/home/me/.nvm/v24/bin/node'})), 'Environment');
		expect(path).toMatch(/^PATH=\/home\/me\/\.nvm\/v24\/bin:\/home\/me\/\.local\/bin:.*:\/usr\/bin:/u);
	});

	test.each([
		['the own state directory', {}, '%h/.sluice', 'sluice gateway'],
		['another one', {root: '/srv/a b/50%'}, '"/srv/a b/50%%"', 'sluice --home "/srv/a b/50%%" gateway'],
		['a profile', {profile: 'work'}, '%h/.sluice', 'sluice --profile work gateway'],
		[
			'a long path, whose socket is elsewhere',
			{root: `/srv/${'x'.repeat(100)}`},
			`/srv/${'x'.repeat(100)} %t`,
			'--home',
		],
	])('may write to %s', (_, options, writable, words) => {
		const text = unitText(shipped, targetOf(options));
		expect(lineOf(text, 'ReadWritePaths')).toBe(writable);
		expect(lineOf(text, 'ExecStart')).toContain(words);
	});

	test('keeps every limit of the shipped one', () => {
		const limits = (text: string) =>
			text.split('\n').filter(line => /^(?:Protect|Restrict|Private|System|UMask|No)/u.test(line));
		expect(limits(shipped).length).toBeGreaterThan(10);
		expect(limits(unitText(shipped, targetOf()))).toEqual(limits(shipped));
	});

	test('gives a stop as long as `sluice stop` waits for it, and so does the agent of launchd', () => {
		expect(lineOf(unitText(shipped, targetOf({drainDelay: 30})), 'TimeoutStopSec')).toBe(`${longestStop(30)}`);
		expect(lineOf(unitText(shipped, targetOf()), 'TimeoutStopSec')).toBe(lineOf(shipped, 'TimeoutStopSec'));
		const agent = agentText(targetOf({platform: 'darwin', drainDelay: 30}));
		expect(stopSecondsOf(agent, 'launchd')).toBe(longestStop(30));
	});

	test('is named after the profile', () => {
		expect([unitName('default'), unitName('work')]).toEqual(['sluice.service', 'sluice-work.service']);
	});

	test('is refused for a path with control characters', () => {
		expect(() => targetOf({root: '/srv/a\nExecStartPre=/bin/false'})).toThrow('control characters');
	});

	const analyze = (process.env['PATH'] ?? '')
		.split(delimiter)
		.some(folder => existsSync(join(folder, 'systemd-analyze')));
	test.runIf(analyze).each([
		['plain paths', 'plain', {}],
		['paths that systemd could take for more', String.raw`a b/50%h/$HOME/it's "q" \x41 ;ü`, {}],
		['a profile', 'plain', {profile: 'work'}],
	])('with %s has nothing that systemd objects to', (_, name, options) => {
		const folder = temporaryDirectory();
		const own = join(folder, name);
		const node = join(own, 'node');
		mkdirSync(own, {recursive: true});
		writeFileSync(node, '#!/bin/sh\n');
		chmodSync(node, 0o755);
		const target = targetOf({root: own, node, program: join(own, 'sluice'), ...options});
		const path = join(folder, unitName(target.profile));
		writeFileSync(path, unitText(shipped, target));
		const env = {...process.env, HOME: folder, XDG_RUNTIME_DIR: folder};
		const verify = (file: string) =>
			execFileSync('systemd-analyze', ['--user', 'verify', file], {env, stdio: 'pipe', encoding: 'utf8'});
		expect(verify(path)).toBe('');
		const broken = join(folder, 'broken.service');
		writeFileSync(broken, unitText(shipped, target).replace(/^ExecStart=/mu, 'ExecStart=./'));
		expect(() => verify(broken)).toThrow();
	});
});

describe('the file that is there', () => {
	const root = '/home/me/--odd "dir"';
	const text = `# ${writtenFor(root)}\nnew`;
	test.each([
		['none', undefined, {kind: 'absent'}],
		['what is written', text, {kind: 'same'}],
		['the same by another path', 'other', {kind: 'same'}],
		['ours, changed', `# ${writtenFor(root)}\nold`, {kind: 'changed', text: `# ${writtenFor(root)}\nold`}],
		[
			'ours for another directory',
			`# ${writtenFor('/x')}\n`,
			{kind: 'other-home', home: '/x', text: `# ${writtenFor('/x')}\n`},
		],
		["somebody else's", '[Service]\n', {kind: 'by-hand', text: '[Service]\n'}],
		[
			'one with half a mark',
			'# Written by `sluice service install` for "',
			{kind: 'by-hand', text: expect.any(String)},
		],
		['an empty one', '', {kind: 'by-hand', text: ''}],
	])('is known: %s', (_, found, file) => expect(compareFile(found, {wanted: [text, 'other'], root})).toEqual(file));

	test('names its directory so that no comment of XML ends there', () => {
		expect(writtenFor(root)).not.toContain('--');
	});
});

describe('the state of a unit', () => {
	const at = {uptime: 100_000, now: 1_000_000};
	test.each([
		['nothing', '', {enabled: false, run: 'stopped', pid: null, since: null}],
		[
			'one that runs',
			'ActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=42\nActiveEnterTimestampMonotonic=40000000',
			{enabled: true, run: 'running', state: 'active (running)', pid: 42, since: 940_000},
		],
		['one that starts', 'ActiveState=activating\nSubState=start', {run: 'starting'}],
		[
			'one that waits for its next try',
			'ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nExecMainStatus=7',
			{run: 'failed', failure: {message: 'It exited with 7'}},
		],
		[
			'one whose Node.js is gone',
			'ActiveState=failed\nResult=exit-code\nExecMainStatus=203',
			{
				run: 'failed',
				failure: {message: expect.stringContaining('Node.js'), remedy: expect.stringContaining('service install')},
			},
		],
		[
			'one whose limits cannot be set',
			'ActiveState=failed\nResult=exit-code\nExecMainStatus=226',
			{
				failure: {
					message: expect.stringContaining('226/NAMESPACE'),
					remedy: expect.stringContaining('When limits cannot be set'),
				},
			},
		],
		[
			'one that took too long',
			'ActiveState=failed\nResult=timeout',
			{failure: {message: 'It did not start or stop in time'}},
		],
		['one that is masked', 'LoadState=masked\nUnitFileState=masked', {masked: true, enabled: false}],
	])('is read: %s', (_, text, state) => expect(readUnitState(text, at)).toMatchObject(state));
});

describe('a systemd that cannot be reached', () => {
	const here = {said: 'Failed to connect to bus', booted: true, runtimeDirectory: '/run/user/7', uid: 7};
	test.each([
		['there is none', {said: undefined}, /not found/u, /`sluice gateway run`/u],
		['in a container', {booted: false}, /does not run this system/u, /container.*wsl/iu],
		[
			'after su',
			{runtimeDirectory: undefined},
			/XDG_RUNTIME_DIR is not set/u,
			/enable-linger 7; export XDG_RUNTIME_DIR=\/run\/user\/7$/u,
		],
		['for another reason', {}, /cannot be reached: Failed to connect/u, /ssh/u],
	])('%s: one message with what to do', (_, different, message, remedy) => {
		const trouble = unreachable({...here, ...different});
		expect(trouble.message).toMatch(message);
		expect(trouble.remedy).toMatch(remedy);
	});
});

describe('the launchd agent', () => {
	const text = agentText(
		targetOf({root: '/Users/me/R&D <1>', program: '/opt/homebrew/bin/sluice', platform: 'darwin'}),
	);
	test('has every word of the command line in an element of its own, escaped', () => {
		expect(text).toContain(
			'\t\t<string>--home</string>\n\t\t<string>/Users/me/R&amp;D &lt;1&gt;</string>\n\t\t<string>gateway</string>',
		);
		expect(text).not.toMatch(/<string>[^<]*&(?!amp;|lt;|gt;|quot;)/u);
	});

	test('finds npx of Homebrew, and restarts what failed alone', () => {
		expect(text).toMatch(/<key>PATH<\/key>\n\t\t<string>\/usr\/bin:\/home\/me\/\.local\/bin:\/opt\/homebrew\/bin:/u);
		expect(text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/u);
	});

	test('is known by its mark', () => {
		expect(compareFile(text.replace('10', '20'), {wanted: [text], root: '/Users/me/R&D <1>'}).kind).toBe('changed');
	});

	test('is labelled after the profile', () => {
		expect([agentLabel('default'), agentLabel('work')]).toEqual(['dev.sluice.gateway', 'dev.sluice.gateway.work']);
	});

	test.each([
		[undefined, {run: 'stopped', state: 'not loaded', pid: null}],
		[
			'gui/5/x = {\n\tstate = running\n\tpid = 42\n\tlast exit code = (never exited)\n}',
			{run: 'running', state: 'running', pid: 42},
		],
		[
			'gui/5/x = {\n\tstate = spawn scheduled\n\tlast exit code = 78: EX_CONFIG\n}',
			{run: 'failed', failure: {message: 'It exited with 78: EX_CONFIG'}},
		],
		['gui/5/x = {\n\tstate = spawn scheduled\n\tlast exit code = (never exited)\n}', {run: 'starting', pid: null}],
	])('is read from what launchctl prints: %j', (printed, state) =>
		expect(readAgentState(printed, false)).toMatchObject(state),
	);

	test.each([
		['\t"dev.sluice.gateway" => disabled\n', true],
		['\t"dev.sluice.gateway" => true\n', true],
		['\t"dev.sluice.gateway" => enabled\n', false],
		['\t"dev.sluice.gateway.work" => disabled\n', false],
		['', false],
	])('is disabled by %j: %s', (printed, disabled) => expect(isDisabled(printed, 'dev.sluice.gateway')).toBe(disabled));
});
