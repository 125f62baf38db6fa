import {describe, expect, test} from 'vitest';
import {decision} from '../helpers/decision.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, inProfile, proposal, question, settled, started, uncertain} from './sample-events.ts';

const numbers = (count: number) => Array.from({length: count}, (_, index) => String(index + 1));
const waiting = (count: number) => numbers(count).map(id => approval(id));
const enter = '\r';

const denial = (id: string, message?: string) => decision({kind: 'deny', ...(message !== undefined && {message})}, id);

test('a hundred equal requests are denied with four keys, each as it was shown', async () => {
	const {press, shows, sent, versions, dispatch, reply} = await openDashboard({
		events: [started(), ...waiting(100)],
	});
	for (const [key, text] of [
		['2', '100'],
		['M', '100 marked'],
		['d', 'Deny 100 requests? why:'],
	] as const) {
		await press(key);
		await shows(text);
	}

	await press(enter);
	expect(sent).toEqual(numbers(100).map(id => denial(id)));
	expect(new Set(versions).size).toBe(100);
	await shows('denying what was marked');
	await dispatch(...numbers(100).map(id => settled(id, {outcome: 'denied'})));
	await shows('denying what was marked');
	for (const _ of numbers(100)) {
		await reply('approvals.deny', {answer: 'resolved', end: null});
	}

	await shows('100 requests denied');
});

test('a filter over arguments narrows what is marked, and the message goes with each denial', async () => {
	const events = [approval('1', {arguments: {path: '/srv/app'}}), approval('2'), approval('3')];
	const {press, terminal, shows, hides, sent} = await openDashboard({events: [started(), ...events]});
	await press('2');
	await shows('{"path":"/srv/app"}');
	await press('/');
	terminal.type('title":"bro');
	await hides('/srv/app');
	await press(enter);
	await press('M');
	await shows('2 marked');
	await press('d');
	await shows('Deny 2 requests?');
	terminal.type('not now');
	await shows('not now');
	await press(enter);
	expect(sent).toEqual([denial('2', 'not now'), denial('3', 'not now')]);
});

test('space marks one request after the other, again takes the mark away, and Esc takes all away', async () => {
	const {press, shows, hides} = await openDashboard({events: [started(), ...waiting(3)]});
	await press('2');
	await press(' ');
	await shows(' *▲ #1');
	await press(' ');
	await shows('2 marked');
	await press('k');
	await press(' ');
	await shows('1 marked');
	await press('\u001B');
	await hides('marked');
	await shows('2 You');
	await press('d');
	await shows('no request is marked');
});

test('questions are declined and proposals are not installed', async () => {
	const {press, shows, sent} = await openDashboard({events: [started(), question('q'), proposal('p')]});
	await press('2');
	await press('M');
	await press('d');
	await shows('Deny 2 requests?');
	await press(enter);
	expect(sent).toMatchObject([
		{method: 'questions.answer', params: {id: 'q', answer: {kind: 'decline'}}},
		{method: 'proposals.answer', params: {id: 'p', answer: {kind: 'cancel'}}},
	]);
});

describe('while the question is open', () => {
	test('what changes or ends is not denied, and it says how many', async () => {
		const {press, shows, sent, dispatch, reply, refuse} = await openDashboard({events: [started(), ...waiting(4)]});
		await press('2');
		await press('M');
		await press('d');
		await shows('Deny 4 requests?');
		await dispatch(settled('1', {by: 'cli'}), approval('2', {arguments: {repo: 'acme/other'}}));
		await press(enter);
		expect(sent).toEqual([denial('3'), denial('4')]);
		await dispatch(settled('3', {outcome: 'denied'}), settled('4', {outcome: 'denied', by: 'cli'}));
		await reply('approvals.deny', {answer: 'resolved', end: null});
		await refuse('approvals.deny', 'it was denied by cli before');
		await shows('1 request denied; 3 had changed or ended before');
	});

	test('nothing is denied when all of them have ended', async () => {
		const {press, shows, sent, dispatch} = await openDashboard({events: [started(), ...waiting(2)]});
		await press('2');
		await press('M');
		await press('d');
		await shows('Deny 2 requests?');
		await dispatch(settled('1'), settled('2'));
		await press(enter);
		await shows('nothing was denied');
		expect(sent).toEqual([]);
	});
});

test('a mark goes when its request changes, and what comes in later has none', async () => {
	const {press, shows, sent, dispatch} = await openDashboard({events: [started(), ...waiting(2)]});
	await press('2');
	await press('M');
	await shows('2 marked');
	await dispatch(approval('2', {arguments: {repo: 'acme/other'}}), approval('3'));
	await shows('1 marked');
	await press('d');
	await shows('Deny 1 request?');
	await press(enter);
	expect(sent).toEqual([denial('1')]);
});

test('at most a hundred are marked, and it says how many are not', async () => {
	const {press, shows} = await openDashboard({events: [started(), ...waiting(103)]});
	await press('2');
	await press('M');
	await shows('100 requests are marked, the maximum; 3 are not');
});

test('marks that the filter hides are named beside the question', async () => {
	const events = [approval('1', {server: 'files'}), approval('2')];
	const {press, terminal, shows} = await openDashboard({events: [started(), ...events]});
	await press('2');
	await press('M');
	await press('/');
	terminal.type('files');
	await press(enter);
	await shows('2 marked, 1 not shown');
	await press('d');
	await shows('Deny 2 requests?');
});

test('a mark neither arms nor allows: the card of a marked request asks for its own key', async () => {
	const {press, shows, sent, terminal, clock, ready} = await openDashboard({events: [started(), approval('1')]});
	await press('2');
	await press('M');
	await shows('1 marked');
	terminal.type('\r');
	await clock.settle();
	terminal.type('a');
	await clock.settle();
	expect(sent).toEqual([]);
	await ready();
	await press('a');
	expect(sent).toMatchObject([{method: 'approvals.allow', params: {scope: 'once'}}]);
});

test('a request of another profile is denied there', async () => {
	const {press, shows, sent} = await openDashboard({events: [started(), inProfile('work', approval('1'))]});
	await press('2');
	await press('M');
	await press('d');
	await shows('Deny 1 request?');
	await press(enter);
	expect(sent).toMatchObject([{method: 'approvals.deny', params: {id: '1'}, profile: 'work'}]);
});

test('an uncertain call cannot be marked', async () => {
	const {press, shows} = await openDashboard({events: [started(), uncertain('u1')]});
	await press('2');
	await press(' ');
	await shows('only a waiting request can be marked');
});

test.each([' ', 'M', 'd'])('read-only, %j marks and denies nothing', async key => {
	const {press, shows, hides, sent} = await openDashboard({
		settings: {readOnly: true},
		events: [started(), ...waiting(2)],
	});
	await press('2');
	await press(key);
	await shows('read-only: this dashboard cannot change anything');
	await hides('marked');
	expect(sent).toEqual([]);
});

test('a chunk that holds a d opens no question', async () => {
	const {press, shows, hides, sent} = await openDashboard({events: [started(), ...waiting(2)]});
	await press('2');
	await press('M');
	await shows('2 marked');
	await press('d\r');
	await hides('Deny 2');
	expect(sent).toEqual([]);
});
