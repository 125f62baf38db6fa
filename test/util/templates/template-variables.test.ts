import {expect, test} from 'vitest';
import {unclosedBraces} from '../../../source/util/templates/template-variables.ts';

test.each([
	['Review {a.b} by {c}', []],
	['{"json": {"a": 1}}', []],
	['function f() {return x}', []],
	['{ a', []],
	['Review {a.b by {c}', ['a.b']],
	['Review {a.b', ['a.b']],
	['{a {a {b}', ['a']],
	['{grüße', ['grüße']],
])('%j leaves open %j', (template, open) => {
	expect(unclosedBraces(template)).toEqual(open);
});
