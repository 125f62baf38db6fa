import {describe, expect, test} from 'vitest';
import {parseToml} from '../../../source/config/import/toml.ts';

function plain(text: string): unknown {
	return JSON.parse(JSON.stringify(parseToml(text) ?? null));
}

describe('TOML', () => {
	test('as Codex writes its servers', () => {
		const text = `# servers
model = "o9"
[mcp_servers.files] # the first
command = 'npx'
args = [
	"-y", # yes
	"server",
]
startup_timeout_sec = 1_0.5
enabled = false
[mcp_servers.files.env]
KEY = "a\\u0062\\n"
[mcp_servers."dotted.name"]
url="https://h/mcp"
http_headers = { "X-A" = "1", 'X-B' = "2" }
`;
		expect(plain(text)).toEqual({
			model: 'o9',
			mcp_servers: {
				files: {
					command: 'npx',
					args: ['-y', 'server'],
					startup_timeout_sec: 10.5,
					enabled: false,
					env: {KEY: 'ab\n'},
				},
				'dotted.name': {url: 'https://h/mcp', http_headers: {'X-A': '1', 'X-B': '2'}},
			},
		});
	});

	test.each([
		['dotted keys', 'a.b.c = 1\na.d = 2', {a: {b: {c: 1}, d: 2}}],
		['arrays of tables', '[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3', {a: [{b: 1}, {b: 2, c: {d: 3}}]}],
		['strings over lines', 'a = """\nx\\\n   y"""\nb = \'\'\'\nx\\y\n\'\'\'', {a: 'xy', b: 'x\\y\n'}],
		['dates as text', 'a = 2026-01-02T03:04:05Z', {a: '2026-01-02T03:04:05Z'}],
		['numbers of every base', 'a = [0x1F, 0o17, 0b11, -1e3]', {a: [31, 15, 3, -1000]}],
		[
			'names of inherited members',
			'__proto__ = 1\nconstructor.x = 2',
			JSON.parse('{"__proto__":1,"constructor":{"x":2}}'),
		],
		[
			'large integers digit by digit',
			'a = [9007199254740991, 9007199254740993, -12345678901234567890, 0x7FFFFFFFFFFFFFFF]',
			{a: [9_007_199_254_740_991, '9007199254740993', '-12345678901234567890', '9223372036854775807']},
		],
		['numbers that JSON does not have', 'a = [inf, -inf, +nan]', {a: ['inf', '-inf', 'nan']}],
		[
			'times of every kind',
			'a = [2026-01-02 03:04:05, 2026-01-02, 03:04:05.25]',
			{a: ['2026-01-02T03:04:05', '2026-01-02', '03:04:05.250']},
		],
		['a byte order mark', '\uFEFFa = 1', {a: 1}],
		['lines that end as on Windows', 'a = 1\r\nb = 2\r\n', {a: 1, b: 2}],
		['nothing', '', {}],
	])('reads %s', (_what, text, value) => {
		expect(plain(text)).toEqual(value);
	});

	test.each([
		'a',
		'a =',
		'a = b',
		'a = "',
		'[a',
		'a = 1 b = 2',
		'a = 1\na = 2',
		'a = [1 2]',
		'a = "\\q"',
		'{"json": true}',
	])('%j is none', text => {
		expect(parseToml(text)).toBeUndefined();
	});

	test.each([
		['a table that is defined twice', '[a]\nb = 1\n[a]\nc = 2'],
		['a table over an inline one', 'a = {b = 1}\n[a.c]\nd = 2'],
		['a dotted key into an inline table', 'a = {b = 1}\na.c = 2'],
		['a list of tables over a list of values', 'a = [1]\n[[a]]\nb = 2'],
		['a table over a list of tables', '[[a]]\nb = 1\n[a]\nc = 2'],
		['a table over one made by dotted keys', 'a.b.c = 1\n[a.b]\nd = 2'],
		['a leading zero', 'a = 007'],
		['an underscore at the end', 'a = 1_'],
		['two underscores', 'a = 1__0'],
		['a number that ends in a dot', 'a = 1.'],
		['a number that begins with a dot', 'a = .5'],
		['a sign before another base', 'a = +0xFF'],
		['a month that there is not', 'a = 2026-13-01'],
		['an hour that there is not', 'a = 25:00:00'],
		['a control character in a string', 'a = "\u0001"'],
		['a control character in a comment', 'a = 1 # \u0001'],
		['half of a surrogate pair', 'a = "\\uD800"'],
		['a key without a name', '= 1'],
		['a header without a name', '[]'],
		['a comma too many in a list', 'a = [1,,2]'],
		['a line break in a string', 'a = "b\nc"'],
		['a line break in a quoted key', '"a\nb" = 1'],
		['two pairs in a line', 'a = 1, b = 2'],
	])('%s is none', (_what, text) => {
		expect(parseToml(text)).toBeUndefined();
	});

	test.each([
		['lists in lists', `a = ${'['.repeat(100_000)}`],
		['inline tables in inline tables', `a = ${'{b='.repeat(100_000)}`],
		['a key of many names', `${'a.'.repeat(100_000)}a = 1`],
		['a header of many names', `[${'a.'.repeat(100_000)}a]`],
		['more than a million characters', `#${' '.repeat(1_048_576)}`],
	])('%s are refused in time', {timeout: 5000}, (_what, text) => {
		expect(parseToml(text)).toBeUndefined();
	});
});
