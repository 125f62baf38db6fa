import {type Command} from '../cli/command.ts';
import {ownTools} from '../cli/in-process.ts';

/** Logins to tool servers. */
const loginCommands: readonly Command[] = [
	{
		words: ['mcp', 'login'],
		usage: 'sluice mcp login NAME [--flow device|browser]',
		summary: 'Log in to a server with `auth: oauth`',
		details:
			'device: a code that you enter on any device, also when this machine has no browser.\nbrowser: a browser of this machine, or of yours through the tunnel that is printed; the address it ends at can be pasted too.',
		flags: ['flow'],
		examples: ['sluice mcp login tracker', 'sluice mcp login tracker --flow device'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-login.ts')).runMcpLogin(context, session),
	},
	{
		words: ['mcp', 'reauth'],
		usage: 'sluice mcp reauth NAME | --all [--flow device|browser]',
		summary: 'Log in again, to one server or to all that log in',
		flags: ['flow', 'all'],
		examples: ['sluice mcp reauth tracker', 'sluice mcp reauth --all'],
		takes: ['server'],
		run: async (context, session) => {
			const {runMcpReauth, runMcpReauthAll} = await import('./mcp-login.ts');
			return context.flags.all ? runMcpReauthAll(context, session) : runMcpReauth(context, session);
		},
	},
	{
		words: ['mcp', 'logout'],
		usage: 'sluice mcp logout NAME',
		summary: 'Remove the tokens and the registration of a server from this machine',
		flags: [],
		examples: ['sluice mcp logout tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-login.ts')).runMcpLogout(context, session),
	},
];

/** The tool servers. */
export const mcpCommands: readonly Command[] = [
	{
		words: ['mcp', 'list'],
		usage: 'sluice mcp list [--json]',
		summary: 'Tool servers and their states',
		flags: ['json'],
		examples: ['sluice mcp list', 'sluice mcp list --json | jq -r \'.[] | select(.state != "connected") | .name\''],
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpList(context, ownTools(session)),
	},
	{
		words: ['mcp', 'add'],
		usage: 'sluice mcp add NAME ADDRESS|COMMAND [flags] [-- ARGUMENTS]',
		summary: 'Try a tool server, choose its tools, write it to config.yaml',
		details:
			'A command with flags of its own stands behind --. Secrets of --env and --header go to .env, and\nconfig.yaml gets references to them. On a terminal you choose which tools are registered.',
		flags: ['env', 'header', 'transport', 'trust', 'tools', 'probe', 'yes', 'json'],
		examples: [
			'sluice mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
			"sluice mcp add tracker https://mcp.example.com/mcp --header 'Authorization: Bearer abc'",
			"sluice mcp add search --env API_KEY=abc --tools 'search_*' -- uvx search-server",
		],
		run: async (context, session) => (await import('./mcp-add.ts')).runMcpAdd(context, session),
	},
	{
		words: ['mcp', 'import'],
		usage: 'sluice mcp import [PROGRAM|FILE] [--all] [--json]',
		summary: 'Take over servers from the files of other programs',
		details:
			'Finds the servers of Claude Desktop, Claude Code, VS Code, Cursor, Gemini CLI and Codex on this machine\nand asks which of them you want. Nothing is started or written before you agree; each comes untrusted.',
		flags: ['all', 'json'],
		examples: ['sluice mcp import', 'sluice mcp import cursor', 'sluice mcp import ./.mcp.json --all'],
		takes: [['claude-desktop', 'claude-code', 'vscode', 'cursor', 'gemini', 'codex']],
		run: async (context, session) => {
			const {runMcpImport} = await import('./mcp-import.ts');
			const {findClientConfigs, clientConfigSource} = await import('../../config/import/client-configs.ts');
			const {environment} = session;
			return runMcpImport(context, session, wanted =>
				findClientConfigs(environment, clientConfigSource(wanted, environment.workingDirectory)),
			);
		},
	},
	{
		words: ['mcp', 'install'],
		usage: 'sluice mcp install LINK',
		summary: 'Look at an install link, and install its server if you agree',
		details:
			'Asks in the dashboard of the running gateway when one is open, else on this terminal.\nThere is no flag that agrees for you. assets/sluice.desktop opens sluice:// links with this command.',
		flags: [],
		examples: [
			"sluice mcp install 'sluice://mcp/install?name=docs&config=eyJ1cmwiOiJodHRwczovL2RvY3MuZXhhbXBsZS9tY3AifQ'",
		],
		run: async (context, session) => (await import('./mcp-install.ts')).runMcpInstall(context, session),
	},
	{
		words: ['mcp', 'remove'],
		usage: 'sluice mcp remove NAME [--keep-tokens] [--yes]',
		summary: 'Take a server out of config.yaml, with its tokens; asks first',
		flags: ['keepTokens', 'yes'],
		examples: ['sluice mcp remove tracker', 'sluice mcp remove tracker --keep-tokens --yes'],
		takes: ['server'],
		run: async (context, session) => {
			const {runMcpRemove} = await import('./mcp-remove.ts');
			return runMcpRemove(context, session);
		},
	},
	{
		words: ['mcp', 'enable'],
		usage: 'sluice mcp enable NAME',
		summary: 'Switch a server on',
		flags: [],
		examples: ['sluice mcp enable tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-remove.ts')).runMcpSwitch(context, 'enable', session),
	},
	{
		words: ['mcp', 'disable'],
		usage: 'sluice mcp disable NAME',
		summary: 'Switch a server off; it stays in config.yaml',
		flags: [],
		examples: ['sluice mcp disable tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-remove.ts')).runMcpSwitch(context, 'disable', session),
	},
	{
		words: ['mcp', 'test'],
		usage: 'sluice mcp test NAME [--json]',
		summary: 'Connect to a server for a look: protocol, time, tools, what it is shown of you',
		flags: ['json'],
		examples: ['sluice mcp test tracker'],
		takes: ['server'],
		run: async (context, session) => {
			const {runMcpTest} = await import('./mcp-test.ts');
			return runMcpTest(context, session);
		},
	},
	...loginCommands,
	{
		words: ['mcp', 'tools'],
		usage: 'sluice mcp tools [SERVER] [--json]',
		summary: 'Registered tools, and whether a call of each would ask for approval',
		flags: ['json'],
		examples: ['sluice mcp tools', 'sluice mcp tools files --json'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpTools(context, ownTools(session)),
	},
	{
		words: ['mcp', 'call'],
		usage: 'sluice mcp call NAME [--args JSON] [--approve] [--json]',
		summary: 'One call through the same approval check',
		flags: ['args', 'approve', 'json'],
		examples: [
			`sluice mcp call mcp__files__read_file --args '{"path":"notes.txt"}'`,
			`sluice mcp call mcp__tracker__close --args '{"id":7}' --approve`,
		],
		run: async (context, session) => (await import('./mcp-call.ts')).runMcpCall(context, ownTools(session)),
	},
	{
		words: ['mcp', 'serve'],
		usage: 'sluice mcp serve',
		summary: 'All tools as one tool server on stdin and stdout, for an agent that starts its servers itself',
		details:
			'Through the running gateway, whose dashboard asks about the calls; without one in a process of its own,\nwhere calls that need an approval are denied. Over HTTP the same tools are at gateway.endpoint.',
		flags: [],
		examples: ['sluice mcp serve', 'claude mcp add sluice -- sluice mcp serve'],
		run: async (context, session) => {
			const {runMcpServe} = await import('./mcp-serve.ts');
			return runMcpServe(context, {input: process.stdin, output: process.stdout}, session);
		},
	},
];
