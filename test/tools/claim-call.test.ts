import {expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type CallClaim, type CallClaimOutcome} from '../../source/journal/rows/request-rows.ts';
import {type RuleState} from '../../source/tools/call-rules.ts';
import {hashJson} from '../../source/util/json-hash.ts';
import {Problem} from '../../source/util/problem.ts';
import {done, openCallFixture} from './call-fixture.ts';

const args = {path: '/srv/app/notes.txt'};
const result = {kind: 'result', result: 'done'};
const rule = (members: Partial<Rule>): Rule => ({
	id: 'r1',
	source: 'config',
	action: 'allow',
	server: 'files',
	tool: 'write',
	arguments: {path: {prefix: '/srv/app'}},
	ignore: [],
	...members,
});

/** Calls of a gateway whose journal others share. Each claim gets the next of the answers, the last one again and again. */
function openShared(answers: ReadonlyArray<CallClaimOutcome | Problem>, rules: readonly Rule[] = []) {
	const claims: CallClaim[] = [];
	const sent: string[] = [];
	/** As this gateway knows it, and as it is. */
	let known: {version: number; state: RuleState} = {version: 3, state: {kind: 'valid', rules}};
	let stored = known;
	const fixture = openCallFixture({
		ruleState: () => known.state,
		claims: {
			knownDocuments: () => [{profile: 'default', name: 'approval-rules', version: known.version}],
			refresh: async () => void (known = stored),
			async claim(claim) {
				const answer = answers[Math.min(claims.length, answers.length - 1)] ?? 'claimed';
				claims.push(claim);
				if (answer instanceof Problem) {
					throw answer;
				}

				return answer;
			},
		},
		async respond(_, {claim, beforeSend}) {
			await claim?.();
			beforeSend?.();
			sent.push('sent');
			return done;
		},
	});
	return {
		...fixture,
		claims,
		sent,
		changeElsewhere: (...changed: readonly Rule[]) =>
			void (stored = {version: known.version + 1, state: {kind: 'valid', rules: changed}}),
	};
}

test('a call that a person allowed claims their answer before it is sent', async () => {
	const {call, answer, claims, sent, ofType} = openShared(['claimed']);
	const outcome = call('write', args);
	await answer({kind: 'approve', scope: 'once'});
	expect([await outcome, sent]).toEqual([result, ['sent']]);
	const [{id} = {id: ''}] = ofType('approval.requested');
	expect(claims).toEqual([
		{
			callId: expect.any(String),
			documents: [{profile: 'default', name: 'approval-rules', version: 3}],
			request: {id, argumentsHash: hashJson(args)},
		},
	]);
});

test('a call that a rule allows is not sent when the rule was revoked at another gateway since', async () => {
	const {call, claims, sent, changeElsewhere} = openShared(['changed', 'claimed'], [rule({})]);
	changeElsewhere(rule({id: 'r2', action: 'deny'}));
	expect(await call('write', args)).toMatchObject({error: {code: 'denied', message: 'Denied by rule r2'}});
	expect([claims.length, sent]).toEqual([1, []]);
});

test('a call is sent with what was changed elsewhere when that allows it, too, without another question', async () => {
	const {call, answer, claims, sent, changeElsewhere, ofType} = openShared(['changed', 'claimed']);
	const outcome = call('write', args);
	changeElsewhere(rule({server: 'other'}));
	await answer({kind: 'approve', scope: 'once'});
	expect([await outcome, sent]).toEqual([result, ['sent']]);
	expect(claims.map(({documents}) => documents[0]?.version)).toEqual([3, 4]);
	expect(ofType('approval.requested')).toHaveLength(1);
});

test.each([
	['not-allowed', 'cancelled'],
	['dead', 'storage_unavailable'],
	[new Problem('storage_unavailable'), 'storage_unavailable'],
] as const)('a claim that ends with %s sends nothing and says so', async (claimed, code) => {
	const {call, sent, ends} = openShared([claimed], [rule({})]);
	expect(await call('write', args)).toMatchObject({error: {code}});
	expect([sent, ends]).toMatchObject([[], [[expect.any(String), {code}]]]);
});

test('a call of a read-only tool claims nothing, unless a person was asked', async () => {
	const free = openShared(['claimed']);
	expect(await free.call('read', args)).toEqual(result);
	expect(free.claims).toEqual([]);
	const asked = openShared(['claimed'], [rule({action: 'ask', tool: 'read', arguments: {}})]);
	const outcome = asked.call('read', args);
	await asked.answer({kind: 'approve', scope: 'once'});
	expect([await outcome, asked.claims.length]).toEqual([result, 1]);
});

test('changes that never end keep a call from being sent', async () => {
	const {call, sent} = openShared(['changed'], [rule({})]);
	expect(await call('write', args)).toMatchObject({error: {code: 'cancelled'}});
	expect(sent).toEqual([]);
});
