import {expect, test} from 'vitest';
import {parseJsonWithComments} from '../../../source/config/import/client-configs.ts';

test.each([
	['comments of both kinds', '{"a": 1, // one\n /* two */ "b": [1, 2,], }', {a: 1, b: [1, 2]}],
	['signs of comments in texts', '{"url": "http://h//x", "b": "/* no */ ,]"}', {url: 'http://h//x', b: '/* no */ ,]'}],
	['an escaped quote before a sign', '{"a": "\\" // b", "c\\\\": 1 /* d */}', {a: '" // b', 'c\\': 1}],
	['a byte order mark', '\uFEFF{"a": 1, /* last */\n}', {a: 1}],
	['a comma with comments of both kinds behind it', '[1, // last\n /* really */ // yes\n]', [1]],
	['lines that end as on Windows', '{"a": 1, // one\r\n"b": 2,\r\n}', {a: 1, b: 2}],
	['a comment in the last line', '{"a": 1} // end', {a: 1}],
	['a star before the end of a comment', '{"a": 1 /* **/}', {a: 1}],
	['a text that breaks off', '{"a": ', undefined],
	['two commas', '[1,,]', undefined],
	['nothing but comments', '// a\n/* b */', undefined],
])('%s: %j', (_what, text, value) => {
	expect(parseJsonWithComments(text)).toEqual(value);
});

test.each([
	['comments behind a comma', `{"a": 1, ${'// '.repeat(200_000)}\n${'/* */ '.repeat(200_000)}}`, {a: 1}],
	['comments that nothing follows', `{"a": 1, ${'// '.repeat(200_000)}\nx`, undefined],
	['comments that are not closed', `{"a": 1, ${'/* '.repeat(200_000)}`, undefined],
	['commas', `[${','.repeat(200_000)}]`, undefined],
	['commas with a comment each', `[${',/**/'.repeat(200_000)}]`, undefined],
	['backslashes', `["${String.raw`\\`.repeat(200_000)}"]`, ['\\'.repeat(200_000)]],
	['quotes', '"'.repeat(200_001), undefined],
])('many %s are read in no time', {timeout: 5000}, (_what, text, value) => {
	expect(parseJsonWithComments(text)).toEqual(value);
});
