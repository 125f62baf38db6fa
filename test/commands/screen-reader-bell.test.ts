import {expect, test} from 'vitest';
import {approval, question, settled} from '../tui/sample-events.ts';
import {openConsole} from './open-screen-reader-console.ts';

const bells = (lines: readonly string[]) => lines.filter(line => line.includes('\u0007')).length;

test('the bell sounds with a question that is asked because more is waiting, and not with one that only waited', () => {
	const {printed, report} = openConsole({bell: 'sounds'}, approval('1'));
	expect([bells(printed), printed[0]?.startsWith('\u0007')]).toEqual([1, true]);
	report(question('q'));
	report(settled('1'));
	// The question has been waiting since before.
	expect(bells(printed)).toBe(1);
	report({type: 'question.settled', id: 'q', kind: 'elicitation', asker: 'a', outcome: 'answered'});
	report(approval('2'));
	expect(bells(printed)).toBe(2);
});

test('without it, nothing sounds', () => {
	expect(bells(openConsole(approval('1')).printed)).toBe(0);
});
