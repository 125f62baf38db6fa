import {describe, expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type RuleState} from '../../source/tools/call-rules.ts';
import {openCallFixture} from './call-fixture.ts';
import {definition, offerOf} from './server-offers.ts';

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
const allow = rule({arguments: {path: {prefix: '/srv/app'}}});

const args = {path: '/srv/app/notes.txt'};
const result = {kind: 'result', result: 'done'};

describe('rules that change while a person is asked', () => {
	const deny = rule({action: 'deny', id: 'r2', reason: 'never from here'});
	const ask = rule({action: 'ask', id: 'r3'});

	test('beat the key when they deny', async () => {
		let rules: readonly Rule[] = [];
		const {call, answer, requests, clock, decisions} = openCallFixture({ruleList: () => rules});
		const outcome = call('write', args);
		await clock.settle();
		rules = [deny];
		await answer({kind: 'approve', scope: 'session'});
		expect(await outcome).toMatchObject({error: {code: 'denied', message: 'Denied by rule r2: never from here'}});
		expect(requests).toEqual([]);
		expect(decisions).toMatchObject([{outcome: 'denied', by: 'rule r2'}]);
	});

	test('ask once more when the card did not name them', async () => {
		let rules: readonly Rule[] = [];
		const {call, answer, approvals, clock} = openCallFixture({ruleList: () => rules});
		const outcome = call('write', args);
		await clock.settle();
		rules = [ask];
		await answer({kind: 'approve', scope: 'session'});
		await clock.settle();
		expect(approvals.pending()).toMatchObject([{rule: {id: 'r3'}}]);
		await answer({kind: 'approve', scope: 'once'});
		expect(await outcome).toEqual(result);
	});

	const waitingFor = async (change: readonly Rule[], members: Partial<Rule> = {}) => {
		let rules: readonly Rule[] = [rule({action: 'deny', id: 'r0', tool: 'drop', ...members})];
		const fixture = openCallFixture({ruleList: () => rules});
		const outcome = fixture.call('write', args);
		await fixture.clock.settle();
		expect(fixture.approvals.pending()).toHaveLength(1);
		rules = [...rules, ...change];
		await fixture.approvals.evaluateAgain();
		return {...fixture, outcome};
	};

	test('let a call that they allow go on, recorded with the rule as the end of the request', async () => {
		const {outcome, ofType, decisions, approvals, calls} = await waitingFor([allow]);
		expect(approvals.pending()).toEqual([]);
		expect(await outcome).toEqual(result);
		const [{id, requestedAt} = {}] = ofType('approval.requested');
		const decided = {id, outcome: 'approved', scope: 'once', by: 'rule r1'};
		expect(ofType('approval.settled')).toMatchObject([decided]);
		expect(decisions).toMatchObject([{...decided, requestedAt}]);
		expect(calls).toMatchObject([{judged: {decision: 'allowed', rule: {id: 'r1'}}}]);
	});

	test('end a call that they deny, recorded with the rule', async () => {
		const {outcome, ofType, decisions, requests} = await waitingFor([deny]);
		expect(await outcome).toMatchObject({error: {code: 'denied', message: 'Denied by rule r2: never from here'}});
		const decided = {outcome: 'denied', by: 'rule r2', message: 'never from here'};
		expect(ofType('approval.settled')).toMatchObject([decided]);
		expect([decisions, requests]).toMatchObject([[decided], []]);
	});

	test.each<[string, readonly Rule[], Partial<Rule>]>([
		['that they do not allow', [{...allow, arguments: {path: {prefix: '/elsewhere'}}}], {}],
		['that another rule asks about', [allow], {action: 'ask', tool: 'write'}],
	])('leave a call waiting %s', async (_, change, members) => {
		const {outcome, approvals, answer} = await waitingFor(change, members);
		expect(approvals.pending()).toHaveLength(1);
		await answer({kind: 'approve', scope: 'once'});
		expect(await outcome).toEqual(result);
	});

	test('leave a call of a changed definition waiting, and evaluate nothing where they cannot be read', async () => {
		let state: RuleState = {kind: 'valid', rules: [allow]};
		const {call, answer, catalogue, config, approvals, clock} = openCallFixture({ruleState: () => state});
		await call('write', args);
		catalogue.register(config, {...offerOf(), tools: [definition('write', {description: 'and sends'})]});
		const outcome = call('write', args);
		await clock.settle();
		await approvals.evaluateAgain();
		state = {kind: 'invalid', problem: {message: 'unknown key tol'}};
		await approvals.evaluateAgain();
		expect(approvals.pending()).toHaveLength(1);
		await answer({kind: 'deny'});
		expect(await outcome).toMatchObject({error: {code: 'denied'}});
	});

	test('refuse it when they cannot be read any more', async () => {
		let state: RuleState = {kind: 'valid', rules: []};
		const {call, answer, requests, clock} = openCallFixture({ruleState: () => state});
		const outcome = call('write', args);
		await clock.settle();
		state = {kind: 'invalid', problem: {message: 'unknown key tol'}};
		await answer({kind: 'approve', scope: 'once'});
		expect(await outcome).toMatchObject({error: {code: 'rules_invalid'}});
		expect(requests).toEqual([]);
	});
});
