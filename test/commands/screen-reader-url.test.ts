import {expect, test} from 'vitest';
import {openConsole} from './open-screen-reader-console.ts';
import {question} from '../tui/sample-events.ts';

const url = {address: 'https://accounts.example.com/authorize?state=abc', host: 'accounts.example.com'};
const asked = question('q1', {kind: 'url', message: 'Log in', fields: [], url});

test('a page that a server wants to have opened is read out with its host and its whole address', () => {
	const {printed} = openConsole(asked);
	expect(printed).toEqual([
		expect.stringContaining('Question from github'),
		'It wants you to open a page of accounts.example.com. This text comes from the server.',
		`The whole address: ${url.address}`,
		'1 decline to open it',
		'2 cancel without deciding',
		'3 accept, and open it in a browser here',
		'4 accept, and open it yourself',
		'Type a number and press Enter.',
	]);
});

test.each([
	['1', {kind: 'decline'}],
	['2', {kind: 'cancel'}],
	['3', {kind: 'accept', values: {}, open: url.address}],
	['4', {kind: 'accept', values: {}}],
])('%s answers %j', async (number, answer) => {
	const {type, sent} = openConsole(asked);
	await type(number);
	expect(sent).toMatchObject([{method: 'questions.answer', params: {id: 'q1', answer}}]);
});

test('another number answers nothing', async () => {
	const {type, sent, printed} = openConsole(asked);
	await type('5');
	expect(sent).toEqual([]);
	expect(printed).toContain('That answers nothing.');
});
