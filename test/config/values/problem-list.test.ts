import {expect, test} from 'vitest';
import {keyPathText} from '../../../source/config/values/problem-list.ts';

test.each([
	[[], ''],
	[['agent', 'max_steps'], 'agent.max_steps'],
	[['mcp_servers', 'a', 'args', 1], 'mcp_servers.a.args[1]'],
	[['mcp_servers', 'a.b'], 'mcp_servers."a.b"'],
	[['a b', 'c'], '"a b".c'],
	[[''], '""'],
	[['a\u009Bb'], '"a‹U+009B›b"'],
])('%j is %s', (path, expected) => {
	expect(keyPathText(path)).toBe(expected);
});
