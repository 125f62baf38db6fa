import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	failing,
	job,
	login,
	proposal,
	question,
	route,
	run,
	server,
	settled,
	started,
	uncertain,
} from './sample-events.ts';

const inbox = run('r1', {state: 'inbox', prompt: 'Triage the issue'});
const enter = '\r';

/** An entry that needs a person: the words of its row, and a key with the view that it opens. */
const kinds: ReadonlyArray<readonly [words: string, event: GatewayEventBody, key: string, opens: string]> = [
	['{"repo":"acme/app","title":"Broken"}', approval('1'), enter, 'Creates an issue.'],
	['Which repository?', question('q'), enter, 'Repository'],
	['install?', proposal('p'), enter, 'this would run'],
	['github/merge', uncertain('u1'), 'D', 'Mark github/merge as done?'],
	['needs login', server('linear', {state: 'needs-login', transport: 'http'}), 'L', 'Log in to linear'],
	['needs login', server('linear', {state: 'needs-login', transport: 'http'}), enter, 'Log in to linear'],
	['WDJB-MJHT', login('github'), enter, 'https://auth.example.com/device'],
	['Triage the issue', inbox, 'w', ' answer: '],
	['Triage the issue', inbox, 'i', 'Dismiss this inbox item?'],
	['1 to telegram not delivered: status 403', failing('push'), 'i', 'Dismiss 1 failed delivery?'],
	['1 to telegram not delivered: status 403', failing('push'), enter, 'sluice events replay e1 --deliver'],
];

describe('the queue of what needs a person', () => {
	test.each(kinds)('has %s, with its key', async (words, event, key, opens) => {
		const events = [started(), server('a'), route('push', {deliver: 'telegram'}), event];
		const {press, shows, hides} = await openDashboard({columns: 120, events});
		await press('2');
		await shows('2 You · 1');
		await shows(words);
		await hides('decided');
		await press(key);
		await shows(opens);
	});

	test('has one row for each of them, as many as the count says', async () => {
		const all = [...new Set(kinds.map(([, event]) => event)), failing('', {route: '', job: 'job-1'}), job('1')];
		const {press, shows} = await openDashboard({columns: 120, rows: 30, events: [started(), ...all]});
		await press('2');
		await shows('▲9');
		await shows('2 You · 9');
	});

	test('a failed delivery leaves its page for the list after it was dismissed', async () => {
		const {press, shows, sent, dispatch} = await openDashboard({columns: 120, events: [started(), failing('push')]});
		await press('2');
		await press(enter);
		await shows('i dismiss');
		await press('i');
		await press('y');
		expect(sent.at(-1)).toMatchObject({method: 'deliveries.dismiss', params: {ids: ['failing-push']}});
		await dispatch({type: 'delivery.cleared', id: 'failing-push', route: 'push', target: 'telegram', by: 'person'});
		await shows('nothing is waiting for you');
	});
});

describe('what is decided', () => {
	const over: readonly GatewayEventBody[] = [
		uncertain('u1'),
		{type: 'question.settled', id: 'q', kind: 'elicitation', asker: 'tracker', outcome: 'declined', by: 'cli'},
		{type: 'call.resolved', callId: 'u1', resolution: 'not_done', by: 'console:2'},
		settled('9', {outcome: 'denied', by: 'cli', message: 'not now'}),
	];

	test('stands below a line, newest first, and is not counted', async () => {
		const {press, shows, terminal} = await openDashboard({columns: 120, events: [started(), approval('1'), ...over]});
		await press('2');
		await shows('2 You · 1 ');
		await shows('─ decided ─');
		await shows('declined by cli');
		const text = await terminal.text();
		const places = ['create_issue', 'decided', 'denied', 'github/merge', 'tracker'].map(words => text.indexOf(words));
		expect(places).toEqual(places.toSorted((first, second) => first - second));
		expect(places).not.toContain(-1);
		terminal.resize(40, 10);
		await shows('2 more ↓');
		await shows('─ decided ─');
	});

	test('says how an uncertain call ended and by whom; the line cannot be picked', async () => {
		const {press, shows} = await openDashboard({columns: 120, events: [started(), approval('1'), ...over]});
		await press('2');
		await press('j');
		await shows('> ✖ denied');
		await press('j');
		await shows('> ◇ uncertain');
		await press(enter);
		await shows('marked as not done by console:2');
	});

	test('is not counted with a filter either', async () => {
		const {press, shows, terminal} = await openDashboard({columns: 120, events: [started(), approval('1'), ...over]});
		await press('2');
		await press('/');
		terminal.type('github');
		await shows('filter: github (1 of 1)');
		await shows('marked as not done by console:2');
	});
});
