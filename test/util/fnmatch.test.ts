import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {fnmatch} from '../../source/util/fnmatch.ts';

/** Name, pattern, and what Python 3.11's `fnmatch.fnmatchcase` answers. */
const answersOfPython: ReadonlyArray<readonly [name: string, pattern: string, isMatch: boolean]> = [
	['read-file', 'read-file', true],
	['read-file', 'read-*', true],
	['read_file', 'read-*', false],
	['Read', 'read', false],
	['a.b', 'a*b', true],
	['a/b', 'a*b', true],
	['a/b', 'a?b', true],
	['ab', 'a?b', false],
	['a\nb', 'a*b', true],
	['a\n', 'a', false],
	['', '*', true],
	['', '', true],
	['a', '', false],
	['abc', 'a**c', true],
	['abc', '*b*', true],
	['abc', 'b', false],
	['a', '[ab]', true],
	['c', '[ab]', false],
	['c', '[!ab]', true],
	['a', '[!ab]', false],
	['!', '[a!]', true],
	['b', '[a-c]', true],
	['d', '[a-c]', false],
	['-', '[a-]', true],
	['b', '[a-]', false],
	['-', '[-a]', true],
	['-', '[a-c-e]', true],
	['d', '[a-c-e]', false],
	['b', '[c-a]', false],
	['x', '[!c-a]', true],
	[']', '[]]', true],
	[']', '[!]]', false],
	['a', '[!]]', true],
	['[', '[', true],
	['[a', '[a', true],
	['a', '[a', false],
	['[]', '[]', true],
	['[!]', '[!]', true],
	['^', '[^a]', true],
	['b', '[^a]', false],
	['a', '[^a]', true],
	['\\', '[\\]', true],
	['\\', '\\', true],
	['a', '\\a', false],
	['a.b', 'a.b', true],
	['axb', 'a.b', false],
	['a+b', 'a+b', true],
	['aab', 'a+b', false],
	['(a)', '(a)', true],
	['a|b', 'a|b', true],
	['a', 'a|b', false],
	['$', '$', true],
	['{1}', '{1}', true],
	['é', '?', true],
	['😀', '?', true],
	['😀', '[😀]', true],
	['a&', 'a[&]', true],
	['~', '[~|&]', true],
	['.hidden', '*', true],
	['list_all', 'list_*', true],
	['mcp.list', 'mcp[./]list', true],
	['tool7', 'tool[0-9]', true],
	['toolx', 'tool[0-9]', false],
];

const anyText = fc.string({unit: fc.constantFrom('a', 'b', '-', '.', '/', '\\', '^', ']', '$', '\n', 'é', '🙂')});

describe('fnmatch', () => {
	test.each(answersOfPython)(
		'answers for the name %j and the pattern %j as Python does: %j',
		(name, pattern, isMatch) => {
			expect(fnmatch(name, pattern)).toBe(isMatch);
		},
	);

	test('compares a pattern without wildcards exactly', () => {
		fc.assert(
			fc.property(anyText, anyText, (name, pattern) => {
				fc.pre(!/[*?[]/.test(pattern));
				expect(fnmatch(name, pattern)).toBe(name === pattern);
				expect(fnmatch(pattern, pattern)).toBe(true);
			}),
		);
	});

	test('never throws, whatever the pattern', () => {
		const pattern = fc.string({unit: fc.constantFrom(...Array.from('ab-!]^[\\*?.{}()|$'))});
		fc.assert(fc.property(pattern, text => void fnmatch('a', text)));
	});
});
