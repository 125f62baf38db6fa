import {type Command} from './command.ts';
import {openTools} from './open-access.ts';

/** The tool servers. */
export const mcpCommands: readonly Command[] = [
	{
		words: ['mcp', 'list'],
		usage: 'sluice mcp list [--json]',
		summary: 'Tool servers and their states',
		flags: ['json'],
		examples: ['sluice mcp list', 'sluice mcp list --json | jq -r \'.[] | select(.state != "connected") | .name\''],
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpList(context, openTools(session)),
	},
	{
		words: ['mcp', 'tools'],
		usage: 'sluice mcp tools [SERVER] [--json]',
		summary: 'Registered tools, and what a call of each would meet at the gate',
		flags: ['json'],
		examples: ['sluice mcp tools', 'sluice mcp tools files --json'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-tools.ts')).runMcpTools(context, openTools(session)),
	},
	{
		words: ['mcp', 'call'],
		usage: 'sluice mcp call NAME [--args JSON] [--approve] [--json]',
		summary: 'One call through the same approval door',
		flags: ['args', 'approve', 'json'],
		examples: [
			`sluice mcp call mcp__files__read_file --args '{"path":"notes.txt"}'`,
			`sluice mcp call mcp__tracker__close --args '{"id":7}' --approve`,
		],
		run: async (context, session) => (await import('./mcp-call.ts')).runMcpCall(context, openTools(session)),
	},
];
