import {programNames} from '../../config/programs/program-names.ts';
import {type Command} from '../cli/command.ts';
import {ownApi, serverNamesOf} from '../cli/in-process.ts';

/** Logins to tool servers. */
const loginCommands: readonly Command[] = [
	{
		words: ['mcp', 'login'],
		aliases: [['logins', 'add']],
		help: 'main',
		usage: 'sluice mcp login NAME [--flow device|browser] [--yes] [--json]',
		summary: 'Log in to a remote server',
		details:
			'A server without `auth: oauth` gets that key in config.yaml, once you agree.\ndevice: enter a code on any device; this machine needs no browser.\nbrowser: use a browser on this machine, or on yours through the SSH tunnel that is printed. You can also\npaste the address that the browser ends up at.',
		flags: ['flow', 'yes', 'json'],
		flagTexts: {yes: {summary: 'Set `auth: oauth` without asking where it is missing'}},
		examples: ['sluice mcp login tracker', 'sluice mcp login tracker --flow device'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-login.ts')).runMcpLogin(context, session),
	},
	{
		words: ['mcp', 'reauth'],
		help: 'main',
		usage: 'sluice mcp reauth NAME | --all [--flow device|browser] [--json]',
		summary: 'Log in again to one server, or to all servers that use a login',
		flags: ['flow', 'all', 'json'],
		flagTexts: {all: {summary: 'Every server that uses a login, one after another'}},
		examples: ['sluice mcp reauth tracker', 'sluice mcp reauth --all'],
		takes: ['server'],
		run: async (context, session) => {
			const {runMcpReauth, runMcpReauthAll} = await import('./mcp-login.ts');
			return context.flags.all ? runMcpReauthAll(context, session) : runMcpReauth(context, session);
		},
	},
	{
		words: ['logins', 'list'],
		usage: 'sluice logins list [--json]',
		summary: 'List the logins to tool servers: issuer, scopes and expiry',
		flags: ['json'],
		examples: ['sluice logins list', 'sluice logins list --json'],
		run: async (context, session) => (await import('../logins/logins-list.ts')).runLoginsList(context, session),
	},
	{
		words: ['mcp', 'logout'],
		aliases: [['logins', 'remove']],
		usage: 'sluice mcp logout NAME [--json]',
		summary: 'Remove the tokens and client registration of a server, and revoke the tokens where it is possible',
		flags: ['json'],
		examples: ['sluice mcp logout tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-login.ts')).runMcpLogout(context, session),
	},
];

/** The tool servers. */
export const mcpCommands: readonly Command[] = [
	{
		words: ['mcp', 'list'],
		help: 'main',
		usage: 'sluice mcp list [--json]',
		summary: 'List the tool servers and their states',
		flags: ['json'],
		examples: ['sluice mcp list', 'sluice mcp list --json | jq -r \'.[] | select(.state != "connected") | .name\''],
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpList(context, ownApi(session)),
	},
	{
		words: ['mcp', 'show'],
		usage: 'sluice mcp show NAME [--json]',
		summary: 'Show all that the list has about one tool server',
		flags: ['json'],
		examples: ['sluice mcp show github'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpShow(context, ownApi(session)),
	},
	{
		words: ['mcp', 'add'],
		help: 'main',
		usage: 'sluice mcp add NAME URL|COMMAND [flags] [-- ARGUMENTS]',
		summary: 'Test a tool server, choose its tools and add it to config.yaml',
		details:
			'Put a command that has flags of its own after --. Secrets in --env and --header go to .env, and\nconfig.yaml refers to them. On a terminal you choose which tools are registered, and a server that needs a login\nis logged in to at once.',
		flags: [
			'env',
			'passEnv',
			'cwd',
			'envFile',
			'header',
			'auth',
			'flow',
			'scope',
			'transport',
			'trust',
			'tools',
			'probe',
			'yes',
			'json',
		],
		flagTexts: {
			flow: {
				value: 'device|browser',
				summary: 'Log in with a code on any device, or with a browser (default: browser)',
			},
			scope: {value: 'SCOPE', summary: 'Scopes that the login asks for (`oauth.scope`)'},
			yes: {summary: 'Add it without asking, even when it does not answer'},
		},
		examples: [
			'sluice mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
			"sluice mcp add tracker https://mcp.example.com/mcp --header 'Authorization: Bearer abc'",
			'sluice mcp add tracker https://mcp.example.com/mcp --auth oauth --flow device',
			"sluice mcp add search --env API_KEY=abc --tools 'search_*' -- uvx search-server",
			'sluice mcp add notes --cwd ~/notes --env-file ~/notes/server.env -- node server.js',
		],
		run: async (context, session) => (await import('./mcp-add.ts')).runMcpAdd(context, session),
	},
	{
		words: ['mcp', 'import'],
		usage: 'sluice mcp import [PROGRAM|FILE] [--all] [--json]',
		summary: 'Import servers from the configuration of other programs',
		details:
			'Finds the servers of the programs that `sluice connect` lists, on this machine,\nand asks which of them you want. Nothing is started or written before you agree; imported servers are untrusted.',
		flags: ['all', 'json'],
		examples: ['sluice mcp import', 'sluice mcp import cursor', 'sluice mcp import ./.mcp.json --all'],
		takes: [programNames],
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
		usage: 'sluice mcp install LINK [--json]',
		summary: 'Review an install link, and install its server if you agree',
		details:
			'Asks in the dashboard of the running gateway if one is open, otherwise on this terminal.\nNo flag can agree for you. assets/sluice.desktop opens sluice:// links with this command.',
		flags: ['json'],
		examples: [
			"sluice mcp install 'sluice://mcp/install?name=docs&config=eyJ1cmwiOiJodHRwczovL2RvY3MuZXhhbXBsZS9tY3AifQ'",
		],
		run: async (context, session) => (await import('./mcp-install.ts')).runMcpInstall(context, session),
	},
	{
		words: ['mcp', 'remove'],
		usage: 'sluice mcp remove NAME [--keep-tokens] [--yes] [--json]',
		summary: 'Remove a server from config.yaml, and its tokens; asks first',
		flags: ['keepTokens', 'yes', 'json'],
		examples: ['sluice mcp remove tracker', 'sluice mcp remove tracker --keep-tokens --yes'],
		takes: ['server'],
		run: async (context, session) => {
			const {runMcpRemove} = await import('./mcp-remove.ts');
			return runMcpRemove(context, session);
		},
	},
	{
		words: ['mcp', 'enable'],
		usage: 'sluice mcp enable NAME [--json]',
		summary: 'Enable a server',
		flags: ['json'],
		examples: ['sluice mcp enable tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-remove.ts')).runMcpSwitch(context, 'enable', session),
	},
	{
		words: ['mcp', 'disable'],
		usage: 'sluice mcp disable NAME [--json]',
		summary: 'Disable a server without removing it from config.yaml',
		flags: ['json'],
		examples: ['sluice mcp disable tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-remove.ts')).runMcpSwitch(context, 'disable', session),
	},
	{
		words: ['mcp', 'reconnect'],
		usage: 'sluice mcp reconnect NAME [--json]',
		summary: 'Connect a server again now, in the running gateway',
		flags: ['json'],
		examples: ['sluice mcp reconnect tracker'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-remove.ts')).runMcpReconnect(context, session),
	},
	{
		words: ['mcp', 'test'],
		usage: 'sluice mcp test NAME [--json]',
		summary: 'Connect to a server and show its protocol, latency and tools, and the data of yours that it gets',
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
		summary: 'List the registered tools, and whether calling each one asks for approval',
		flags: ['json'],
		examples: ['sluice mcp tools', 'sluice mcp tools files --json'],
		takes: ['server'],
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpTools(context, ownApi(session)),
	},
	{
		words: ['mcp', 'call'],
		help: 'main',
		usage: 'sluice mcp call NAME [ARGUMENT=VALUE …|--args JSON|@FILE|-] [--approve] [--json]',
		summary: 'Call a tool, with the same approval check as for an agent',
		details:
			'NAME is a registered name, or SERVER/TOOL. A value has the type of the input schema of the tool: a number, true or\nfalse, JSON for an object or a list, otherwise the text as it is typed.',
		flags: ['args', 'approve', 'json'],
		flagTexts: {args: {value: 'JSON', summary: 'All arguments as a JSON object; @FILE reads a file, - reads stdin'}},
		examples: [
			'sluice mcp call files/read_file path=notes.txt head=20',
			`sluice mcp call mcp__files__read_file --args '{"path":"notes.txt"}'`,
			`sluice mcp call mcp__tracker__close --args '{"id":7}' --approve`,
		],
		takes: ['tool'],
		run: async (context, session) =>
			(await import('./mcp-call.ts')).runMcpCall(context, ownApi(session), serverNamesOf(session)),
	},
	{
		words: ['mcp', 'serve'],
		usage: 'sluice mcp serve [--client NAME]',
		summary: 'Serve all tools on stdin and stdout as one tool server, for agents that start their own servers',
		details:
			'Uses the running gateway, whose dashboard asks about the calls. Without one it runs the servers itself and\ndenies calls that need approval. The same tools are available over HTTP at gateway.endpoint.',
		flags: ['client'],
		examples: ['sluice mcp serve', 'claude mcp add sluice -- sluice mcp serve'],
		run: async (context, session) => {
			const {runMcpServe} = await import('./mcp-serve.ts');
			return runMcpServe(context, {input: process.stdin, output: process.stdout}, ownApi(session));
		},
	},
];
