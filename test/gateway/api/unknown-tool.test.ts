import {expect, test} from 'vitest';
import {similarTool} from '../../../source/gateway/api/unknown-tool.ts';

const tools = [
	{name: 'mcp__files__read_file', tool: 'read_file'},
	{name: 'mcp__files__write_file', tool: 'write_file'},
	{name: 'mcp__git__log', tool: 'log'},
	{name: 'mcp__other__log', tool: 'log'},
	{name: `mcp__long__${'x'.repeat(60)}`, tool: 'x'.repeat(60)},
];

test.each([
	['mcp__files__raed_file', 'mcp__files__read_file'],
	['mcp__files__write-file', 'mcp__files__write_file'],
	['mcp__fils__read_file', 'mcp__files__read_file'],
	['read_file', 'mcp__files__read_file'],
	['log', undefined],
	['mcp__files__delete_everything', undefined],
	['', undefined],
])('%j probably means %j', (typed, meant) => {
	expect(similarTool(typed, tools)).toBe(meant);
});
