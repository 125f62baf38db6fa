import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, call, login, proposal, question, server, settled, started} from './sample-events.ts';

const base = [started(), server('github')];

describe('a key that was meant for a card that has just gone', () => {
	const cards: ReadonlyArray<{
		name: string;
		card: GatewayEventBody;
		title: string;
		key: string;
		end: GatewayEventBody;
	}> = [
		{
			name: 'a request',
			card: approval('7f3a'),
			title: 'APPROVAL',
			key: 'd',
			end: settled('7f3a', {outcome: 'denied'}),
		},
		{
			name: 'an install proposal',
			card: proposal('p1'),
			title: 'Install a tool server?',
			key: 'x',
			end: {type: 'proposal.settled', id: 'p1', outcome: 'withdrawn'},
		},
		{
			name: 'a question',
			card: question('q1', {fields: []}),
			title: 'QUESTION',
			key: '\r',
			end: {type: 'question.settled', id: 'q1', kind: 'elicitation', asker: 'github', outcome: 'answered'},
		},
	];

	test.each(cards)('does nothing on the list behind $name', async ({card, title, key: answer, end}) => {
		const {press, terminal, clock, sent, dispatch, shows, hides} = await openDashboard({events: [...base, card]});
		await press('A');
		await shows(title);
		await press(answer);
		expect(sent).toHaveLength(1);
		await dispatch(end);
		await hides(title);
		// Keys of cards, and the same key held: on this list x would ask, a open a form, Enter the row.
		for (const key of ['x', '\r', 'a', 'd', answer, answer]) {
			terminal.type(key);
			await clock.advance(100);
		}

		await shows('> ● github');
		expect(await terminal.text()).not.toMatch(/Disable|Add a tool server|details/u);
		expect(sent).toHaveLength(1);
		// Once the keyboard was quiet, keys act again.
		await press('r');
		expect(sent.at(-1)).toEqual({method: 'mcp.reconnect', params: {server: 'github'}, profile: 'default'});
	});

	test('is none that means nothing there', async () => {
		const {press, terminal, clock, sent, dispatch, shows, hides} = await openDashboard({
			events: [...base, approval('7f3a')],
		});
		await press('A');
		await shows('APPROVAL');
		await press('d');
		expect(sent).toHaveLength(1);
		await dispatch(settled('7f3a', {outcome: 'denied'}));
		await hides('APPROVAL');
		terminal.type('3');
		await shows('─ 3 Events');
		terminal.type('\u0003');
		await clock.settle();
		expect(sent.at(-1)).toEqual({type: 'stop', force: false});
	});
});

describe('the Enter that opens a row', () => {
	const openers: ReadonlyArray<{name: string; row: GatewayEventBody; view: string; title: string; command: string}> = [
		{name: 'a request', row: approval('7f3a'), view: '2', title: 'APPROVAL', command: 'approvals.deny'},
		{
			name: 'a question without fields',
			row: question('q1', {fields: []}),
			view: '2',
			title: 'QUESTION',
			command: 'questions.answer',
		},
		{
			name: 'a login',
			row: login('github', {state: 'failed', reason: 'expired'}),
			view: ':logins\r',
			title: 'Log in to github:',
			command: 'mcp.login',
		},
	];

	test.each(openers)('decides nothing on $name until it is pressed again', async ({row, view, title, command}) => {
		const needy = [started(), server('github', {state: 'needs-login', transport: 'http'})];
		const {press, terminal, clock, sent, shows} = await openDashboard({events: [...needy, row]});
		await press(view);
		await press('\r');
		await shows(title);
		// Held: it repeats before the screen is armed, and goes on.
		for (let time = 0; time < 2000; time += 100) {
			terminal.type('\r');
			await clock.advance(100);
		}

		expect(sent).toEqual([]);
		await press('\r');
		expect(sent).toMatchObject([{method: command}]);
	});
});

describe('r on a server', () => {
	const busy = [...base, call('c1')];

	test('asks while a call of it is under way, and says what becomes of the call', async () => {
		const {press, sent, shows, dispatch} = await openDashboard({events: busy});
		await press('r');
		await shows('Reconnect github? 1 call is under way; it will be cut off and may have taken');
		await press('n');
		expect(sent).toEqual([]);
		await press('r');
		await press('y');
		expect(sent).toEqual([{method: 'mcp.reconnect', params: {server: 'github'}, profile: 'default'}]);
		await shows('reconnecting github');
		await dispatch(server('github', {state: 'failed', reason: 'gone'}));
		await shows('github failed: gone');
	});

	test('asks too where its name is typed', async () => {
		const {press, sent, shows} = await openDashboard({events: busy});
		await press(':reconnect github\r');
		await shows('Reconnect github?');
		expect(sent).toEqual([]);
	});

	test('asks nothing for the call of another server', async () => {
		const {press, sent} = await openDashboard({events: [...base, call('c1', {server: 'files'})]});
		await press('r');
		expect(sent).toEqual([{method: 'mcp.reconnect', params: {server: 'github'}, profile: 'default'}]);
	});

	test('is not asked about where one can only look', async () => {
		const {press, sent, shows} = await openDashboard({events: busy, settings: {readOnly: true}});
		await press(':reconnect github\r');
		await shows('read-only: this dashboard cannot change anything');
		expect(sent).toEqual([]);
	});
});

test('x on a server with a call under way says what becomes of it', async () => {
	const {press, shows} = await openDashboard({events: [...base, call('c1')], columns: 160, rows: 50});
	await press('x');
	await shows('Its tools become unavailable. 1 call is under way; it will be cut off and may have taken effect.');
});
