import {describe, expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type RuleState} from '../../source/tools/call-rules.ts';
import {done, openCallFixture} from './call-fixture.ts';
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

function open(rules: readonly Rule[], more: Parameters<typeof openCallFixture>[0] = {}) {
	return openCallFixture({ruleList: () => rules, ...more});
}

describe('a definition that changed while a rule held on it', () => {
	const changed = definition('write', {description: 'and sends'});
	const ofGlob = rule({tool: 'wr*', arguments: {path: {prefix: '/srv/app'}}});

	test('asks once with the difference, and holds after that', async () => {
		const {call, answer, catalogue, config, approvals, clock, ofType} = open([allow]);
		expect(await call('write', args)).toEqual(result);
		catalogue.register(config, {...offerOf(), tools: [changed]});
		const second = call('write', args);
		await clock.settle();
		expect(approvals.pending()).toMatchObject([{definitionChange: '+ description: "and sends"'}]);
		await answer({kind: 'approve', scope: 'once'});
		expect(await second).toEqual(result);
		expect(await call('write', args)).toEqual(result);
		expect(ofType('approval.requested')).toHaveLength(1);
	});

	test('asks again after a denial', async () => {
		const {call, answer, catalogue, config, approvals, clock} = open([allow]);
		await call('write', args);
		catalogue.register(config, {...offerOf(), tools: [changed]});
		const second = call('write', args);
		await answer({kind: 'deny'});
		expect(await second).toMatchObject({error: {code: 'denied'}});
		void call('write', args);
		await clock.settle();
		expect(approvals.pending()).toHaveLength(1);
	});

	test('asks once for a tool that the rule matches and that is new, not for one that was there', async () => {
		const {call, catalogue, config, approvals, clock, answer} = open([ofGlob]);
		catalogue.register(config, {...offerOf(), tools: [definition('write'), definition('wrap')]});
		expect(await call('write', args)).toEqual(result);
		expect(await call('wrap', args)).toEqual(result);
		catalogue.register(config, {...offerOf(), tools: [definition('write'), definition('wrap'), definition('wreck')]});
		const third = call('wreck', args);
		await clock.settle();
		expect(approvals.pending()).toMatchObject([{definitionChange: expect.stringContaining('The tool is new')}]);
		await answer({kind: 'approve', scope: 'once'});
		expect(await third).toEqual(result);
		expect(await call('wreck', args)).toEqual(result);
	});

	test('asks also at the first use of a rule, when a person had approved another definition', async () => {
		let rules: readonly Rule[] = [];
		const {call, answer, catalogue, config, approvals, clock} = openCallFixture({ruleList: () => rules});
		const first = call('write', args);
		await answer({kind: 'approve', scope: 'always'});
		await first;
		catalogue.register(config, {...offerOf(), tools: [changed]});
		rules = [allow];
		const second = call('write', args);
		await clock.settle();
		expect(approvals.pending()).toMatchObject([{definitionChange: '+ description: "and sends"'}]);
		await answer({kind: 'approve', scope: 'once'});
		expect(await second).toEqual(result);
		expect(await call('write', args)).toEqual(result);
	});
});

describe('a definition that changed while a rule held that does not allow', () => {
	const changed = definition('write', {description: 'and sends'});
	const notEtc = rule({action: 'deny', arguments: {path: {prefix: '/etc'}}});

	test('is shown on the card of a rule that asks, until it is approved', async () => {
		const {call, answer, catalogue, config, approvals, clock} = open([rule({action: 'ask'})]);
		const ask = async () => {
			const outcome = call('write', args);
			await clock.settle();
			const [card] = approvals.pending();
			await answer({kind: 'approve', scope: 'once'});
			expect(await outcome).toEqual(result);
			return card?.definitionChange;
		};
		const before = await ask();
		catalogue.register(config, {...offerOf(), tools: [changed]});
		expect([before, await ask(), await ask()]).toEqual([undefined, '+ description: "and sends"', undefined]);
	});

	test.each([
		['asks once although the server is trusted', notEtc, ['/etc/passwd'], 1],
		['asks nothing when the rule was not used before', notEtc, [], 0],
		['asks nothing when the rule is not for the tool', {...notEtc, tool: 'read'}, ['/etc/passwd'], 0],
	] as const)('%s', async (_, one, usedWith, cards) => {
		const {call, answer, catalogue, config, approvals, clock, ofType} = open([one], {config: {trust: 'full'}});
		for (const path of usedWith) {
			await call('write', {path});
		}

		catalogue.register(config, {...offerOf(), tools: [changed]});
		const outcome = call('write', args);
		await clock.settle();
		expect(approvals.pending().map(({definitionChange}) => definitionChange)).toEqual(
			Array.from({length: cards}, () => '+ description: "and sends"'),
		);
		await answer({kind: 'approve', scope: 'once'});
		expect([await outcome, await call('write', args)]).toEqual([result, result]);
		expect(ofType('approval.requested')).toHaveLength(cards);
	});

	test('is denied by a rule that denies whatever the arguments are, and nobody is asked', async () => {
		const {call, catalogue, config, ofType} = open([rule({action: 'deny'})], {config: {trust: 'full'}});
		await call('write', args);
		catalogue.register(config, {...offerOf(), tools: [changed]});
		expect(await call('write', args)).toMatchObject({error: {code: 'denied'}});
		expect(ofType('approval.requested')).toEqual([]);
	});

	test('asks once about a tool that an allow rule was used with and that newly claims to be read-only', async () => {
		const {call, answer, catalogue, config, ofType} = open([allow]);
		await call('write', args);
		catalogue.register(config, {...offerOf(), tools: [definition('write', {annotations: {readOnlyHint: true}})]});
		const outcome = call('write', {path: '/elsewhere'});
		await answer({kind: 'approve', scope: 'once'});
		expect([await outcome, await call('write', {path: '/elsewhere'})]).toEqual([result, result]);
		expect(ofType('approval.requested')).toMatchObject([{definitionChange: expect.stringContaining('readOnlyHint')}]);
	});
});

describe('rules that change while an allowed call waits for its turn at the server', () => {
	/** A call that was allowed, and what lets it be sent. */
	async function openWaiting() {
		let state: RuleState = {kind: 'valid', rules: [allow]};
		const turn = Promise.withResolvers<void>();
		const sent: string[] = [];
		const fixture = openCallFixture({
			ruleState: () => state,
			async respond(_, {beforeSend}) {
				await turn.promise;
				beforeSend?.();
				sent.push('sent');
				return done;
			},
		});
		const outcome = fixture.call('write', args);
		await fixture.clock.settle();
		expect(fixture.requests).toHaveLength(1);
		const change = (changed: RuleState) => {
			state = changed;
			turn.resolve();
		};
		return {...fixture, outcome, sent, change};
	}

	test('deny it, and none of it is sent', async () => {
		const {outcome, sent, change} = await openWaiting();
		change({kind: 'valid', rules: [rule({action: 'deny', id: 'r2'}), allow]});
		expect(await outcome).toMatchObject({error: {code: 'denied', message: 'Denied by rule r2'}});
		expect(sent).toEqual([]);
	});

	test.each([
		['allows it now', rule({id: 'r4', arguments: {path: {prefix: '/srv'}}}), 'allowed'],
		['denied it then', rule({action: 'deny', id: 'r4'}), 'denied'],
	] as const)('leave in its row the rule that %s', async (_, after, decision) => {
		const {outcome, change, calls, refused, decisions} = await openWaiting();
		change({kind: 'valid', rules: [after]});
		await outcome;
		const judged = (id: string, kind: string) => ({judged: {decision: kind, rule: {id}}});
		expect(calls).toMatchObject([judged('r1', 'allowed')]);
		expect(refused).toMatchObject([[{id: calls[0]?.id, ...judged('r4', decision)}, {}]]);
		expect(decisions.map(({by}) => by)).toEqual(['rule r1', 'rule r4']);
	});

	test('ask about it where nothing allows it any more', async () => {
		const {outcome, sent, change, answer} = await openWaiting();
		change({kind: 'valid', rules: []});
		await answer({kind: 'deny'});
		expect(await outcome).toMatchObject({error: {code: 'denied'}});
		expect(sent).toEqual([]);
	});

	test('refuse it when they cannot be read', async () => {
		const {outcome, sent, change} = await openWaiting();
		change({kind: 'invalid', problem: {message: 'unknown key tol'}});
		expect(await outcome).toMatchObject({error: {code: 'rules_invalid'}});
		expect(sent).toEqual([]);
	});

	test('send it at once when they are the same in another list', async () => {
		const {outcome, change, requests} = await openWaiting();
		change({kind: 'valid', rules: [allow]});
		expect(await outcome).toEqual(result);
		expect(requests).toHaveLength(1);
	});

	test('send it once when they still allow it', async () => {
		const {outcome, sent, change, calls, ofType} = await openWaiting();
		change({kind: 'valid', rules: [rule({action: 'deny', id: 'r2', tool: 'drop'}), allow]});
		expect(await outcome).toEqual(result);
		expect([sent.length, calls.length, ofType('approval.requested')]).toEqual([1, 1, []]);
	});
});

describe('rules that cannot be read', () => {
	const state: RuleState = {kind: 'invalid', problem: {message: 'config.yaml: approvals.rules.0: unknown key tol'}};
	const rulesInvalid = {
		error: {code: 'rules_invalid', message: expect.stringContaining('unknown key tol') as string},
	};

	test.each(['write', 'read'])('refuse every call: %s', async tool => {
		const {call, requests, ofType, refused} = openCallFixture({config: {trust: 'full'}, ruleState: () => state});
		expect(await call(tool)).toMatchObject(rulesInvalid);
		expect([requests, ofType('approval.requested'), refused.length]).toEqual([[], [], 1]);
	});

	test('refuse every call when they are the stored ones', async () => {
		const {call, requests, store} = openCallFixture({config: {trust: 'full'}});
		expect(await call('write')).toEqual(result);
		store.read = () => {
			throw new Error('approval-rules.json is not JSON');
		};
		expect(await call('write')).toMatchObject({
			error: {code: 'rules_invalid', message: expect.stringContaining('approval-rules.json is not JSON')},
		});
		expect(requests).toHaveLength(1);
	});
});
