import {describe, expect, test} from 'vitest';
import {parseJsonWithComments} from '../../../source/config/import/client-configs.ts';
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
});

test.each([
	['{"a": 1, // one\n /* two */ "b": [1, 2,], }', {a: 1, b: [1, 2]}],
	['{"url": "http://h//x", "b": "/* no */ ,]"}', {url: 'http://h//x', b: '/* no */ ,]'}],
	['\uFEFF{"a": 1, /* last */\n}', {a: 1}],
	['{"a": ', undefined],
])('JSON with comments: %j', (text, value) => {
	expect(parseJsonWithComments(text)).toEqual(value);
});
