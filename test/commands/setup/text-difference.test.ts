import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {differenceText, textDifference} from '../../../source/commands/setup/text-difference.ts';

test.each([
	['a line that is replaced', 'a\nb\nc\n', 'a\nx\nc\n', '  a\n+ x\n- b\n  c\n'],
	['a first line', '', 'a\n', '+ a\n'],
	['a last line that goes', 'a\n', '', '- a\n'],
	['no change', 'a\n', 'a\n', ''],
	['nothing at all', '', '', ''],
	['a line behind others', '1\n2\n3\n4\n5\n6\n', '1\n2\n3\n4\n5\n6\n7\n', '  5\n  6\n+ 7\n'],
	['a line break at the end alone', 'a', 'a\n', ''],
	['several lines that are replaced', 'a\nb\nc\n', 'x\ny\nc\n', '+ x\n+ y\n- a\n- b\n  c\n'],
	['an empty line', 'a\nb\n', 'a\n\nb\n', '  a\n+ \n  b\n'],
	[
		'two places far apart',
		'1\n2\n3\n4\n5\n6\n7\n',
		'x\n2\n3\n4\n5\n6\ny\n',
		'+ x\n- 1\n  2\n  3\n  5\n  6\n+ y\n- 7\n',
	],
	['names of inherited members', '__proto__\n', 'constructor\n', '+ constructor\n- __proto__\n'],
])('%s: from %j to %j', (...[, before, after, difference]) => {
	expect(differenceText(textDifference(before, after))).toBe(difference);
});

test('both texts can be read from the difference', () => {
	const texts = fc.array(fc.constantFrom('a', 'b', 'c', '', 'x: 1'), {maxLength: 30}).map(lines => lines.join('\n'));
	fc.assert(
		fc.property(texts, texts, (before, after) => {
			const lines = textDifference(before, after);
			const without = (left: string) => lines.filter(({kind}) => kind !== left).map(({text}) => text);
			expect(without('added').join('\n')).toBe(before.replace(/\n$/u, ''));
			expect(without('removed').join('\n')).toBe(after.replace(/\n$/u, ''));
		}),
	);
});

test('large texts that have little in common are shown one after the other, in time', {timeout: 5000}, () => {
	const [before, after] = ['a', 'b'].map(letter => Array.from({length: 50_000}, (_, line) => `${letter}${line}`));
	const lines = textDifference(before?.join('\n') ?? '', after?.join('\n') ?? '');
	expect(lines).toHaveLength(100_000);
	expect([lines[0], lines[99_999]]).toEqual([
		{kind: 'removed', text: 'a0'},
		{kind: 'added', text: 'b49999'},
	]);
});

test('one changed line of a large text is found', {timeout: 5000}, () => {
	const before = Array.from({length: 100_000}, (_, line) => String(line));
	const after = before.with(50_000, 'x');
	expect(differenceText(textDifference(before.join('\n'), after.join('\n')))).toBe(
		'  49998\n  49999\n+ x\n- 50000\n  50001\n  50002\n',
	);
});
