import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type ShownProposal} from '../../source/state/view-event.ts';
import {approval, log, settled} from '../tui/sample-events.ts';
import {openConsole} from './open-screen-reader-console.ts';

const repo = ['is acme/app', 'may be anything'];

/** The answer of the gateway where the repository may be this choice. */
function answer(chosen: number, change: Partial<ShownProposal> = {}): GatewayEventBody {
	const title = {name: 'title', choices: ['not chosen yet', 'may be anything'], chosen: 1, note: 'it is untrusted'};
	return {
		type: 'view.rule-proposal',
		id: '7f3a',
		arguments: [{name: 'repo', choices: repo, chosen}, title],
		outcome: {
			kind: 'rule',
			words: `allows github/create_issue when repo ${repo[chosen] ?? ''}`,
			hash: `rule-${chosen}`,
		},
		...change,
	};
}

const proposed = (choices: readonly number[]) => ({
	method: 'rules.propose',
	params: {id: '7f3a', choices},
	profile: 'default',
});
const stored = {
	method: 'rules.store',
	params: {id: '7f3a', arguments_hash: 'hash-of-7f3a', choices: [0, 1], rule_hash: 'rule-0'},
	profile: 'default',
};

/** A console that has asked for a rule. */
async function openRule() {
	const opened = openConsole(approval('7f3a'));
	await opened.type('8');
	return opened;
}

test('a request of another gateway is read out with its name, and no rule is made from it here', async () => {
	const {type, sent, printed} = openConsole(approval('7f3a', {node: 'web-2', askedAt: 'another-node'}));
	expect(printed.join('\n')).toContain('Asked by node web-2 · ');
	expect(printed).toContain('A rule can be made from it only at web-2.');
	await type('8');
	expect(sent).toEqual([]);
});

test('a rule is asked for, read out with its arguments and numbered answers, and stored by the same number twice', async () => {
	const {type, report, sent, seen, printed} = await openRule();
	expect(sent).toEqual([proposed([])]);
	const before = printed.length;
	report(answer(0));
	expect(printed.slice(before)).toEqual([
		'The rule would be stored as: allows github/create_issue when repo is acme/app.',
		'Argument repo: is acme/app.',
		'Argument title: may be anything; it is untrusted.',
		'Calls with other arguments still ask, and those with values from untrusted text.',
		'1 go back to the request',
		'2 store this rule and allow this call',
		'3 choose what repo may be',
		'4 choose what title may be',
		'Type a number and press Enter.',
	]);
	report(answer(0, {recorded: {calls: 1200, allowed: 3, newest: []}}));
	expect(printed.at(-1)).toBe('Of 1,200 recorded calls of the tool it would have let 3 more through.');
	await type('2');
	expect([printed.slice(-3), sent.length]).toEqual([
		[
			'This stores the rule: allows github/create_issue when repo is acme/app.',
			'It allows this call now, and such calls from then on without a question.',
			'Type 2 again within 60 s to store it; anything else goes back.',
		],
		1,
	]);
	await type('2');
	expect(sent.slice(1)).toEqual([stored]);
	// The gateway compares what was read out with what it has.
	expect(seen.at(-1)).toEqual(expect.any(String));
	report(settled('7f3a'));
	await type('2');
	expect(sent).toHaveLength(2);
});

test('another choice for an argument makes another rule, which is read out before it can be stored', async () => {
	const {type, report, sent, printed} = await openRule();
	report(answer(0));
	await type('3');
	expect(printed.slice(-4)).toEqual([
		'Which values of repo does the rule allow? Now: is acme/app.',
		'1 is acme/app',
		'2 may be anything',
		'Type a number and press Enter; anything else goes back.',
	]);
	await type('2', '2', '2');
	expect(sent.slice(1)).toEqual([proposed([1, 1])]);
	// The rehearsal of the former choice is not the one of this choice.
	report(answer(0, {recorded: {calls: 1, allowed: 1, newest: []}}));
	await type('2', '2');
	expect(sent).toHaveLength(2);
	report(answer(1));
	expect(printed).toContain('The rule would be stored as: allows github/create_issue when repo may be anything.');
	await type('2', '2');
	expect(sent.at(-1)).toEqual({...stored, params: {...stored.params, choices: [1, 1], rule_hash: 'rule-1'}});
});

test.each([
	['another number after the first', ['2', '3', '2', '1']],
	['an empty line', ['2', '', '']],
	['the way back', ['1', '2']],
	['a number that was not offered', ['5', '22', '02', 'y']],
])('nothing is stored by %s', async (_, lines) => {
	const {type, report, sent} = await openRule();
	report(answer(0));
	await type(...lines);
	expect(sent.filter(({method}) => method === 'rules.store')).toEqual([]);
});

test('nothing can be stored that the gateway offers no rule for, and the way back leads to the request', async () => {
	const {type, report, sent, printed} = await openRule();
	report(answer(0, {outcome: {kind: 'none', why: 'choose what title may be'}}));
	expect(printed).toContain('Nothing can be stored: choose what title may be.');
	expect(printed).not.toContain('2 store this rule and allow this call');
	await type('2', '2', '1');
	expect(printed.slice(-3)).toEqual([
		'5 always allow this tool',
		'8 propose a rule from this call',
		'Type a number and press Enter.',
	]);
	await type('1');
	expect(sent.slice(1)).toMatchObject([{method: 'approvals.deny', params: {}}]);
});

test('a line that was typed before the rule was read out stores nothing, and the question comes again after the lines of the log', async () => {
	const {type, report, sent, printed, input, clock} = await openRule();
	await type('2');
	expect(printed.slice(-3)).toEqual([
		'The gateway has not answered yet.',
		'1 go back to the request',
		'Type a number and press Enter.',
	]);
	report(answer(0));
	await clock.advance(999);
	input.write('2\n');
	await clock.settle();
	expect(printed.at(-1)).toBe('That line was typed before the question was shown. Type it again.');
	await type('2');
	report(log('a line'));
	await type('log');
	expect(printed.slice(-5)).toEqual([
		'log: a line',
		'Still making a rule from request 7f3a: server github, tool create_issue.',
		'This stores the rule: allows github/create_issue when repo is acme/app.',
		'It allows this call now, and such calls from then on without a question.',
		'Type 2 again within 60 s to store it; anything else goes back.',
	]);
	expect(sent).toHaveLength(1);
});

test('a request that changes or is gone takes its rule with it', async () => {
	const {type, report, sent, printed} = await openRule();
	report(answer(0));
	await type('2');
	report(approval('7f3a', {tool: 'other'}));
	expect(printed.findLast(line => line.startsWith('Permission'))).toContain('tool other');
	await type('2');
	report(settled('7f3a'));
	await type('2');
	expect(sent.map(({method}) => method)).not.toContain('rules.store');
});
