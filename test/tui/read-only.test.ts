import {describe, expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {approval, job, login, proposal, question, server, started} from './sample-events.ts';

const events = [started(), server('github')];
const needsLogin = server('github', {state: 'needs-login', transport: 'http'});
const inBrowser = login('github', {
	flow: 'browser',
	state: 'awaiting-redirect',
	authorizationUrl: 'https://a.example.com',
});
const offers =
	/press [aAnLv]\b|with a code|· A\b|Deny|deny|Allow|[a-z]\s+once|denies|declines|installs|sends the answer|reconnect|add server|on\/off/u;

const screens = [
	['a list', [], [], '─ servers ·'],
	['a request', [approval('1')], ['A'], 'read-only: it cannot be answered here'],
	['all of a request', [approval('1')], ['A', 'v'], 'all of it'],
	['a question', [question('q', {fields: []})], ['A'], 'read-only: it cannot be answered here'],
	['an install proposal', [proposal('p')], ['A'], 'nothing can be decided'],
	['the jobs', [job('1')], ['5'], '─ 5 Jobs'],
	['the runs', [], ['4'], 'no runs yet'],
	['a login', [needsLogin], ['L'], 'sluice mcp login github'],
	['a login in a browser', [needsLogin, inBrowser], ['L'], 'waits for browser'],
] as const;

describe.each([
	[40, 10],
	[80, 24],
	[160, 50],
])('where one can only look, at %ix%i', (columns, rows) => {
	test.each(screens)('%s offers no key that decides or changes something', async (...[, more, keys, text]) => {
		const all = [...events, ...more];
		const {press, shows, terminal} = await openDashboard({events: all, columns, rows, settings: {readOnly: true}});
		for (const key of keys) {
			await press(key);
		}

		await shows(text);
		expect(await terminal.text()).not.toMatch(offers);
	});
});

test('the same list offers them where things can be changed', async () => {
	const {terminal, shows} = await openDashboard({events});
	await shows('add server');
	expect(await terminal.text()).toMatch(offers);
});

test.each([
	[true, false],
	[false, true],
])('the help lists the keys that can be used (read-only: %s)', async (readOnly, listed) => {
	const {press, shows, terminal} = await openDashboard({events, columns: 160, rows: 250, settings: {readOnly}});
	await press('?');
	await shows('read the whole request');
	const text = await terminal.text();
	expect(['reconnect the server', 'allow once', 'deny (the default)'].map(words => text.includes(words))).toEqual([
		listed,
		listed,
		listed,
	]);
});

test('a login cannot be started or pasted to', async () => {
	const all = [...events, needsLogin, login('github', {state: 'failed'})];
	const {press, sent, shows} = await openDashboard({events: all, settings: {readOnly: true}});
	await press('L');
	for (const key of ['\r', 'a', 'b', 'x']) {
		await press(key);
	}

	await shows('read-only: this dashboard cannot change anything');
	expect(sent).toEqual([]);
});
