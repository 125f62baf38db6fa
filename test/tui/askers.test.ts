import {describe, expect, test} from 'vitest';
import {type RuleProposalRow} from '../../source/state/snapshot.ts';
import {frameAfter} from './frame-after.tsx';
import {openDashboard, type OpenOptions} from './open-dashboard.ts';
import {asked, askers} from './sample-askers.ts';
import {approval, rule, rules, sampleTime, settled, started} from './sample-events.ts';

const counts = askers(
	asked('codex', {asked: 30, allowed: 29, callId: 'c1'}),
	asked('stripe', {asker: {kind: 'route', name: 'stripe'}, asked: 12, allowed: 4, denied: 8, lastAt: sampleTime - 5}),
	asked('codex', {tool: 'read_file', asked: 11, allowed: 10, callId: 'c2'}),
	asked('codex', {asker: {kind: 'claimed-client', name: 'codex'}, asked: 2, allowed: 0, denied: 2, callId: undefined}),
);
const wide = {columns: 150, rows: 50};
const small = {columns: 80, rows: 24};
const shown = (keys: readonly string[], size: {readonly columns: number; readonly rows: number} = wide) =>
	frameAfter([started(), counts], keys, size);
const first = (lines: readonly string[]) => lines.find(line => line.startsWith('>'));

describe('who asks', () => {
	test('has a row for each asker, the one that asks most first, and a claim in quotation marks', () => {
		const frame = shown(['B']).join('\n');
		expect(frame).toContain('Who asks · 3');
		expect(frame).toMatch(/> codex +client +41 asked +39 allowed +2 tools +last/u);
		expect(frame).toMatch(/stripe +route +12 asked +4 allowed +8 denied +files\/write_file/u);
		expect(frame).toMatch(/"codex" +claimed +2 asked +0 allowed +2 denied/u);
	});

	test('has the same by tool', () => {
		const frame = shown(['B', 't']).join('\n');
		expect(frame).toMatch(/> files\/write_file +44 asked +33 allowed +10 denied +3 askers/u);
		expect(frame).toMatch(/files\/read_file +11 asked +10 allowed +1 asker /u);
		expect(first(shown(['B', 't', 't']))).toContain('codex');
	});

	test.each([
		['name', 1, '"codex"'],
		['kind', 2, '"codex"'],
		['asked', 3, 'codex'],
		['allowed', 4, 'codex'],
		['denied', 5, 'stripe'],
		['last', 6, 'codex'],
	])('sorts by %s', (by, presses, name) => {
		const lines = shown(['B', ...Array.from({length: presses}, () => 'o')]);
		expect(lines.join('\n')).toContain(`Who asks · by ${by} · 3`);
		expect(first(lines)).toContain(`> ${name}`);
	});

	test('shows the parts of a row, also on a small screen', () => {
		const frame = shown(['B', '\r'], small).join('\n');
		expect(frame).toContain('41: 39 allowed, 2 without an answer');
		expect(frame).toMatch(/files\/write_file +30 asked +29 allowed/u);
		expect(shown(['B'], {columns: 40, rows: 10}).join('\n')).toMatch(/> codex +41 asked +39 ok/u);
	});

	test('says when nobody was asked, and asks the gateway again', async () => {
		const {press, shows, dispatch, sent} = await openDashboard({events: [started()]});
		await press('B');
		await shows('asking the gateway …');
		await dispatch(askers());
		await shows('nobody has been asked yet');
		await press('B');
		expect(sent).toEqual([1, 2].map(() => ({method: 'askers.view', params: {}, profile: undefined})));
	});
});

describe('a rule from who asks', () => {
	const proposal = (change: Partial<RuleProposalRow> = {}) => ({
		type: 'view.rule-proposal' as const,
		id: 'c1',
		arguments: [{name: 'path', choices: ['is /srv/a', 'is below /srv', 'may be anything'], chosen: 1}],
		outcome: {kind: 'rule', words: 'allows files/write_file when path is below /srv', hash: 'h'} as const,
		recorded: {calls: 40, allowed: 12, newest: []},
		...change,
	});
	const open = async (options: OpenOptions = {}) => {
		const dashboard = await openDashboard({...options, events: [started(), counts]});
		await dashboard.press('B');
		await dashboard.dispatch(counts);
		await dashboard.shows('Who asks · 3');
		return dashboard;
	};
	const openPage = async () => {
		const dashboard = await open();
		await dashboard.press('p');
		await dashboard.shows('asking the gateway …');
		await dashboard.dispatch(proposal());
		await dashboard.shows('Of 40 recorded calls of the tool it would have let 12 more through.');
		await dashboard.ready();
		return dashboard;
	};
	const sentAfter = (sent: readonly unknown[]) => sent.slice(1);
	const proposing = (choices: readonly number[]) => ({
		method: 'rules.propose',
		params: {id: 'c1', from: 'call', choices},
		profile: 'default',
	});

	test('is tried on the recorded calls, stored by a key of its own page, and named by a line', async () => {
		const {press, shows, reply, sent} = await openPage();
		await press('p');
		const params = {id: 'c1', choices: [1], rule_hash: 'h'};
		expect(sentAfter(sent)).toEqual([proposing([]), {method: 'rules.store-proposed', params, profile: 'default'}]);
		await shows('sent, waiting for the gateway');
		await reply('rules.store-proposed', {
			rule: 'stored-3f9a1c2b',
			words: 'allows files/write_file when path is below /srv',
		});
		await shows('stored stored-3f9a1c2b: allows files/write_file when path is below /srv');
		await shows('Who asks · 3');
	});

	test('has other conditions with the arrows, and cancels with Enter', async () => {
		const {press, shows, sent} = await openPage();
		await press('l');
		expect(sentAfter(sent)).toEqual([proposing([]), proposing([2])]);
		await press('\r');
		await shows('Who asks · 3');
	});

	test('is not stored by a key that came too early, nor by a second one for another page', async () => {
		const dashboard = await open();
		await dashboard.press('p');
		await dashboard.dispatch(proposal());
		await dashboard.shows('it would be stored as');
		dashboard.terminal.type('p');
		await dashboard.clock.advance(50);
		expect(sentAfter(dashboard.sent)).toEqual([proposing([])]);
	});

	test('that the gateway refuses stays on its page, with the reason', async () => {
		const {press, shows, refuse} = await openPage();
		await press('p');
		await refuse('rules.store-proposed', 'No rule was stored: another rule would be stored than was shown');
		await shows('refused: No rule was stored');
		await shows('it would be stored as');
	});

	test('is made from no call of an asker that was never allowed, and by no read-only dashboard', async () => {
		const denied = await open();
		await denied.press('G');
		await denied.press('p');
		await denied.shows('none of these calls was allowed');
		const readOnly = await open({settings: {readOnly: true}});
		await readOnly.press('p');
		await readOnly.shows('read-only');
		expect([denied, readOnly].flatMap(({sent}) => sentAfter(sent))).toEqual([]);
	});
});

test('a rule that was stored from a card is named by a line, too', async () => {
	const request = approval('7f3a', {arguments: {repo: 'acme/app'}});
	const dashboard = await openDashboard({events: [started(), request]});
	await dashboard.press('A');
	await dashboard.shows('all shown');
	await dashboard.ready();
	await dashboard.press('p');
	await dashboard.dispatch({
		type: 'view.rule-proposal',
		id: '7f3a',
		arguments: [],
		outcome: {kind: 'rule', words: 'allows github/create_issue', hash: 'h'},
	});
	await dashboard.shows('it would be stored as');
	await dashboard.ready();
	await dashboard.press('p');
	await dashboard.reply('rules.store', {rule: 'stored-1', words: 'allows github/create_issue'});
	await dashboard.dispatch(settled('7f3a'));
	await dashboard.shows('stored stored-1: allows github/create_issue');
});

test('rules name who made the calls that they decided about, and sort by that', () => {
	const used = [
		rule('r1', {words: 'allows a', askers: [{asker: {kind: 'route', name: 'stripe'}, uses: 3}], uses: 3}),
		rule('r2', {
			words: 'allows b',
			uses: 5,
			askers: [
				{asker: {kind: 'client', name: 'codex'}, uses: 4},
				{asker: {kind: 'claimed-client', name: 'x'}, uses: 1},
			],
		}),
	];
	const lines = frameAfter([started(), rules(...used)], ['R', 'o', 'o', 'o'], wide);
	expect(lines.join('\n')).toContain('Rules · by asker · 2');
	expect(first(lines)).toMatch(/allows b +codex 4, "x" 1/u);
});

describe('a row of You', () => {
	const at = (id: string, change: Parameters<typeof approval>[1] = {}) =>
		approval(id, {origin: {kind: 'endpoint', client: 'x', name: 'codex'}, ...change});
	const path = (name: string) => ({arguments: {path: `/srv/app/source/very/long/folder/${name}`, mode: 'text'}});
	const rowsOf = (...events: ReadonlyArray<ReturnType<typeof approval>>) =>
		frameAfter([started(), ...events], ['2'], small).filter(line => /^[> ] ▲ #/u.test(line));

	test('names its asker', () => {
		const [row] = rowsOf(at('1', path('one')));
		expect(row).toMatch(/#1 +codex +github\/create_issue/u);
	});

	test.each<readonly [string, Parameters<typeof approval>[1], RegExp]>([
		['the arguments alone', path('two.txt'), /#2 +" " …\S*folder\/two\.txt","mode":"text"\}/u],
		['nothing', path('one.txt'), /#2 +" " the same arguments/u],
		['the tool', {tool: 'merge', ...path('one.txt')}, /#2 +" github\/merge +\{"path"/u],
		['the asker', {origin: {kind: 'command-line'}, ...path('two.txt')}, /#2 +command l… +" …/u],
	])('below another one has what differs: %s', (_, change, row) => {
		expect(rowsOf(at('1', path('one.txt')), at('2', change))[1]).toMatch(row);
	});

	test('at the top of the screen is whole', () => {
		const many = Array.from({length: 40}, (_, index) => at(String(index), path('same')));
		const lines = frameAfter([started(), ...many], ['2', 'G'], small).filter(line => /^[> ] ▲ #/u.test(line));
		expect(lines[0]).toContain('github/create_issue');
		expect(lines[1]).toContain('the same arguments');
	});
});
