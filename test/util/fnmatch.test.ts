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
	['[[', '[[', true],
	['a[', '*[', true],
	['ab]', 'a[!]]]', true],
	['a', '[b-a!c]', true],
	['c', '[b-a!c]', false],
	['b', '[b-a!-c]', true],
	['-', '[b-a!-c]', false],
	['😀', '[\uFFFD-😀]', true],
	['\uFFFD', '[😀-\uFFFD]', false],
	['a', '[!😀-\uFFFD]', true],
];

const anyText = fc.string({unit: fc.constantFrom('a', 'b', '-', '.', '/', '\\', '^', ']', '$', '\n', 'é', '🙂')});

/** The same rules as a regular expression: with several stars it may try every way of sharing a name between them. */
function asExpression(pattern: string): RegExp {
	let source = '';
	const characters = Array.from(pattern);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? '';
		if (character === '*') {
			// Neighbouring stars mean one; several would only cost backtracking.
			source += source.endsWith('.*') ? '' : '.*';
		} else if (character === '?') {
			source += '.';
		} else if (character === '[') {
			const end = closingBracket(characters, index);
			source += end === undefined ? '\\[' : characterSet(characters.slice(index + 1, end));
			index = end ?? index;
		} else {
			source += escapeLiteral(character);
		}
	}

	return new RegExp(`^${source}$`, 'su');
}

/** The index of the bracket that closes the set opened at `start`; a `]` in first place is a member. */
function closingBracket(characters: readonly string[], start: number): number | undefined {
	let index = start + 1;
	if (characters[index] === '!') {
		index++;
	}

	if (characters[index] === ']') {
		index++;
	}

	const end = characters.indexOf(']', index);
	return end === -1 ? undefined : end;
}

/** The inside of a set as a regular expression; an empty range (`[z-a]`) has no members, as in Python. */
function characterSet(inside: readonly string[]): string {
	const negated = inside[0] === '!';
	const members = negated ? inside.slice(1) : inside;
	let source = '';
	for (let index = 0; index < members.length; index++) {
		const first = members[index] ?? '';
		const last = members[index + 2];
		if (members[index + 1] === '-' && last !== undefined) {
			source += first <= last ? `${escapeLiteral(first)}-${escapeLiteral(last)}` : '';
			index += 2;
		} else {
			source += escapeLiteral(first);
		}
	}

	if (source === '') {
		return negated ? '.' : '(?!)';
	}

	return `[${negated ? '^' : ''}${source}]`;
}

function escapeLiteral(character: string): string {
	// `\-` is an error outside of a set.
	if (character === '-') {
		return String.raw`\x2d`;
	}

	return /[\\^$.*+?()[\]{}|/]/u.test(character) ? `\\${character}` : character;
}

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

	test('means what the expression means', () => {
		const unit = fc.constantFrom(...Array.from('abc-![]*?.\n🙂é'));
		const name = fc.string({unit: fc.constantFrom(...Array.from('abc-![].\n🙂é')), maxLength: 5});
		const wrapped = fc.string({unit, maxLength: 6}).map(inside => `[${inside}]`);
		const pattern = fc.array(fc.oneof(fc.string({unit, maxLength: 4}), wrapped), {maxLength: 3});
		let matching = 0;
		fc.assert(
			fc.property(name, pattern, (text, parts) => {
				const whole = parts.join('');
				// The expression does not know that behind a backward range an exclamation mark negates.
				fc.pre(!/-.!/su.test(whole));
				const isMatch = asExpression(whole).test(text);
				matching += Number(isMatch);
				expect(fnmatch(text, whole)).toBe(isMatch);
			}),
			{numRuns: 5000},
		);
		expect(matching).toBeGreaterThan(100);
	});

	test.each([
		['stars', 'a'.repeat(5000), `${'a*'.repeat(60)}b`, false],
		['stars that match', `${'a'.repeat(5000)}b`, `${'a*'.repeat(60)}b`, true],
		['stars between question marks', 'a'.repeat(5000), `${'*?'.repeat(60)}b`, false],
		['stars between sets', 'a'.repeat(5000), `${'*[ab]'.repeat(60)}c`, false],
		['open brackets', '['.repeat(20_000), '['.repeat(20_000), true],
		['open sets without an end', ']'.repeat(20_000), `]${'[!'.repeat(10_000)}`, false],
	])('many %s take no longer than a few', {timeout: 5000}, (...[, name, pattern, isMatch]) => {
		expect(fnmatch(name, pattern)).toBe(isMatch);
	});

	test('never throws, whatever the pattern', () => {
		const pattern = fc.string({unit: fc.constantFrom(...Array.from('ab-!]^[\\*?.{}()|$'))});
		fc.assert(fc.property(pattern, text => void fnmatch('a', text)));
	});
});
