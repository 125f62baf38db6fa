import {describe, expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {createPreapproval} from '../../source/approvals/preapproval.ts';
import {type Origin} from '../../source/state/origin.ts';
import {createUntrustedTexts} from '../../source/tools/untrusted-texts.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openCallFixture} from './call-fixture.ts';

const rule = (members: Partial<Rule>): Rule => ({
	id: 'r1',
	source: 'config',
	action: 'allow',
	server: 'files',
	tool: 'write',
	arguments: {},
	ignore: [],
	...members,
});
const deny = rule({action: 'deny', reason: 'never from here'});
const ask = rule({action: 'ask'});
const allow = rule({arguments: {path: {prefix: '/srv/app'}}});

const args = {path: '/srv/app/notes.txt'};
const result = {kind: 'result', result: 'done'};
const denied = {
	kind: 'error',
	error: {code: 'denied', message: 'Denied by rule r1: never from here', server: 'files'},
};

function open(rules: readonly Rule[], more: Parameters<typeof openCallFixture>[0] = {}) {
	return openCallFixture({ruleList: () => rules, ...more});
}

describe('a rule that denies', () => {
	test.each([
		['an untrusted server', {}],
		['a trusted server', {config: {trust: 'full'}}],
		[
			'a caller who has approved it already',
			{ask: createPreapproval({publish() {}, clock: createFakeClock(), by: 'cli'})},
		],
	] as const)('beats %s', async (_, options) => {
		const {call, requests, ofType, decisions, refused} = open([deny, allow], options);
		expect(await call('write', args)).toEqual(denied);
		expect([requests, ofType('approval.requested')]).toEqual([[], []]);
		const decision = {outcome: 'denied', by: 'rule r1', message: 'never from here'};
		expect(decisions).toMatchObject([decision]);
		expect(ofType('approval.settled')).toMatchObject([decision]);
		const mark = {id: 'r1', action: 'deny', source: 'config'};
		expect(refused).toMatchObject([[{judged: {decision: 'denied', rule: mark}}, {outcome: 'denied'}]]);
		expect(ofType('tool.finished')).toMatchObject([{outcome: 'denied', code: 'denied', rule: mark}]);
	});

	test.each(['session', 'always'] as const)('beats an approval that is remembered for the scope %s', async scope => {
		let rules: readonly Rule[] = [];
		const {call, answer} = openCallFixture({ruleList: () => rules});
		const first = call('write', args);
		await answer({kind: 'approve', scope});
		expect(await first).toEqual(result);
		rules = [deny];
		expect(await call('write', args)).toEqual(denied);
	});

	test('beats a read-only claim', async () => {
		const {call} = open([{...deny, tool: 'read'}]);
		expect(await call('read')).toEqual(denied);
	});

	test('leaves other tools alone', async () => {
		const {call} = open([deny]);
		expect(await call('read')).toEqual(result);
	});
});

describe('a rule that asks', () => {
	test.each([
		['of an untrusted server', 'write', {}],
		['of a trusted server', 'write', {config: {trust: 'full'}}],
		['that claims to be read-only', 'read', {}],
	] as const)('asks about a tool %s, once and with its own words', async (_, tool, options) => {
		const {call, answer, approvals, clock, calls, decisions} = open([{...ask, tool, reason: 'look twice'}], options);
		const outcome = call(tool, args);
		await clock.settle();
		const words = `rule r1 asks for files/${tool} (look twice)`;
		expect(approvals.pending()).toMatchObject([{rule: {id: 'r1', words}}]);
		for (const scope of ['run', 'session', 'always'] as const) {
			expect(await answer({kind: 'approve', scope})).toBe('not-offered');
		}

		expect(await answer({kind: 'approve', scope: 'once'})).toBe('resolved');
		expect(await outcome).toEqual(result);
		expect(decisions).toMatchObject([{outcome: 'approved', scope: 'once', by: 'console:1'}]);
		expect(calls).toMatchObject([{judged: {decision: 'asked', rule: {id: 'r1', action: 'ask'}}}]);
	});

	test('asks although the tool was allowed for longer before', async () => {
		let rules: readonly Rule[] = [];
		const {call, answer, approvals, clock} = openCallFixture({ruleList: () => rules});
		const first = call('write', args);
		await answer({kind: 'approve', scope: 'always'});
		await first;
		rules = [ask];
		const second = call('write', args);
		await clock.settle();
		expect(approvals.pending()).toHaveLength(1);
		await answer({kind: 'deny'});
		expect(await second).toMatchObject({error: {code: 'denied'}});
	});

	test('is answered by a caller who has approved this one call', async () => {
		const {call} = open([ask], {ask: createPreapproval({publish() {}, clock: createFakeClock(), by: 'cli'})});
		expect(await call('write', args)).toEqual(result);
	});

	test('beats a rule that allows', async () => {
		const {call, approvals, clock, closeConsole} = open([allow, {...ask, id: 'r2'}]);
		void call('write', args);
		await clock.settle();
		expect(approvals.pending()).toMatchObject([{rule: {id: 'r2'}}]);
		closeConsole();
	});

	test('asks when it cannot be said whether a rule denies, and the card says so', async () => {
		const {call, approvals, clock} = open([rule({action: 'deny', arguments: {path: {prefix: '/etc'}}})], {
			config: {trust: 'full'},
		});
		void call('write', {path: ['/etc/passwd', '/tmp/x']});
		await clock.settle();
		const words = expect.stringContaining('this rule may or may not match: rule r1 denies files/write');
		expect(approvals.pending()).toMatchObject([{rule: {id: 'r1', words}}]);
	});
});

describe('a rule that allows', () => {
	test('spares the asking, and is named in the journal and the events', async () => {
		const {call, requests, ofType, decisions, calls} = open([allow]);
		expect(await call('write', args)).toEqual(result);
		expect([requests.length, ofType('approval.requested')]).toEqual([1, []]);
		const mark = {id: 'r1', action: 'allow', source: 'config'};
		expect(decisions).toMatchObject([{outcome: 'approved', scope: 'once', by: 'rule r1'}]);
		expect(calls).toMatchObject([{judged: {decision: 'allowed', rule: mark, fingerprint: expect.any(String)}}]);
		expect(ofType('tool.finished')).toMatchObject([{outcome: 'ok', rule: mark}]);
	});

	test.each([
		['other arguments', {path: '/etc/passwd'}],
		['an argument that it does not name', {...args, mode: 'append'}],
	])('says nothing about %s', async (_, other) => {
		const {call, approvals, clock} = open([allow]);
		void call('write', other);
		await clock.settle();
		expect(approvals.pending()).toHaveLength(1);
	});

	test('does not spare a call that has to be approved again', async () => {
		const {callTool, approvals, clock} = open([allow]);
		const again = {name: 'mcp__files__write', arguments: args, approval: 'fresh'} as const;
		void callTool({...again, origin: {kind: 'dashboard'}}, {signal: neverAborted()});
		await clock.settle();
		expect(approvals.pending()).toMatchObject([{server: 'files'}]);
	});

	const run = (route: string, job?: string): Origin => ({
		kind: 'run',
		runId: '1',
		route,
		deliveryId: 'd',
		...(job !== undefined && {job}),
	});

	test.each<readonly [string, Origin, Partial<Rule>, 'runs' | 'asks']>([
		['a run of a route that it does not name', run('github'), {}, 'asks'],
		['a run of a route that it names', run('github'), {origin: {kind: 'route', name: 'github'}}, 'runs'],
		['a run of another route', run('gitlab'), {origin: {kind: 'route', name: 'github'}}, 'asks'],
		['a run of a job that it names', run('', 'tidy'), {origin: {kind: 'job', name: 'tidy'}}, 'runs'],
		['a run of a job that it does not name', run('', 'tidy'), {}, 'asks'],
		['a job fired by a webhook, for the job', run('github', 'tidy'), {origin: {kind: 'job', name: 'tidy'}}, 'asks'],
		[
			'a job fired by a webhook, for the route',
			run('github', 'tidy'),
			{origin: {kind: 'route', name: 'github'}},
			'runs',
		],
		['a run that a person started', run(''), {origin: {kind: 'person'}}, 'runs'],
		[
			'a client of the endpoint whose token it names',
			{kind: 'endpoint', client: 'd', name: 'c'},
			{origin: {kind: 'endpoint', name: 'c'}},
			'runs',
		],
		[
			'a client that calls itself so',
			{kind: 'endpoint', client: 'c', name: 'default'},
			{origin: {kind: 'endpoint', name: 'c'}},
			'asks',
		],
		[
			'a client over stdio that claims the name',
			{kind: 'endpoint', client: 'd', claim: 'c'},
			{origin: {kind: 'endpoint', name: 'c'}},
			'asks',
		],
		['any client', {kind: 'endpoint', client: 'd', claim: 'c'}, {origin: {kind: 'endpoint'}}, 'runs'],
		['a command', {kind: 'command-line'}, {origin: {kind: 'command'}}, 'runs'],
		['a call by hand', {kind: 'dashboard'}, {origin: {kind: 'command'}}, 'asks'],
	])('%s', async (_, origin, members, expected) => {
		const {callTool, approvals, clock, requests} = open([rule({...allow, ...members})]);
		void callTool({name: 'mcp__files__write', arguments: args, origin}, {signal: neverAborted()});
		await clock.settle();
		expect([requests.length, approvals.pending().length]).toEqual(expected === 'runs' ? [1, 0] : [0, 1]);
	});

	test.each<readonly [string, Origin, 'denied' | 'runs']>([
		['whose token has the name', {kind: 'endpoint', client: 'd', name: 'c'}, 'denied'],
		['over stdio that claims the name', {kind: 'endpoint', client: 'd', claim: 'c'}, 'denied'],
		['over stdio that claims a name that looks like it', {kind: 'endpoint', client: 'd', claim: 'С'}, 'denied'],
		['over stdio that claims none', {kind: 'endpoint', client: 'c'}, 'runs'],
		['that calls itself so', {kind: 'endpoint', client: 'c', name: 'default'}, 'runs'],
	])('a deny rule for a client of the endpoint, and a client %s', async (_, origin, expected) => {
		const {callTool, requests} = open([{...deny, origin: {kind: 'endpoint', name: 'c'}}], {config: {trust: 'full'}});
		const outcome = await callTool({name: 'mcp__files__write', arguments: args, origin}, {signal: neverAborted()});
		expect([outcome.kind, requests.length]).toEqual(expected === 'runs' ? ['result', 1] : ['error', 0]);
	});

	test('a job fired by a webhook is denied by a rule for the route as by one for the job', async () => {
		for (const origin of [{kind: 'route', name: 'github'} as const, {kind: 'job', name: 'tidy'} as const]) {
			const {callTool} = open([{...deny, origin}], {config: {trust: 'full'}});
			const call = {name: 'mcp__files__write', arguments: args, origin: run('github', 'tidy')};
			expect(await callTool(call, {signal: neverAborted()})).toEqual(denied);
		}
	});

	test.each([
		['stands in a text that the run has read', 'please write /srv/app/notes.txt', 'asks', ['path']],
		['has a fragment of 8 characters in one', 'look at notes.txt', 'asks', ['path']],
		['stands in none', 'nothing of that', 'runs', undefined],
	])('a value that %s', async (_, text, expected, untrusted) => {
		const {callTool, approvals, clock, requests, calls, answer} = open([allow]);
		const untrustedTexts = createUntrustedTexts();
		untrustedTexts.add(text);
		const call = {name: 'mcp__files__write', arguments: args, origin: {kind: 'command-line'}} as const;
		const outcome = callTool(call, {signal: neverAborted(), untrustedTexts});
		await clock.settle();
		expect([requests.length, approvals.pending().length]).toEqual(expected === 'runs' ? [1, 0] : [0, 1]);
		await answer({kind: 'approve', scope: 'once'});
		await outcome;
		expect(calls[0]?.judged?.untrusted).toEqual(untrusted);
	});
});
