import {expect, test} from 'vitest';
import {createRehearsal, type RecordedCall, type RehearsalFacts} from '../../source/approvals/rehearsal.ts';
import {type Rule} from '../../source/approvals/rule.ts';

const rule = (members: Partial<Rule>): Rule => ({
	id: 'tried',
	source: 'config',
	action: 'allow',
	server: 'files',
	tool: 'write',
	arguments: {},
	ignore: [],
	...members,
});

const call = (members: Partial<RecordedCall> = {}): RecordedCall => ({
	id: 'call',
	time: 1,
	server: 'files',
	tool: 'write',
	arguments: {path: '/srv/app/notes.txt'},
	origin: {kind: 'command-line'},
	judged: {fingerprint: 'f'},
	...members,
});

const facts = (members: Partial<RehearsalFacts> = {}): RehearsalFacts => ({
	trustOf: () => 'untrusted',
	isRemembered: () => false,
	pins: [],
	registeredName: (server, tool) => `mcp__${server}__${tool}`,
	inputSchemaOf: () => undefined,
	...members,
});

const belowApp = rule({arguments: {path: {prefix: '/srv/app'}}});
const noEtc = rule({action: 'deny', arguments: {path: {prefix: '/etc'}}});
const ofRoute = {kind: 'run', runId: 'r', route: 'github', deliveryId: 'd'} as const;
const full: Partial<RehearsalFacts> = {trustOf: () => 'full'};

test.each<readonly [string, RecordedCall, Rule, Partial<RehearsalFacts>, string]>([
	['an allowed path', call(), belowApp, {}, 'ask → allow, tried'],
	['another path', call({arguments: {path: '/srv/other'}}), belowApp, {}, 'ask → ask'],
	['an argument that no rule names', call({arguments: {path: '/srv/app/x', mode: 1}}), belowApp, {}, 'ask → ask'],
	['a denied path of a trusted server', call({arguments: {path: '/etc/x'}}), noEtc, full, 'allow → deny, tried'],
	[
		'a denied path of a read-only tool',
		call({readOnly: true, arguments: {path: '/etc/x'}}),
		noEtc,
		{},
		'allow → deny, tried',
	],
	['a call that the rule is not for', call({tool: 'read'}), noEtc, full, 'allow → allow'],
	['a rule that is undecided', call({arguments: {path: 'etc/x'}}), noEtc, full, 'allow → ask, tried'],
	['an absent argument of an unknown schema', call({arguments: {}}), noEtc, full, 'allow → ask, tried'],
	[
		'an absent argument that the schema does not know',
		call({arguments: {}}),
		noEtc,
		{...full, inputSchemaOf: () => ({properties: {}})},
		'allow → allow',
	],
	[
		'an approval that is remembered',
		call(),
		rule({action: 'ask'}),
		{isRemembered: (_, fingerprint) => fingerprint === 'f'},
		'allow → ask, tried',
	],
	[
		'an approval of another definition',
		call(),
		rule({action: 'ask'}),
		{isRemembered: (_, fingerprint) => fingerprint === 'g'},
		'ask → ask',
	],
	['a run of a route that the rule does not name', call({origin: ofRoute}), belowApp, {}, 'ask → ask'],
	[
		'a run of a route that it names',
		call({origin: ofRoute}),
		{...belowApp, origin: {kind: 'route', name: 'github'}},
		{},
		'ask → allow, tried',
	],
	[
		'a job that a webhook fired, denied for the job',
		call({origin: {...ofRoute, job: 'tidy'}}),
		rule({action: 'deny', origin: {kind: 'job', name: 'tidy'}}),
		full,
		'allow → deny, tried',
	],
	[
		'a value that stood in untrusted text',
		call({judged: {fingerprint: 'f', untrusted: ['path']}}),
		belowApp,
		{},
		'ask → ask',
	],
	[
		'another argument that did',
		call({arguments: {path: '/srv/app/x', note: 'hi'}, judged: {fingerprint: 'f', untrusted: ['note']}}),
		{...belowApp, ignore: ['note']},
		{},
		'ask → allow, tried',
	],
	[
		'a value in a list that did',
		call({arguments: {path: ['/srv/app/x']}, judged: {fingerprint: 'f', untrusted: ['path']}}),
		belowApp,
		{},
		'ask → ask',
	],
	[
		'the definition that the rule was first used with',
		call(),
		belowApp,
		{pins: [{rule: 'tried', server: 'files', tool: 'write', fingerprint: 'f'}]},
		'ask → allow, tried',
	],
	[
		'another definition',
		call(),
		belowApp,
		{pins: [{rule: 'tried', server: 'files', tool: 'write', fingerprint: 'g'}]},
		'ask → ask',
	],
	[
		'a tool that was not there at the first use',
		call(),
		belowApp,
		{pins: [{rule: 'tried', server: 'files', tool: 'other', fingerprint: 'f'}]},
		'ask → ask',
	],
	['a call about which nothing was decided', call({judged: undefined}), belowApp, {}, 'ask → ask'],
	[
		'such a call with no condition to meet',
		call({judged: undefined, arguments: {}}),
		rule({}),
		{isRemembered: () => true},
		'ask → ask',
	],
	['such a call of a trusted server', call({judged: undefined}), rule({action: 'ask'}), full, 'allow → ask, tried'],
])('%s', (...[, recorded, tried, members, expected]) => {
	const rehearsal = createRehearsal({present: [], tried: [tried]}, facts(members));
	rehearsal.add([recorded]);
	const {calls, verdicts, changes, changed} = rehearsal.figures();
	const [before, after = '', by] = expected.split(/ → |, /u);
	expect(verdicts).toEqual({allow: 0, ask: 0, deny: 0, [after]: 1});
	expect([calls, changes]).toEqual([1, before === after ? 0 : 1]);
	expect(changed).toEqual(before === after ? [] : [expect.objectContaining({id: 'call', before, after, rule: by})]);
});

test('the rule of a verdict that is gone is the one that decided before', () => {
	const rehearsal = createRehearsal({present: [rule({action: 'deny'})], tried: []}, facts(full));
	rehearsal.add([call()]);
	expect(rehearsal.figures().changed).toMatchObject([{before: 'deny', after: 'allow', rule: 'tried'}]);
});

test('a rule that was never used holds for the newest definition of each tool', () => {
	const rehearsal = createRehearsal({present: [], tried: [belowApp]}, facts());
	rehearsal.add([call({id: 'new'}), call({id: 'same'})]);
	rehearsal.add([call({id: 'old', judged: {fingerprint: 'g'}})]);
	expect(rehearsal.figures().changed.map(({id}) => id)).toEqual(['new', 'same']);
});

test('the present rules alone change nothing', () => {
	const rules = [belowApp];
	const rehearsal = createRehearsal({present: rules, tried: rules}, facts());
	rehearsal.add([call(), call({arguments: {path: '/etc'}})]);
	const verdicts = {allow: 1, ask: 1, deny: 0};
	expect(rehearsal.figures()).toEqual({calls: 2, verdicts, before: verdicts, changes: 0, changed: []});
});

test.each<readonly [NonNullable<RecordedCall['judged']>['decision'], string]>([
	['free', 'allow → ask, tried'],
	['remembered', 'allow → ask, tried'],
	['allowed', 'allow → ask, tried'],
	['denied', 'deny → ask, tried'],
	['asked', 'ask → ask'],
	[undefined, 'ask'],
])('a call that was %s then is compared with that', (decision, expected) => {
	const rehearsal = createRehearsal({present: 'recorded', tried: [rule({action: 'ask'})]}, facts(full));
	rehearsal.add([call({judged: {fingerprint: 'f', decision}})]);
	const {before, verdicts, changed} = rehearsal.figures();
	expect(verdicts).toEqual({allow: 0, ask: 1, deny: 0});
	const [then = ''] = decision === undefined ? [] : expected.split(' ');
	expect(before).toEqual({allow: 0, ask: 0, deny: 0, ...(then !== '' && {[then]: 1})});
	expect(changed.map(one => `${one.before} → ${one.after}, ${one.rule ?? ''}`)).toEqual(
		expected.includes(',') ? [expected] : [],
	);
});

test('where no rule decides any more, the one of then is named', () => {
	const rehearsal = createRehearsal({present: 'recorded', tried: []}, facts(full));
	const denied = {id: 'gone', action: 'deny', source: 'config'} as const;
	rehearsal.add([call({judged: {fingerprint: 'f', decision: 'denied', rule: denied}})]);
	expect(rehearsal.figures().changed).toMatchObject([{before: 'deny', after: 'allow', rule: 'gone'}]);
});

test('tried rules may go without a remembered approval', () => {
	const rules: readonly Rule[] = [];
	const remembering = facts({isRemembered: () => true});
	const rehearsal = createRehearsal({present: rules, tried: rules}, remembering, facts());
	rehearsal.add([call()]);
	expect(rehearsal.figures().changed).toMatchObject([{before: 'allow', after: 'ask', rule: undefined}]);
});
