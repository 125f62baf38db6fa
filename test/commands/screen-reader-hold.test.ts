import {expect, test} from 'vitest';
import {openConsole} from './open-screen-reader-console.ts';
import {approval, proposal, settled} from '../tui/sample-events.ts';

const held = {since: 0, by: 'cli', reason: 'maintenance', hash: 'hash-of-hold'};
const hold = (waiting = 2) => ({type: 'hold.state', held, waiting}) as const;

test('a hold is read out, and released by the hash that was read, once the number was typed twice', async () => {
	const {printed, sent, type, report} = openConsole(hold());
	expect(printed).toEqual([
		expect.stringMatching(/^Everything is held since .* by cli: maintenance\.$/u),
		'2 calls wait and are checked again after the release.',
		'1 release it',
		'Type a number and press Enter.',
	]);
	await type('2', '1', 'no', '1');
	expect(sent).toEqual([]);
	await type('1');
	expect(sent).toEqual([{method: 'unhold', params: {hash: 'hash-of-hold'}}]);
	report({type: 'hold.state', releasedBy: 'console:1', waiting: 0});
	await type('1');
	expect(sent).toHaveLength(1);
});

test('a hold that changes only in how much waits is not read out again, and a request goes before it', async () => {
	const {printed, report, type, sent} = openConsole(hold());
	const heard = printed.length;
	report(hold(3));
	expect(printed).toHaveLength(heard);
	report(approval('7f3a'));
	expect(printed[heard]).toContain('Permission required');
	report(settled('7f3a'));
	expect(printed.at(-4)).toContain('Everything is held');
	await type('1', '1');
	expect(sent).toEqual([{method: 'unhold', params: {hash: 'hash-of-hold'}}]);
});

test.each([
	['hold', ''],
	['Hold  too many calls ', 'too many calls'],
])('%j holds everything, also while a number is asked for', async (line, reason) => {
	const {type, sent} = openConsole();
	await type(line);
	expect(sent).toEqual([{method: 'hold', params: {reason}}]);
	const asked = openConsole(approval('7f3a'));
	await asked.type(line);
	expect(asked.sent).toEqual([{method: 'hold', params: {reason}}]);
});

test('where words are asked for, hold is one of them', async () => {
	const {type, sent} = openConsole(approval('7f3a'));
	await type('2', 'hold on');
	expect(sent).toMatchObject([{method: 'approvals.deny', params: {message: 'hold on'}}]);
	const named = openConsole(proposal('a1'));
	await named.type('2', 'hold');
	expect(named.sent).toMatchObject([{method: 'proposals.answer', params: {answer: {kind: 'rename', name: 'hold'}}}]);
});

test('a line that nothing was asked for says what can be typed', async () => {
	const {type, printed, sent} = openConsole();
	await type('1');
	expect([sent, printed]).toEqual([
		[],
		['No request is waiting.', expect.stringMatching(/^Type runs .* hold, .*everything\.$/u)],
	]);
});
