import {expect, test} from 'vitest';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {approval, log, server, started, tool, tools} from './sample-events.ts';

const inputSchema = {type: 'object', properties: Object.fromEntries(Array.from({length: 60}, (_, n) => [`p${n}`, {}]))};
const events = [started(), server('a'), tools(tool('find', {inputSchema, description: 'Finds things. The END of it'}))];
const size = {columns: 80, rows: 24};
const opened = ['t', '\r'];
const shown = (...keys: readonly string[]) => frameAfter(events, [...opened, ...keys], size).join('\n');

test('/ in details jumps to the words, n and N go on, Esc ends the search before it leaves', () => {
	expect(shown('/', 'p4', '\r')).toContain('1 of 11 p4');
	expect(shown('/', 'p4', '\r')).toContain('"p4"');
	expect(shown('/', 'p4', '\r', 'n')).toContain('2 of 11 p4');
	expect(shown('/', 'p4', '\r', 'n', 'N', 'N')).toContain('11 of 11 p4');
	expect(shown('/', 'p4', '\r', '\u001B')).not.toContain('of 11');
	expect(shown('/', 'p4', '\r', '\u001B')).toContain('details');
	expect(shown('/', 'p4', '\r', '\u001B', '\u001B')).not.toContain('details');
	expect(shown('/', 'nowhere', '\r')).toContain('no nowhere');
});

test('n means what it does in its view once the search is ended', () => {
	const inLog = (...keys: readonly string[]) =>
		frameAfter([started(), server('a'), log('words')], ['W', '\r', '/', 'words', '\r', ...keys], size).join('\n');
	expect(inLog('n')).toContain('1 of 1 words');
	expect(inLog('\u001B', 'n')).not.toContain('of 1 words');
});

const long = Object.fromEntries(Array.from({length: 60}, (_, index) => [`k${index}`, index]));

async function openCard(change: Parameters<typeof approval>[1] = {}) {
	const dashboard = await openDashboard({events: [started(), server('github'), approval('7f3a', change)]});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of 1');
	return dashboard;
}

test('the search of a card takes every key as text, and the keys have to be armed again behind it', async () => {
	const {press, terminal, clock, sent, shows, hides} = await openCard();
	await clock.advance(1000);
	await shows('ready');
	await press('/');
	await shows('search:');
	for (const key of ['a', 'd', 's', 'r', 'w', 'm', 'n']) {
		await press(key);
	}

	await shows('search: adsrwmn');
	await clock.advance(5000);
	await press('\u001B');
	await hides('search:');
	await shows('Allow once');
	terminal.type('a');
	await clock.settle();
	expect(sent).toEqual([]);
	await clock.advance(1000);
	await shows('ready');
	await press('a');
	expect(sent).toMatchObject([{method: 'approvals.allow', params: {scope: 'once'}}]);
});

test('a chunk that ends in the search of a card decides nothing behind it', async () => {
	const {press, sent, shows} = await openCard();
	await press('/');
	await shows('search:');
	await press('repo\rad');
	await shows('1 of 1 repo');
	expect(sent).toEqual([]);
});

test('what a search or G passes over on a card was not read', async () => {
	const {press, sent, shows, terminal, turnToEnd} = await openCard({arguments: long});
	await press('/');
	await press('k59');
	await press('\r');
	await shows('"k59"');
	await shows('until then it can only be denied');
	await press('\u001B');
	await press('g');
	await press('G');
	await shows('"k59"');
	await press('a');
	expect(sent).toEqual([]);
	const answers = terminal.answers();
	await press('g');
	await expect.poll(terminal.answers).toBeGreaterThan(answers);
	await turnToEnd();
	await shows('all shown');
});

test('a card that was read before the terminal changed its size has to be read again, also behind its search', async () => {
	const {press, terminal, clock, shows, turnToEnd} = await openCard({arguments: long});
	await turnToEnd();
	await shows('all shown');
	await press('/');
	await shows('search:');
	terminal.resize(60, 22);
	await clock.advance(500);
	await press('\u001B');
	await shows('1–9 of 64');
	await shows('until then it ca');
});
