import {expect, test} from 'vitest';
import {parseJsonWithComments} from '../../../source/config/import/client-configs.ts';

test.each([
	['comments behind a comma', `{"a": 1, ${'// '.repeat(2000)}\n${'/* */ '.repeat(2000)}}`, {a: 1}],
	['comments that nothing follows', `{"a": 1, ${'// '.repeat(2000)}\nx`, undefined],
])('many %s are read in no time', {timeout: 5000}, (_what, text, value) => {
	expect(parseJsonWithComments(text)).toEqual(value);
});
