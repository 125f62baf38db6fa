import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {loadedBy, readTree} from '../../helpers/architecture.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {calls, config, openHome, record} from './recorded-home.ts';

const noEtc = {action: 'deny', server: '*', tool: 'read_*', arguments: {path: {prefix: '/etc'}}};
const belowApp = {action: 'allow', server: 'files', tool: 'write_file', arguments: {path: {prefix: '/srv/app'}}};
function writeRules(home: string, content: string): string {
	const path = join(home, 'tried.yaml');
	writeFileSync(path, content);
	return path;
}

const rehearse = (home: string, ...words: readonly string[]) => runSluice({home}, 'rules', 'rehearse', ...words);
const json = async (home: string, ...words: readonly string[]): Promise<unknown> =>
	JSON.parse((await rehearse(home, ...words, '--json')).stdout);
const id = expect.stringMatching(/^rule-[\da-f]{8}$/u) as string;
const secret = {call_id: 'secret', before: 'allow', after: 'deny', rule: id};
const below = {call_id: 'below', before: 'ask', after: 'allow', rule: id};
const old = {...below, call_id: 'old'};

describe('rules rehearse', () => {
	test('says the same with and without a gateway: what rules would have made of the calls of the profile', async () => {
		const home = await openHome();
		const file = writeRules(home, JSON.stringify([noEtc, belowApp]));
		const figures = {calls: 4, allow: 2, ask: 1, deny: 1, changed: [secret, below, old]};
		expect(await json(home, file)).toEqual(figures);
		expect(await json(home, file, '--since', '7d')).toEqual({...figures, calls: 3, allow: 1, changed: [secret, below]});
		expect(await json(home)).toEqual({calls: 4, allow: 1, ask: 3, deny: 0, changed: []});

		await runGateway(config(), home);
		expect(await json(home, file)).toEqual(figures);
		expect(await json(home, '--rule', JSON.stringify(noEtc))).toEqual({
			calls: 4,
			allow: 0,
			ask: 3,
			deny: 1,
			changed: [secret],
		});
		expect(await json(home, '--since', '7d')).toEqual({calls: 3, allow: 1, ask: 2, deny: 0, changed: []});
	});

	test('a whole config.yaml replaces the rules of the present one', async () => {
		const home = await openHome(calls, [noEtc]);
		expect(await json(home, writeRules(home, config([belowApp])))).toEqual({
			calls: 4,
			allow: 3,
			ask: 1,
			deny: 0,
			changed: [{...secret, before: 'deny', after: 'allow'}, below, old],
		});
		expect(await json(home, writeRules(home, JSON.stringify([belowApp])))).toMatchObject({deny: 1});
	});

	test('names the first calls that would change, and how to open them', async () => {
		const home = await openHome();
		const {stdout, code} = await rehearse(home, writeRules(home, JSON.stringify([noEtc, belowApp])));
		const [summary, changes, titles, first, ...rest] = stdout.trimEnd().split('\n');
		expect([code, summary, changes]).toEqual([
			0,
			'4 recorded calls: 2 allowed, 1 asked about, 1 denied.',
			'3 verdicts would change:',
		]);
		expect(titles).toMatch(/^TIME +ID +SERVER +TOOL +NOW +THEN +RULE$/u);
		expect(first).toMatch(/ secret +notes +read_file +allow +deny +rule-[\da-f]{8}$/u);
		expect(rest.at(-1)).toMatch(/^Open one with `sluice.* calls show secret`\.$/u);
		const same = await rehearse(home, '--rule', JSON.stringify({...noEtc, tool: 'nothing'}));
		expect(same).toMatchObject({code: 0, stdout: expect.stringContaining('No verdict would change.')});
	});

	test('approvals that are remembered count, and those of another definition do not', async () => {
		const home = await openHome([record('a', {}), record('b', {judged: {fingerprint: 'g', decision: 'asked'}})]);
		const rule = {
			id: 'x',
			server: 'files',
			tool: 'write_file',
			fingerprint: 'f',
			definition: {},
			state: 'valid',
			rememberedAt: 2,
		};
		writeFileSync(join(home, 'approval-rules.json'), JSON.stringify({rules: [rule]}));
		expect(await json(home)).toEqual({calls: 2, allow: 1, ask: 1, deny: 0, changed: []});
	});

	test('an empty journal has no calls', async () => {
		const home = await openHome([]);
		const none = {calls: 0, allow: 0, ask: 0, deny: 0, changed: []};
		expect(await json(home, '--rule', JSON.stringify(noEtc))).toEqual(none);
		expect(await rehearse(home)).toEqual({code: 0, stdout: '', stderr: 'No calls are recorded.\n'});
		expect((await rehearse(home, '--since', '1d')).stderr).toMatch(/^No calls are recorded since /u);
	});
});

test('rules rehearse cannot send anything: nothing that connects to servers or calls tools is loaded', () => {
	const files = readTree(fileURLToPath(new URL('../../../source', import.meta.url)));
	const loaded = (...starts: readonly string[]) => [...loadedBy(files, starts)];
	const sends = (path: string) => /^(mcp|net|delivery|agent|oauth|runs)\/|^tools\/(call-|endpoint)/u.test(path);
	const rehearsing = ['commands/approvals/rehearse-rules.ts', 'gateway/stores/rehearsal-sources.ts'];
	expect(loaded(...rehearsing, 'gateway/stores/recorded-calls.ts').filter(sends)).toEqual([]);
	expect(
		loaded('gateway/services/rehearsal-thread.ts').filter(path => sends(path) || path.startsWith('journal/')),
	).toEqual([]);
	expect(loaded('gateway/own-tools.ts').filter(sends)).toContain('tools/call-tool.ts');
	const asked = files
		.find(({path}) => path === 'commands/approvals/rehearse-rules.ts')
		?.text.matchAll(/\bcall\('([\w.]+)'/gu);
	expect([...(asked ?? [])].map(([, method]) => method)).toEqual(['mcp.tools', 'calls.page']);
});

describe('rules rehearse does not understand', () => {
	test.each<readonly [string, readonly string[], string]>([
		['a file that is not there', ['nowhere.yaml'], 'nowhere.yaml'],
		['a folder', ['.'], 'cannot be read'],
		['a file and a rule', ['a.yaml', '--rule', '{}'], 'Usage'],
		['two files', ['a.yaml', 'b.yaml'], 'Usage'],
		['a time', ['--since', 'soon'], '--since cannot be "soon". Allowed: an age such as 10m, 2h or 1d'],
		['a rule with an unknown key', ['--rule', '{"action": "deny", "tol": "x"}'], 'tol'],
		['a rule with a key twice', ['--rule', '{"action": "deny", "action": "allow"}'], 'twice'],
		[
			'a rule that allows every tool',
			['--rule', '{"action": "allow", "server": "s", "tool": "*"}'],
			'An allow rule cannot be for "*"',
		],
		['a rule that is no JSON', ['--rule', '{'], '--rule'],
		['a rule that is a text', ['--rule', 'deny'], 'a mapping with action'],
		['an empty rule', ['--rule', ''], '--rule'],
	])('%s', async (_, words, named) => {
		const home = await openHome([]);
		expect(await rehearse(home, ...words)).toEqual({code: 2, stdout: '', stderr: expect.stringContaining(named)});
	});

	test.each<readonly [string, string, string]>([
		['an unknown key in a list', '- {action: deny, tool: a}\n- {action: deny, tol: b}\n', ':2:'],
		['an unknown key in a config.yaml', 'approvals:\n  rules:\n    - {action: deny, tol: b}\n', ':3:'],
		['a mapping without approvals', 'rules: []\n', 'a list of rules, or a config.yaml'],
		['a text', 'deny\n', 'a list of rules, or a config.yaml'],
		['nothing', '', 'a list of rules, or a config.yaml'],
		['broken YAML', '- {action: deny\n', 'tried.yaml'],
		['values nested too deep', `${'['.repeat(3000)}${']'.repeat(3000)}`, 'tried.yaml'],
	])('a file with %s', async (_, content, named) => {
		const home = await openHome([]);
		expect(await rehearse(home, writeRules(home, content))).toEqual({
			code: 2,
			stdout: '',
			stderr: expect.stringContaining(named),
		});
	});

	test('rules of config.yaml or stored approvals that are broken', async () => {
		const home = await openHome(calls, [{action: 'deny', tol: 'x'}]);
		expect(await rehearse(home, '--rule', JSON.stringify(noEtc))).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('tol'),
		});
		const stored = await openHome();
		writeFileSync(join(stored, 'approval-rules.json'), '{');
		expect(await rehearse(stored)).toMatchObject({code: 1, stderr: expect.stringContaining('approval-rules.json')});
	});
});
