import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {typeSluice} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {config, openHome} from './recorded-home.ts';

const rules = (home: string, ...words: readonly string[]) => runSluice({home}, 'rules', ...words);
const json = async (home: string, ...words: readonly string[]): Promise<unknown> =>
	JSON.parse((await rules(home, ...words, '--json')).stdout);
const storedIn = (home: string): readonly unknown[] => {
	const path = join(home, 'approval-rules.json');
	return existsSync(path) ? ((JSON.parse(readFileSync(path, 'utf8')) as {stored?: unknown[]}).stored ?? []) : [];
};
const id = expect.stringMatching(/^stored-[\da-f]{8}$/u) as string;
const noEtc = ['--deny', '*/read_*', 'path^=/etc'];
const belowApp = ['--allow', 'files/write_file', 'path^=/srv/app', '--ignore', 'mode'];

describe('rules add', () => {
	test('stores a deny rule at once, with the rehearsal in one line, and once', async () => {
		const home = await openHome();
		const {code, stdout} = await rules(home, 'add', ...noEtc, '--reason', 'not from here');
		expect([code, stdout.replace(/since .*/u, 'since TIME')]).toEqual([
			0,
			expect.stringMatching(
				/^Stored: stored-[\da-f]{8} denies read_\* of any server when path is below \/etc\nIt would have changed 1 of 4 recorded calls since TIME\n$/u,
			),
		]);
		expect((await rules(home, 'add', ...noEtc)).stdout).toMatch(/^Stored already: /u);
		const rule = {action: 'deny', server: '*', tool: 'read_*', arguments: {path: {prefix: '/etc'}}};
		expect(storedIn(home)).toMatchObject([{rule: {...rule, reason: 'not from here'}}]);
		expect(await json(home, 'list')).toMatchObject([{id, source: 'stored', ...rule, origin: null}]);
		const call = ['--server', 'notes', '--tool', 'read_file', '--args', '{"path": "/etc/passwd"}'];
		expect(await json(home, 'test', ...call)).toEqual({verdict: 'deny', rule: id, undecided: false});
		expect(await json(home, 'add', ...noEtc)).toEqual({
			id,
			answer: 'known',
			words: 'denies read_* of any server when path is below /etc',
			rule: {...rule, ignore: []},
			rehearsal: {calls: 4, changed: 1, since: expect.any(Number)},
		});
	});

	test('stores an allow rule only with the hash of the page that shows it', async () => {
		const home = await openHome();
		const page = await rules(home, 'add', ...belowApp);
		expect(page).toMatchObject({code: 2, stdout: ''});
		expect(page.stderr).toMatch(
			/^This rule allows files\/write_file when path is below \/srv\/app, with any value of mode\.\n/u,
		);
		expect(page.stderr).toMatch(
			/It would have changed 2 of 4 recorded calls since .*\nTIME [\s\S]* below +files +write_file +ask +allow /u,
		);
		const [, hash = ''] = /^hash: ([\da-f]{64})$/mu.exec(page.stderr) ?? [];
		expect(await rules(home, 'add', ...belowApp, '--hash', 'ab12')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('not the hash of this rule; nothing was stored'),
		});
		expect(await rules(home, 'add', ...belowApp.with(2, 'path^=/srv'), '--hash', hash)).toMatchObject({code: 1});
		expect(storedIn(home)).toEqual([]);
		expect(await rules(home, 'add', ...belowApp, '--hash', hash)).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^Stored: stored-/u),
		});
		expect(storedIn(home)).toHaveLength(1);
		expect((await rules(home, 'add', ...belowApp)).stdout).toMatch(/^Stored already: /u);
	});

	test('asks at a terminal before it stores an allow rule', async () => {
		const home = await openHome([]);
		for (const [key, code, stored] of [
			['\r', 1, 0],
			['y\r', 0, 1],
		] as const) {
			const terminal = typeSluice({home}, 'rules', 'add', ...belowApp);
			await terminal.waitFor('Store it? [y/N]');
			expect(terminal.screen().join('\n')).toContain('No calls are recorded yet.');
			terminal.press(key);
			expect(await terminal.exit).toBe(code);
			expect(storedIn(home)).toHaveLength(stored);
		}
	});

	test('under `cli: deny` only narrows, and what narrows stays', async () => {
		const home = await openHome([]);
		writeFileSync(join(home, 'config.yaml'), config([], {cli: 'deny'}));
		const denied = {code: 1, stdout: '', stderr: expect.stringContaining('(`approvals.cli: deny`)')};
		expect(await rules(home, 'add', ...belowApp)).toEqual(denied);
		expect(storedIn(home)).toEqual([]);
		expect(await rules(home, 'add', ...noEtc)).toMatchObject({code: 0});
		expect(await rules(home, 'add', '--ask', 'files/*')).toMatchObject({code: 0});
		const listed = (await json(home, 'list')) as ReadonlyArray<{readonly id: string}>;
		expect(listed).toMatchObject([{action: 'deny'}, {action: 'ask'}]);
		for (const row of listed) {
			expect(await rules(home, 'remove', row.id)).toEqual(denied);
		}

		writeFileSync(join(home, 'config.yaml'), config([]));
		expect(await rules(home, 'remove', listed[0]?.id ?? '')).toMatchObject({code: 0});
		expect(await json(home, 'list')).toMatchObject([{action: 'ask'}]);
	});

	test('holds at once in a running gateway: a call that waits is denied by it', async () => {
		const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
		const settings = {
			gateway: {endpoint: {port: 0}},
			mcp_servers: {garden},
			approvals: {unattended: 'hold', cli: 'deny'},
		};
		const {gateway, paths, eventWhere, events} = await runGateway(JSON.stringify(settings), temporaryDirectory());
		await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		const call = gateway.callTool(
			{name: 'mcp__garden__append', arguments: {file: '/dev/null', text: 'x'}, origin: {kind: 'command-line'}},
			{signal: neverAborted()},
		);
		await eventWhere(({type}) => type === 'approval.requested');
		expect(await rules(paths.root, 'add', '--allow', 'garden/append', 'file=/dev/null')).toMatchObject({code: 1});
		expect(await rules(paths.root, 'add', '--deny', 'garden/append', 'file^=/dev')).toMatchObject({code: 0});
		expect(await call).toMatchObject({kind: 'error', error: {code: 'denied'}});
		expect(events.filter(event => event.type === 'log' && event.text.startsWith('cli stored the rule'))).toHaveLength(
			1,
		);
		expect(storedIn(paths.root)).toHaveLength(1);
	});

	test.each<readonly [string, readonly string[], string]>([
		['no tool', ['--deny'], 'SERVER/TOOL'],
		['a rule that allows every tool', ['--allow', 'files/*'], 'An allow rule cannot be for "*"'],
		['a relative path', ['--deny', 'files/a', 'path^=etc'], 'an absolute path'],
		['a number that is none', ['--deny', 'files/a', 'size<=big'], 'a number'],
		['an unknown origin', ['--ask', 'files/a', '--origin', 'moon'], 'route, job, endpoint, command, person'],
		['a host with a scheme', ['--deny', 'files/a', 'url@=https://x'], 'without a scheme and a port'],
		['an allow rule for any route', ['--allow', 'files/a', '--origin', 'route'], 'An allow rule must name its route'],
	])('refuses %s', async (_, words, named) => {
		const home = await openHome([]);
		expect(await rules(home, 'add', ...words)).toEqual({code: 2, stdout: '', stderr: expect.stringContaining(named)});
		expect(storedIn(home)).toEqual([]);
	});
});
