import {expect, test} from 'vitest';
import {type ShownProposal} from '../../source/state/view-event.ts';
import {openDashboard, type OpenOptions} from './open-dashboard.ts';
import {approval, settled, started} from './sample-events.ts';

const hash = 'hash-of-the-rule';
const proposal = (change: Partial<ShownProposal> = {}): {readonly type: 'view.rule-proposal'} & ShownProposal => ({
	type: 'view.rule-proposal',
	id: '7f3a',
	arguments: [
		{name: 'repo', choices: ['is acme/app', 'may be anything'], chosen: 0},
		{name: 'title', choices: ['is Broken', 'may be anything'], chosen: 0},
	],
	outcome: {kind: 'rule', words: 'allows github/create_issue when repo is acme/app and title is Broken', hash},
	...change,
});
const propose = (...choices: readonly number[]) => ({
	method: 'rules.propose',
	params: {id: '7f3a', choices},
	profile: 'default',
});
const untrusted = proposal({
	arguments: [
		{
			name: 'repo',
			choices: ['not chosen yet', 'may be anything'],
			chosen: 0,
			note: 'its value stands in untrusted text',
		},
	],
	outcome: {kind: 'none', why: 'choose what repo may be'},
});

/** The page of a rule, opened from the card of a request. */
async function openRulePage(options: OpenOptions = {}, shown: ReturnType<typeof proposal> = proposal()) {
	const request = approval('7f3a', {arguments: {repo: 'acme/app'}});
	const dashboard = await openDashboard({...options, events: [started(), request]});
	await dashboard.press('A');
	await dashboard.shows('all shown');
	await dashboard.ready();
	await dashboard.press('p');
	await dashboard.shows('asking the gateway');
	expect(dashboard.sent).toEqual([propose()]);
	await dashboard.dispatch(shown);
	await dashboard.shows(shown.outcome.kind === 'rule' ? 'it would be stored as' : 'nothing can be stored');
	await dashboard.ready();
	return dashboard;
}

test('names the gateway that asks, in the list too, and offers a rule only there', async () => {
	const elsewhere = approval('7f3a', {node: 'web-2', askedAt: 'another-node'});
	const {press, shows} = await openDashboard({events: [started(), elsewhere], columns: 100, rows: 30});
	await press('2');
	await shows('web-2 {"repo"');
	await press('A');
	for (const text of ['node web-2 · ', 'Allow once', 'a rule: only at web-2']) {
		await shows(text);
	}
});

test('p says where a rule can be made from a request of another gateway', async () => {
	const request = approval('7f3a', {node: 'web-2', askedAt: 'another-node'});
	const dashboard = await openDashboard({events: [started(), request]});
	await dashboard.press('A');
	await dashboard.shows('all shown');
	await dashboard.ready();
	await dashboard.press('p');
	await dashboard.shows('a rule can be made from it only at web-2');
	expect(dashboard.sent).toEqual([]);
});

test.each([
	[40, 10],
	[80, 24],
	[160, 50],
])('p shows what would be stored at %dx%d, and p stores it', async (columns, rows) => {
	const {press, sent, shows, terminal} = await openRulePage({columns, rows});
	await shows('it would be stored as');
	expect((await terminal.text()).replaceAll(/\s+/gu, ' ')).toContain('when repo is acme/app and title is Broken');
	await press('p');
	expect(sent.slice(1)).toEqual([
		{
			method: 'rules.store',
			params: {id: '7f3a', arguments_hash: 'hash-of-7f3a', choices: [0, 0], rule_hash: hash},
			profile: 'default',
		},
	]);
	await shows('sent, waiting');
});

test('a key that comes before another rule was readable stores nothing', async () => {
	const dashboard = await openRulePage();
	const {clock, press, sent, terminal, dispatch, shows} = dashboard;
	await dispatch(
		proposal({outcome: {kind: 'rule', words: 'allows github/create_issue when body is x', hash: 'other'}}),
	);
	terminal.type('p');
	await clock.settle();
	expect(sent).toEqual([propose()]);
	await shows('when body is x');
	await dashboard.ready();
	await press('p');
	expect(sent.at(-1)).toMatchObject({method: 'rules.store', params: {rule_hash: 'other'}});
});

test('arrows pick an argument and ask for the rule with another choice', async () => {
	const {press, sent, dispatch, shows} = await openRulePage();
	await press('\u001B[B');
	await press('\u001B[C');
	await press('\u001B[D');
	expect(sent.slice(1)).toEqual([propose(0, 1), propose(0, 0)]);
	await dispatch(
		proposal({
			arguments: [
				{name: 'repo', choices: ['is acme/app', 'may be anything'], chosen: 0},
				{name: 'title', choices: ['is Broken', 'may be anything'], chosen: 1},
			],
		}),
	);
	await shows('2 of 2');
});

test('the page says what the rule would have let through, once that is known', async () => {
	const {shows, hides, dispatch} = await openRulePage();
	await shows('trying it on the recorded calls');
	await dispatch(proposal({recorded: {calls: 1200, allowed: 7, newest: [{callId: 'call-12345678', time: 0}]}}));
	await shows('Of 1,200 recorded calls of the tool it would have let 7 more through.');
	await shows('call 12345678');
	await hides('trying it');
	await dispatch(proposal({recorded: {calls: 0, allowed: 0, newest: []}}));
	await shows('No calls of the tool are recorded yet.');
});

test('where nothing can be stored the page says why, and no key stores', async () => {
	const {press, sent, shows} = await openRulePage({}, untrusted);
	await shows('nothing can be stored');
	await shows('its value stands in untrusted text');
	await shows('choose what repo may be');
	await press('p');
	await shows('nothing can be stored yet');
	expect(sent).toEqual([propose()]);
});

test('a rule that does not fit the terminal is not stored', async () => {
	const words = `allows github/create_issue when body is ${'long '.repeat(80)}`;
	const {press, sent, shows} = await openRulePage(
		{columns: 40, rows: 10},
		proposal({outcome: {kind: 'rule', words, hash}}),
	);
	await press('p');
	await shows('too small');
	expect(sent).toEqual([propose()]);
});

test('Enter and Esc go back to the request, and the page leaves with it', async () => {
	const {press, shows, hides, dispatch, sent, ready} = await openRulePage();
	await press('\r');
	await shows('Propose a rule');
	await ready();
	await press('p');
	await shows('it would be stored as');
	await dispatch(settled('7f3a', {outcome: 'cancelled', by: undefined}));
	await hides('a rule from this call');
	await press('p');
	expect(sent).toEqual([propose(), propose()]);
});

test.each([
	['a rule asks', approval('7f3a', {rule: {id: 'r1', words: 'asks for every tool'}})],
	['a server wants an answer of the model', approval('7f3a', {kind: 'sampling'})],
])('p proposes nothing where %s', async (_, request) => {
	const {press, sent, shows, hides} = await openDashboard({events: [started(), request]});
	await press('A');
	await shows('all shown');
	await hides('Propose a rule');
	await press('p');
	expect(sent).toEqual([]);
});

test('p proposes a rule from the page with all of a request too, once it was read', async () => {
	const request = approval('7f3a', {cutBytes: 10});
	const whole = {
		server: 'github',
		tool: 'create_issue',
		description: '',
		arguments: {repo: 'acme/app'},
		sentBytes: 20,
		cutBytes: 0,
		maskedValues: 0,
		markedCharacters: 0,
	};
	const {press, sent, shows, turnToEnd} = await openDashboard({
		events: [started(), request],
		readFull: async () => whole,
	});
	await press('A');
	await press('v');
	await shows('acme/app');
	await turnToEnd();
	await press('p');
	expect(sent).toEqual([propose()]);
});

test('a read-only dashboard proposes and stores nothing', async () => {
	const {press, sent, shows} = await openDashboard({
		events: [started(), approval('7f3a')],
		settings: {readOnly: true},
	});
	await press('A');
	await shows('APPROVAL 1 of 1');
	await press('p');
	expect(sent).toEqual([]);
});
