import {describe, expect, test} from 'vitest';
import {decisionFlaw} from '../../source/approvals/approval-queue.ts';
import {openTestHold} from '../helpers/open-hold.ts';
import {openHookFixture, question, ruleOf} from './hook-fixture.ts';

const atOnce = {waits: 'at-once'} as const;

describe('a call that waits for a person', () => {
	test('is shown with its folder, as one that the program makes, and allowed once its row is stored', async () => {
		const {ask, answer, card, clock, order, calls, ends} = openHookFixture();
		const decided = ask();
		await clock.settle();
		expect(card()).toMatchObject({
			server: 'hook:claude-code',
			tool: 'Bash',
			transport: 'hook',
			trust: 'untrusted',
			arguments: {command: 'npm test', description: 'Run the tests', 'hook.cwd': '/srv/app'},
			grants: 'once-or-this-command',
		});
		await answer({kind: 'approve', scope: 'once'});
		expect(await decided).toEqual({decision: 'allow', message: null});
		expect(order).toEqual(['journal knows', 'journal closes']);
		expect(calls).toMatchObject([{server: 'hook:claude-code', tool: 'Bash', origin: question.origin}]);
		expect(ends).toMatchObject([
			[
				expect.any(String),
				{outcome: 'ok', result: {text: expect.stringContaining('Decided here, done elsewhere') as string}},
			],
		]);
	});

	test('is denied with the reason of the person', async () => {
		const {ask, answer, decisions, calls} = openHookFixture();
		const decided = ask();
		await answer({kind: 'deny', message: 'not on a Friday'});
		expect(await decided).toEqual({decision: 'deny', message: 'Denied by console:1: not on a Friday'});
		expect(decisions).toMatchObject([{server: 'hook:claude-code', outcome: 'denied', by: 'console:1'}]);
		expect(calls).toEqual([]);
	});

	test('stays undecided when nobody is there, nobody answers, or the gateway stops', async () => {
		const {ask, clock, closeConsole, approvals} = openHookFixture();
		const unanswered = ask();
		await clock.settle();
		await clock.advance(300_000);
		expect((await unanswered).decision).toBe('undecided');
		const stopped = ask();
		await clock.settle();
		approvals.close();
		expect((await stopped).decision).toBe('undecided');
		closeConsole();
		expect((await ask()).decision).toBe('undecided');
	});

	test('is withdrawn when its hook ends', async () => {
		const {ask, approvals, clock, ofType} = openHookFixture();
		const controller = new AbortController();
		const decided = ask({}, controller.signal);
		await clock.settle();
		expect(approvals.pending()).toHaveLength(1);
		controller.abort(new Error('the hook was killed'));
		await expect(decided).rejects.toThrow('the hook was killed');
		await clock.settle();
		expect(approvals.pending()).toEqual([]);
		expect(ofType('approval.settled')).toMatchObject([{outcome: 'cancelled'}]);
	});

	test('waits while everything is held, and goes on after the release', async () => {
		const hold = openTestHold();
		const {ask, answer, clock} = openHookFixture({hold});
		const {held} = await hold.hold({by: 'cli', reason: 'lunch'});
		let state = 'waiting';
		const decided = ask().finally(() => (state = 'over'));
		await answer({kind: 'approve', scope: 'once'});
		await clock.settle();
		expect(state).toBe('waiting');
		await hold.release({by: 'cli', hash: held.hash});
		expect((await decided).decision).toBe('allow');
	});

	test.each([
		['a shell command', 'Bash', 'once-or-this-command'],
		['an edit', 'Edit', 'once-or-rule'],
		['a call of the network', 'WebFetch', 'once-or-rule'],
	])('%s can only be allowed once, or by a rule', async (_, tool, grants) => {
		const {ask, approvals, card, clock, answer, rules} = openHookFixture();
		const decided = ask({tool});
		await clock.settle();
		const request = card();
		expect(request.grants).toBe(grants);
		const {argumentsHash} = request;
		expect(
			(['once', 'session', 'always'] as const).map(scope =>
				decisionFlaw({argumentsHash, verdict: {kind: 'approve', scope}}, request),
			),
		).toEqual([undefined, 'not-offered', 'not-offered']);
		expect(
			approvals.answer({id: request.id, argumentsHash, verdict: {kind: 'approve', scope: 'always'}, by: 'cli'}),
		).toBe('not-offered');
		await answer({kind: 'approve', scope: 'once'});
		await decided;
		expect(rules.list()).toEqual([]);
	});

	test('no remembered approval spares the question about a shell command, and one does for another tool', async () => {
		const {ask, answer, approvals, clock, rules} = openHookFixture();
		const read = ask({tool: 'Read'});
		await answer({kind: 'approve', scope: 'session'});
		expect((await read).decision).toBe('allow');
		expect((await ask({tool: 'Read'})).decision).toBe('allow');
		const [remembered] = rules.list();
		await rules.remember({...(remembered ?? expect.unreachable('nothing is remembered')), tool: 'Bash'}, 'session');
		const shell = ask();
		await clock.settle();
		expect(approvals.pending()).toHaveLength(1);
		await answer({kind: 'deny'});
		await shell;
	});

	test('a rule about exactly this command spares the question', async () => {
		const allow = ruleOf('allow', {
			arguments: {command: {equals: 'npm test'}, 'hook.cwd': {equals: '/srv/app'}},
			ignore: ['description'],
		});
		const {ask, answer, calls} = openHookFixture({ruleList: () => [allow]});
		expect(await ask()).toEqual({decision: 'allow', message: null});
		expect(calls).toHaveLength(1);
		const other = ask({cwd: '/srv/other'});
		await answer({kind: 'deny'});
		expect((await other).decision).toBe('deny');
	});

	test('an argument hook.cwd of its own is denied, and so is an input that cannot be passed on', async () => {
		const {ask, refused} = openHookFixture();
		const own = await ask({input: {command: 'ls', 'hook.cwd': '/tmp'}});
		expect(own).toEqual({decision: 'deny', message: 'The input has an argument hook.cwd of its own'});
		expect((await ask({input: {command: '\uD800'}})).decision).toBe('deny');
		expect(refused).toMatchObject([
			[{server: 'hook:claude-code', tool: 'Bash'}, {code: 'invalid_arguments'}],
			[{}, {}],
		]);
	});

	test('without a folder the call has no such argument', async () => {
		const {ask, answer, card, clock} = openHookFixture();
		const decided = ask({cwd: undefined});
		await clock.settle();
		expect(card().arguments).toEqual(question.input);
		await answer({kind: 'deny'});
		await decided;
	});
});

describe('a call that is answered at once', () => {
	test('gets nothing and leaves no row', async () => {
		const {ask, calls, refused, decisions, ofType} = openHookFixture({ruleList: () => [ruleOf('ask')]});
		expect(await ask(atOnce)).toEqual({decision: 'nothing', message: null});
		expect([calls, refused, decisions, ofType('tool.finished')]).toEqual([[], [], [], []]);
	});

	test('is denied by a rule, with a row', async () => {
		const deny = ruleOf('deny', {arguments: {command: {glob: 'npm *'}}, reason: 'not here'});
		const {ask, refused, decisions} = openHookFixture({ruleList: () => [deny]});
		expect(await ask(atOnce)).toEqual({decision: 'deny', message: 'Denied by rule rule-deny: not here'});
		expect(decisions).toMatchObject([{outcome: 'denied', by: 'rule rule-deny'}]);
		expect(refused).toMatchObject([[{server: 'hook:claude-code', judged: {decision: 'denied'}}, {outcome: 'denied'}]]);
		expect((await ask({...atOnce, input: {command: 'ls'}})).decision).toBe('nothing');
	});

	test('is denied by the hold, until the release', async () => {
		const hold = openTestHold();
		const {ask, approvals} = openHookFixture({hold});
		const {held} = await hold.hold({by: 'cli', reason: 'lunch'});
		expect(await ask(atOnce)).toEqual({decision: 'deny', message: expect.stringContaining('lunch') as string});
		expect(approvals.pending()).toEqual([]);
		await hold.release({by: 'cli', hash: held.hash});
		expect((await ask(atOnce)).decision).toBe('nothing');
	});

	test('is denied by an ask rule only in a mode in which the program never asks', async () => {
		const {ask, approvals} = openHookFixture({ruleList: () => [ruleOf('ask')]});
		expect((await ask({...atOnce, mode: 'never-asks'})).decision).toBe('deny');
		expect((await ask({...atOnce, mode: 'never-asks', tool: 'Read'})).decision).toBe('nothing');
		expect((await ask(atOnce)).decision).toBe('nothing');
		expect(approvals.pending()).toEqual([]);
	});

	test('is denied while the rules cannot be read', async () => {
		const {ask} = openHookFixture({ruleState: () => ({kind: 'invalid', problem: {message: 'line 3'}})});
		expect(await ask(atOnce)).toMatchObject({decision: 'deny', message: expect.stringContaining('line 3') as string});
	});
});
