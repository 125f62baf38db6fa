import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {didYouMean, editDistance} from '../../../source/config/values/did-you-mean.ts';

const known = ['command', 'timeout', 'connect_timeout', 'enabled', 'env', 'url', 'supports_parallel_tool_calls'];

describe('a suggestion', () => {
	test.each([
		['comand', 'command'],
		['tiemout', 'timeout'],
		['connectTimeout', 'connect_timeout'],
		['connect-timeout', 'connect_timeout'],
		['Enabled', 'enabled'],
		['enable', 'enabled'],
		['envs', 'env'],
		['uri', 'url'],
		['supports_parallel_calls', 'supports_parallel_tool_calls'],
	])('for %s is %s', (word, expected) => {
		expect(didYouMean(word, known)).toBe(expected);
	});

	test.each(['zebra', 'description', '', 'x'.repeat(10_000)])('for %s is none', word => {
		expect(didYouMean(word, known)).toBeUndefined();
	});

	test('without known words is none', () => {
		expect(didYouMean('url', [])).toBeUndefined();
	});
});

describe('the distance', () => {
	test.each([
		['', '', 0],
		['abc', 'abc', 0],
		['abc', 'abd', 1],
		['abc', 'ab', 1],
		['ab', 'ba', 1],
		['abc', '', 3],
		['kitten', 'sitting', 3],
	])('from %j to %j is %i', (first, second, expected) => {
		expect(editDistance(first, second)).toBe(expected);
	});

	test('is the same in both directions', () => {
		const word = fc.string({maxLength: 12});
		fc.assert(fc.property(word, word, (first, second) => editDistance(first, second) === editDistance(second, first)));
	});
});
