import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runApprovalRules} from '../../../source/commands/approvals/approval-rules.ts';
import {createRuntime, openSession} from '../../../source/commands/cli/session.ts';
import {openOwnClient} from '../../../source/gateway/own-client.ts';
import {startControl} from '../../control/control-fixture.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {openContext} from '../command-fixture.ts';

const notOpened = () => Promise.reject(new Error('opened although a gateway runs'));
const unused = {arguments: {}, origin: null, uses: 0, last_used_at: null};
const session = {
	id: 'a1',
	source: 'stored',
	action: 'allow',
	server: 'garden',
	tool: 'water',
	...unused,
	words: 'allows garden/water',
	scope: 'session',
	state: 'valid',
	remembered_at: 1,
} as const;
const written =
	'{action: allow, server: files, tool: read_file, arguments: {path: {prefix: /srv/app}}, ignore: [encoding]}';
const configured = `approvals:\n  rules:\n    - ${written}\n    - {action: deny, tool: "delete_*"}\n`;

/** A state directory with one rule, and access to it without a gateway. */
function openState(content?: string, config = '') {
	const home = temporaryDirectory();
	const file = join(home, 'approval-rules.json');
	const rule = {id: 'b2', server: 's', tool: 't', fingerprint: 'f', definition: {}, state: 'valid', rememberedAt: 2};
	writeFileSync(file, content ?? JSON.stringify({rules: [rule]}));
	writeFileSync(join(home, 'config.yaml'), config);
	const flags = {home, demo: false, dashboard: 'never', readOnly: true, ascii: true} as const;
	return {
		open: async () =>
			openOwnClient(createRuntime(openSession(flags, '0.0.0')), {signal: neverAborted(), report: () => undefined}),
		stored: () => (JSON.parse(readFileSync(file, 'utf8')) as {rules: unknown[]}).rules,
	};
}

describe('approvals rules', () => {
	test('lists what the running gateway remembers', async () => {
		const {path} = await startControl({'rules.list': () => [session]});
		const {context, stdout} = openContext({controlSocket: path, arguments: ['list'], flags: {json: true}});
		expect([await runApprovalRules(context, notOpened), JSON.parse(stdout())]).toEqual([0, [session]]);
	});

	test('lists the file when no gateway runs', async () => {
		const {context, stdout} = openContext({flags: {json: true}});
		await runApprovalRules(context, openState().open);
		expect(JSON.parse(stdout())).toEqual([
			{
				...session,
				id: 'b2',
				server: 's',
				tool: 't',
				words: 'allows s/t with any arguments',
				scope: 'always',
				remembered_at: 2,
			},
		]);
	});

	test('lists a table', async () => {
		const {context, stdout} = openContext();
		await runApprovalRules(context, openState().open);
		expect(stdout()).toMatch(/b2 {2}stored {2}always {2}valid .* allows s\/t/u);
	});

	test('lists the rules of config.yaml in words, and removes none of them', async () => {
		const {open} = openState(undefined, configured);
		const {context, stdout} = openContext({flags: {json: true}});
		await runApprovalRules(context, open);
		const rows = JSON.parse(stdout()) as ReadonlyArray<{readonly id: string}>;
		expect(rows).toMatchObject([
			{
				source: 'config',
				action: 'allow',
				server: 'files',
				tool: 'read_file',
				arguments: {path: {prefix: '/srv/app'}},
				origin: null,
				uses: 0,
				last_used_at: null,
				words: 'allows files/read_file when path is below /srv/app, with any value of encoding',
			},
			{source: 'config', action: 'deny', server: null, tool: 'delete_*', words: 'denies delete_* of any server'},
			{source: 'stored', id: 'b2'},
		]);
		const revoke = openContext({arguments: ['revoke', rows[0]?.id ?? '']});
		expect(await runApprovalRules(revoke.context, open)).toBe(1);
		expect(revoke.stderr()).toContain('This rule is in config.yaml; remove it there, under `approvals.rules`');
	});

	test.each([
		{
			tool: 'read_file',
			args: '{"path": "/srv/app/x", "encoding": "utf8"}',
			verdict: 'allow',
			words: 'allows files/read_file',
		},
		{tool: 'read_file', args: '{"path": "/srv/app/../x"}', verdict: 'none'},
		{tool: 'Delete_all', args: '{}', verdict: 'deny', words: 'denies delete_* of any server'},
	])('tests $tool with $args: $verdict', async ({tool, args, verdict, words}) => {
		const {open} = openState(undefined, configured);
		const listed = openContext({flags: {json: true}});
		await runApprovalRules(listed.context, open);
		const rows = JSON.parse(listed.stdout()) as ReadonlyArray<{readonly id: string; readonly words: string}>;
		const rule = rows.find(row => words !== undefined && row.words.startsWith(words))?.id ?? null;
		const tested = openContext({arguments: ['test'], flags: {json: true, server: 'files', tool, args}});
		expect(await runApprovalRules(tested.context, open)).toBe(0);
		expect(JSON.parse(tested.stdout())).toEqual({verdict, rule, undecided: false});
	});

	test('refuses arguments in which a name stands twice', async () => {
		const args = '{"path": "/srv/app/x", "p\\u0061th": "/etc/passwd"}';
		const {context, stderr} = openContext({arguments: ['test'], flags: {server: 's', tool: 't', args}});
		expect(await runApprovalRules(context, openState().open)).toBe(2);
		expect(stderr()).toContain('--args: An object contains the same name twice');
	});

	test('says which ids there are when none is the one to remove', async () => {
		const rule = {...session, id: 'stored-3f9a1c2b'};
		const config = {...session, id: 'rule-3f9a1c2b', source: 'config'} as const;
		const {path} = await startControl({
			'rules.list': () => [config, rule],
			'rules.revoke': () => ({answer: 'unknown'}),
		});
		const remote = openContext({controlSocket: path, arguments: ['revoke', 'other']});
		const local = openContext({arguments: ['revoke', 'other']});
		expect(await runApprovalRules(remote.context, notOpened)).toBe(1);
		expect(await runApprovalRules(local.context, openState().open)).toBe(1);
		const unknown = 'sluice: No stored rule or remembered approval has the id other.';
		expect([remote.stderr(), local.stderr()]).toEqual([
			`${unknown} Stored rules: 3f9a1c2b. Remembered approvals: none.\n`,
			`${unknown} Stored rules: none. Remembered approvals: b2.\n`,
		]);
	});

	test('says in words what a tested call meets', async () => {
		const rules = 'approvals: {rules: [{action: deny, arguments: {path: {prefix: /etc}}}]}';
		const {context, stdout} = openContext({
			arguments: ['test'],
			flags: {server: 's', tool: 't', args: '{"path": "x"}'},
		});
		await runApprovalRules(context, openState(undefined, rules).open);
		expect(stdout()).toMatch(
			/^ask: rule-\w{8} denies every tool when path is below \/etc; it is undecided if it applies\n$/u,
		);
	});

	test('lists and tests nothing while the rules cannot be read', async () => {
		const {open} = openState(undefined, 'approvals: {rules: [{action: deny, tol: x}]}');
		const tested = openContext({arguments: ['test'], flags: {server: 's', tool: 't'}});
		expect(await runApprovalRules(tested.context, open)).toBe(1);
		expect(tested.stderr()).toContain('did you mean "tool"?');
	});

	test('says which file cannot be read', async () => {
		const {context, stderr} = openContext();
		expect(await runApprovalRules(context, openState('{').open)).toBe(1);
		expect(stderr()).toContain('approval-rules.json');
	});

	test('revokes in the running gateway', async () => {
		const revoked: string[] = [];
		const {path} = await startControl({
			'rules.revoke'({id}) {
				revoked.push(id);
				return {answer: 'revoked'};
			},
		});
		const {context} = openContext({controlSocket: path, arguments: ['revoke', 'a1']});
		expect([await runApprovalRules(context, notOpened), revoked]).toEqual([0, ['a1']]);
	});

	test('revokes in the file when no gateway runs', async () => {
		const {open, stored} = openState();
		const {context} = openContext({arguments: ['revoke', 'b2']});
		expect([await runApprovalRules(context, open), stored()]).toEqual([0, []]);
	});

	test('revokes by a part of an id that only one rule has', async () => {
		const rule = {server: 's', fingerprint: 'f', definition: {}, state: 'valid', rememberedAt: 2};
		const rules = ['11110000aaaa', '22220000aaaa'].map(id => ({...rule, id, tool: id}));
		const {open, stored} = openState(JSON.stringify({rules}));
		const ambiguous = openContext({arguments: ['revoke', '0000aaaa']});
		expect(await runApprovalRules(ambiguous.context, open)).toBe(2);
		expect(ambiguous.stderr()).toContain('11110000aaaa, 22220000aaaa');
		expect(stored()).toHaveLength(2);
		const {context} = openContext({arguments: ['revoke', '2222']});
		expect([await runApprovalRules(context, open), stored()]).toEqual([0, [rules[0]]]);
	});

	test.each([
		['revoked', 0],
		['unknown', 1],
		['failed', 1],
	] as const)('says with --json that the rule is %s, and ends with %d', async (answer, code) => {
		const {path} = await startControl({'rules.revoke': () => ({answer})});
		const {context, stdout} = openContext({controlSocket: path, arguments: ['revoke', 'x'], flags: {json: true}});
		expect(await runApprovalRules(context, notOpened)).toBe(code);
		expect(JSON.parse(stdout())).toEqual({id: 'x', answer});
	});

	test.each([{}, {server: 's'}, {server: 's', tool: 't', args: '[]'}])(
		'a test with %j is not understood',
		async flags => {
			const {context} = openContext({arguments: ['test'], flags});
			expect(await runApprovalRules(context, notOpened)).toBe(2);
		},
	);

	test.each([[['revoke']], [['revoke', 'a', 'b']], [['list', 'a']], [['forget', 'a']]])(
		'%j is not understood',
		async words => {
			const {context} = openContext({arguments: words});
			expect(await runApprovalRules(context, notOpened)).toBe(2);
		},
	);
});
