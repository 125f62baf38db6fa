import {expect, test} from 'vitest';
import {textTable} from '../../../source/commands/cli/listing.ts';

test('columns are as wide as their widest cell, without blanks at the end', () => {
	expect(
		textTable(
			['A', 'BB'],
			[
				['wide cell', ''],
				['x', 'y'],
			],
		),
	).toBe('A          BB\nwide cell\nx          y\n');
});

test('a line break in a cell does not make a row', () => {
	expect(textTable(['A'], [['one\ntwo']])).toBe('A\none␊two\n');
});

test('a long cell is cut and says so', () => {
	expect(textTable(['A'], [['x'.repeat(90)]])).toBe(`A\n${'x'.repeat(80)}… 10 more\n`);
});
