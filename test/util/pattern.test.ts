import {describe, expect, test} from 'vitest';
import {compilePattern} from '../../source/util/pattern.ts';
import {Problem} from '../../source/util/problem.ts';

function matches(notation: string, text: string): boolean {
	const pattern = compilePattern(notation);
	if (pattern instanceof Problem) {
		throw pattern;
	}

	return pattern.test(text);
}

describe('compilePattern', () => {
	test.each([
		{notation: 'b+', text: 'abbc', expected: true},
		{notation: '^b', text: 'ab', expected: false},
		{notation: '(?i)MAIN', text: 'refs/heads/main', expected: true},
		{notation: '(?P<name>x)', text: 'x', expected: true},
		{notation: '', text: 'anything', expected: true},
		{notation: 'é', text: 'café', expected: true},
	])('"$notation" in "$text" is $expected', ({notation, text, expected}) => {
		expect(matches(notation, text)).toBe(expected);
	});

	test.each([
		{notation: 'a(?=b)', construct: '(?='},
		{notation: '(?<!a)b', construct: '(?<'},
		{notation: String.raw`(a)\1`, construct: String.raw`\1`},
		{notation: 'a{1001}', construct: '{1001}'},
		{notation: '[', construct: '['},
	])('"$notation" is refused, and $construct is named', ({notation, construct}) => {
		const refused = compilePattern(notation);
		expect(refused).toBeInstanceOf(Problem);
		expect(refused).toMatchObject({code: 'pattern_refused', message: expect.stringContaining(`\`${construct}`)});
	});

	test('a pattern that ruins a backtracking engine answers at once', () => {
		const startedAt = performance.now();
		expect(matches('(.*)*$x', 'a'.repeat(10_000))).toBe(false);
		expect(performance.now() - startedAt).toBeLessThan(1000);
	});

	test('a refused pattern cannot write to the terminal', () => {
		expect(compilePattern('\u001B[2J(?=')).toMatchObject({message: expect.not.stringContaining('\u001B')});
	});
});
