import {expect, test} from 'vitest';
import {fuzzyCost} from '../../../source/tui/text/fuzzy.ts';

test.each([
	['the same text', 'quit', ['quit', 'quitter']],
	['a beginning', 're', ['reload', 'a re', 'more']],
	['the beginning of a word', 'git', ['login github', 'legit']],
	['a word behind a dash', 'mcp', ['reload-mcp', 'xmcp']],
	['words in another order', 'github login', ['login github', 'login gi-t-h-u-b']],
	['letters that are close together', 'rlm', ['relmx', 'rxxxlxxxm']],
	['an earlier place within words', 'b', ['ab', 'aaab']],
])('%s is better than the rest', (_, typed, [best = '', ...others]) => {
	const cost = fuzzyCost(typed, best) ?? Number.NaN;
	for (const other of others) {
		expect(fuzzyCost(typed, other)).toBeGreaterThan(cost);
	}
});

test.each([
	['xyz', 'quit'],
	['tiuq', 'quit'],
	['quit now', 'quit'],
])('%j is not in %j', (typed, text) => {
	expect(fuzzyCost(typed, text)).toBeUndefined();
});
