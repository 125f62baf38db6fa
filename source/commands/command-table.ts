import {type CommandContext} from './command-context.ts';
import {openTalkingGround} from './ground.ts';
import {type Session} from './session.ts';

/** One command of the program. `run` loads what it needs, and nothing of the others. */
export type Command = {
	/** The words that name it. */
	readonly words: readonly string[];
	readonly usage: string;
	readonly summary: string;
	readonly run: (context: CommandContext, session: Session) => Promise<number>;
};

const openTools = (session: Session) => async (options: {readonly signal: AbortSignal}) => {
	const {openToolAccess} = await import('../gateway/open-tool-access.ts');
	return openToolAccess(openTalkingGround(session), options);
};

const openEvents = (session: Session) => async () => {
	const {openEventAccess} = await import('../gateway/open-event-access.ts');
	return openEventAccess(openTalkingGround(session));
};

/** Every command that is built (spec/decisions.md, D2). Help and routing are made from it. */
export const commands: readonly Command[] = [
	{
		words: [],
		usage: 'sluice [--demo]',
		summary: 'Dashboard, gateway in the same process',
		run: async (context, session) => (await import('./start.ts')).start(context, session),
	},
	{
		words: ['gateway', 'run'],
		usage: 'sluice gateway run [--log text|json]',
		summary: 'Without a window: one line per event',
		run: async (context, session) => (await import('./start.ts')).startPlain(context, session),
	},
	{
		words: ['mcp', 'list'],
		usage: 'sluice mcp list [--json]',
		summary: 'Tool servers and their states',
		run: async (context, session) => (await import('./mcp-list.ts')).runMcpList(context, openTools(session)),
	},
	{
		words: ['mcp', 'tools'],
		usage: 'sluice mcp tools [SERVER] [--json]',
		summary: 'Registered tools',
		run: async (context, session) => (await import('./mcp-tools.ts')).runMcpTools(context, openTools(session)),
	},
	{
		words: ['mcp', 'call'],
		usage: 'sluice mcp call NAME [--args JSON] [--approve] [--json]',
		summary: 'One call through the same approval door',
		run: async (context, session) => (await import('./mcp-call.ts')).runMcpCall(context, openTools(session)),
	},
	{
		words: ['approvals'],
		usage: 'sluice approvals list | allow ID [--scope SCOPE] | deny ID [--message TEXT]',
		summary: 'Answer a running gateway from another terminal',
		run: async context => (await import('./approvals.ts')).runApprovals(context),
	},
	{
		words: ['events'],
		usage: 'sluice events list [--route NAME] [--limit N] | show ID',
		summary: 'Webhook events from the journal',
		run: async (context, session) => (await import('./events.ts')).runEvents(context, openEvents(session)),
	},
];

/** Commands of the plan that are not built. They are named, so that nobody searches for a typing mistake. */
export const plannedCommands: readonly string[] = [
	'gateway setup',
	'mcp add',
	'mcp remove',
	'mcp enable',
	'mcp disable',
	'mcp test',
	'mcp login',
	'mcp logout',
	'mcp reauth',
	'mcp install',
	'mcp import',
	'mcp serve',
	'webhook',
	'cron',
	'skills',
	'doctor',
	'completion',
];
