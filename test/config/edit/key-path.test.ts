import {expect, test} from 'vitest';
import {parseKeyPath, pathIn} from '../../../source/config/edit/key-path.ts';
import {keyPathText} from '../../../source/config/values/problem-list.ts';

test.each<[string, readonly string[]]>([
	['model', ['model']],
	['model.name', ['model', 'name']],
	['a.args[0]', ['a', 'args', '0']],
	['a.args.0', ['a', 'args', '0']],
	['a[1][2].b', ['a', '1', '2', 'b']],
	['mcp_servers."a.b".url', ['mcp_servers', 'a.b', 'url']],
	[String.raw`"say \"hi\"".x`, ['say "hi"', 'x']],
	['mcp_servers.my server.url', ['mcp_servers', 'my server', 'url']],
])('the path %s has the keys %j', (text, keys) => {
	expect(parseKeyPath(text)).toEqual(keys);
});

test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[x]', 'a]', '"a', 'a"b"', 'a[0]b', 'a."b', 'x'.repeat(3000)])(
	'%j is refused',
	text => {
		expect(() => parseKeyPath(text)).toThrow(expect.objectContaining({code: 'bad_usage'}));
	},
);

test('a number is an index where the value has a list, else a key', () => {
	const root = {list: ['a', {'0': 'b'}]};
	expect(pathIn(root, ['list', '1', '0'])).toEqual(['list', 1, '0']);
	expect(pathIn(root, ['other', '1'])).toEqual(['other', '1']);
});

test('a path that an error shows is read again', () => {
	const path = ['mcp_servers', 'a.b "c"', 'args', '3'];
	expect(parseKeyPath(keyPathText(path))).toEqual(path);
});
