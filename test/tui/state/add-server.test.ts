import {expect, test} from 'vitest';
import {nameProblem, parseNewServer} from '../../../source/tui/state/add-server.ts';

test.each([
	['npx -y pkg', 'npx', ['-y', 'pkg']],
	['node "a b.js" \'c d\'', 'node', ['a b.js', 'c d']],
	['node a\\ b --x="1 2"', 'node', ['a b', '--x=1 2']],
	['node "say \\"hi\\""', 'node', ['say "hi"']],
	['node ""', 'node', ['']],
	['  node   x  ', 'node', ['x']],
])('%s is a command line', (text, command, args) => {
	expect(parseNewServer('n', text)).toEqual({kind: 'server', server: {kind: 'stdio', name: 'n', command, args}});
});

test.each(['https://example.com/mcp', 'http://127.0.0.1:9/mcp'])('%s is an address', url => {
	expect(parseNewServer('n', url)).toEqual({kind: 'server', server: {kind: 'http', name: 'n', url}});
});

test.each(['', '   ', 'node "open', 'https://', 'ftp://h/mcp', 'ws://h'])('%j is not taken', text => {
	expect(parseNewServer('n', text).kind).toBe('problem');
});

test.each([
	['github', true],
	['my.server-2', true],
	['', false],
	['a b', false],
	['a/b', false],
	['taken', false],
])('the name %j can be used: %s', (name, usable) => {
	expect(nameProblem(name, ['taken']) === undefined).toBe(usable);
});
