import {describe, expect, test} from 'vitest';
import {frameAfter} from './frame-after.tsx';
import {openDashboard} from './open-dashboard.ts';
import {question, server, started} from './sample-events.ts';

const url = {address: 'https://accounts.example.com/authorize?client=1&state=abc', host: 'accounts.example.com'};
const asked = (change: object = {}) => question('q1', {kind: 'url', message: 'Log in', fields: [], url, ...change});

async function openPage(change: object = {}) {
	const dashboard = await openDashboard({events: [started(), server('github'), asked(change)]});
	await dashboard.press('A');
	await dashboard.shows('QUESTION 1 of 1');
	return dashboard;
}

const answer = (given: object) => ({method: 'questions.answer', params: {id: 'q1', answer: given}, profile: 'default'});

describe('a page that a server wants to have opened', () => {
	test.each([
		{columns: 80, rows: 24},
		{columns: 40, rows: 10},
	])('is shown with its host apart and its whole address at %j', size => {
		const lines = frameAfter([started(), server('github'), asked()], ['A'], size).map(line => line.trimEnd());
		const text = lines.join('\n');
		// On the first screen, however small it is.
		expect(lines).toContainEqual(expect.stringMatching(/^ {2,3}accounts\.example\.com$/u));
		const shown = frameAfter([started(), server('github'), asked()], ['A', 'pagedown'], size).map(line => line.trim());
		expect(`${text}\n${shown.join('')}`.replaceAll('\n', '')).toContain(url.address);
		expect(text).toContain('o opens it');
	});

	test.each([
		['o', {kind: 'accept', values: {}, open: url.address}],
		['\r', {kind: 'accept', values: {}}],
		['d', {kind: 'decline'}],
	])('%j answers %j', async (key, given) => {
		const {press, sent} = await openPage();
		await press(key);
		expect(sent).toEqual([answer(given)]);
	});

	test('is copied by c, and answers nothing', async () => {
		const {press, shows, sent} = await openPage();
		await press('c');
		await shows(`copied: ${url.address.slice(0, 30)}`);
		expect(sent).toEqual([]);
	});

	test('is accepted only once all of its address was on the screen', async () => {
		const address = `https://accounts.example.com/${'a'.repeat(3000)}`;
		const {press, shows, sent, turnToEnd} = await openPage({url: {...url, address}});
		await press('o');
		await press('\r');
		await shows('read all of the address first');
		expect(sent).toEqual([]);
		await turnToEnd();
		await press('o');
		expect(sent).toEqual([answer({kind: 'accept', values: {}, open: address})]);
	});

	test('says once its server is finished with it', async () => {
		const {press, shows, dispatch} = await openPage();
		await press('o');
		const end = {type: 'question.settled', id: 'q1', kind: 'url', asker: 'github', outcome: 'answered'} as const;
		await dispatch(end);
		await shows('The page was accepted');
		await shows(url.address.slice(0, 40));
		await dispatch({type: 'question.finished', id: 'q1', asker: 'github'});
		await shows('The page is finished with');
	});

	test('has a warning where another host may look the same', async () => {
		const {shows} = await openPage({url: {...url, warning: 'Another name may look the same'}});
		await shows('Another name may look the same');
	});
});
