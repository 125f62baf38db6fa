import {expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type HookQuestion} from '../../source/tools/decide-hook.ts';
import {openHookFixture, ruleOf} from './hook-fixture.ts';

const identified = {tool_use_id: 'call-1', program: 'vscode', via: 'vscode', tool: 'run_in_terminal'} as const;

test('the same call through two hook commands is one card, and both get its answer', async () => {
	const {ask, answer, approvals, clock, calls} = openHookFixture();
	const both = [ask(identified), ask({...identified, via: 'claude-code'})];
	await clock.settle();
	expect(approvals.pending()).toHaveLength(1);
	await answer({kind: 'approve', scope: 'once'});
	expect(await Promise.all(both)).toEqual([
		{decision: 'allow', message: null},
		{decision: 'allow', message: null},
	]);
	expect(await ask({...identified, via: 'cursor'})).toEqual({decision: 'allow', message: null});
	expect(calls).toHaveLength(1);
});

test.each<readonly [string, Partial<HookQuestion>]>([
	['through the same hook command', {}],
	['without an id', {tool_use_id: undefined, via: 'claude-code'}],
	['with another id', {tool_use_id: 'call-2', via: 'claude-code'}],
	['in another session', {session: 'other', via: 'claude-code'}],
])('two equal calls %s are two cards', async (_, change) => {
	const {ask, answer, approvals, clock} = openHookFixture();
	const both = [ask(identified), ask({...identified, ...change})];
	await clock.settle();
	expect(approvals.pending()).toHaveLength(2);
	await answer({kind: 'approve', scope: 'once'});
	await answer({kind: 'deny'});
	expect((await Promise.all(both)).map(({decision}) => decision)).toEqual(['allow', 'deny']);
});

test.each<readonly [string, Partial<HookQuestion>]>([
	['input', {input: {command: 'rm -rf /'}}],
	['tool', {tool: 'create_file'}],
	['order of members', {input: {description: 'Run the tests', command: 'npm test'}}],
])('the same id with another %s is denied', async (_, change) => {
	const {ask, answer, approvals, clock} = openHookFixture();
	const first = ask(identified);
	await clock.settle();
	const second = await ask({...identified, via: 'claude-code', ...change});
	expect(second).toMatchObject({decision: 'deny', message: expect.stringContaining('has the same id') as string});
	expect(approvals.pending()).toHaveLength(1);
	await answer({kind: 'approve', scope: 'once'});
	expect((await first).decision).toBe('allow');
});

test('the card stays until the last of its hooks has ended', async () => {
	const {ask, approvals, clock} = openHookFixture();
	const [first, second] = [new AbortController(), new AbortController()];
	const both = [ask(identified, first.signal), ask({...identified, via: 'claude-code'}, second.signal)];
	await clock.settle();
	first.abort(new Error('killed'));
	await expect(both[0]).rejects.toThrow('killed');
	expect(approvals.pending()).toHaveLength(1);
	second.abort(new Error('killed, too'));
	await expect(both[1]).rejects.toThrow('killed, too');
	await clock.settle();
	expect(approvals.pending()).toEqual([]);
});

test('a rule that denies meanwhile is not passed by an earlier answer', async () => {
	let rules: readonly Rule[] = [];
	const {ask, answer} = openHookFixture({ruleList: () => rules});
	const first = ask(identified);
	await answer({kind: 'approve', scope: 'once'});
	await first;
	rules = [ruleOf('deny', {tool: 'run_in_terminal'})];
	expect((await ask({...identified, via: 'claude-code'})).decision).toBe('deny');
});
