import {expect, test} from 'vitest';
import {openConsole} from './open-screen-reader-console.ts';
import {approval, log, proposal, question, sampleTime, settled} from '../tui/sample-events.ts';

const prompt = [
	'Still waiting, request 7f3a: server github, tool create_issue.',
	'1 deny',
	'2 deny and say why',
	'3 allow once',
	'4 allow this tool until Sluice stops',
	'5 always allow this tool',
	'8 propose a rule from this call',
	'Type a number and press Enter.',
];

test('no line of the log comes after what is asked; they come behind its end, before the next question', async () => {
	const {report, clock, printed} = openConsole(log('before'), approval('7f3a'));
	expect(printed[0]).toBe('log: before');
	const asked = printed.length;
	report(log('something else'));
	report(approval('8b1c', {requestedAt: sampleTime + 1}));
	report(log('and more'));
	await clock.advance(60_000);
	expect(printed).toHaveLength(asked);
	report(settled('7f3a'));
	expect(printed.slice(asked, asked + 3)).toEqual([
		'log: something else',
		'log: and more',
		'Permission required, request 8b1c: server github, untrusted, tool create_issue.',
	]);
	expect(printed.at(-1)).toBe('Type a number and press Enter.');
	const next = printed.length;
	report(log('later'));
	expect(printed).toHaveLength(next);
	report(settled('8b1c'));
	report(log('at once'));
	expect(printed.slice(next)).toEqual(['log: later', 'log: at once']);
});

test('log prints the lines that wait, and then what is asked once more', async () => {
	const {report, printed, type, sent} = openConsole(approval('7f3a'));
	const asked = printed.length;
	report(log('something else'));
	await type('log');
	report(log('and more'));
	await type('LOG ');
	expect(printed.slice(asked)).toEqual(['log: something else', ...prompt, 'log: and more', ...prompt]);
	expect(sent).toEqual([]);
	const idle = openConsole();
	await idle.type('log');
	expect(idle.printed).toEqual(['Lines of the log are printed as they come.']);
});

test('of a long log the newest lines wait', async () => {
	const {report, printed, type} = openConsole(approval('7f3a'));
	const asked = printed.length;
	for (let line = 0; line < 1000; line++) {
		report(log(`line ${line}`));
	}

	await type('log');
	expect(printed.slice(asked, asked + 2)).toEqual([
		'800 earlier lines are left out here; `sluice logs` has them.',
		'log: line 800',
	]);
	expect(printed).toContain('log: line 999');
});

test.each([
	[approval('7f3a', {hints: {destructiveHint: true}}), [], 'Type a number and press Enter.'],
	[question('q'), [], 'Type a number and press Enter.'],
	[proposal('p'), [], 'Type a number and press Enter.'],
])('what is asked comes again after a word (%#)', async (event, lines, last) => {
	const {printed, type} = openConsole(event);
	await type(...lines, 'runs');
	expect([printed.findLast(line => line.startsWith('Still')) !== undefined, printed.at(-1)]).toEqual([true, last]);
});
