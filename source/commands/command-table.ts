import {type CommandContext} from './command-context.ts';
import {openGround, openTalkingGround} from './ground.ts';
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

const openRules = (session: Session) => async () => {
	const {openRuleAccess} = await import('../gateway/open-rules.ts');
	return openRuleAccess(openGround(session));
};

const openBook = (session: Session) => async () => {
	const {openRouteBook} = await import('./open-route-book.ts');
	return openRouteBook(session);
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
		words: ['webhook', 'subscribe'],
		usage: 'sluice webhook subscribe NAME [options]',
		summary: 'Make or change a dynamic route; prints its URL and secret',
		run: async (context, session) =>
			(await import('./webhook-subscribe.ts')).runWebhookSubscribe(context, openBook(session)),
	},
	{
		words: ['webhook', 'list'],
		usage: 'sluice webhook list [--json]',
		summary: 'Routes of config.yaml and subscriptions',
		run: async (context, session) =>
			(await import('./webhook-list.ts')).runWebhookList(context, openBook(session), openEvents(session)),
	},
	{
		words: ['webhook', 'remove'],
		usage: 'sluice webhook remove NAME',
		summary: 'Remove a subscription',
		run: async (context, session) => (await import('./webhook-remove.ts')).runWebhookRemove(context, openBook(session)),
	},
	{
		words: ['webhook', 'test'],
		usage: 'sluice webhook test NAME [--payload JSON] [--dry-run [--event ID]] [--json]',
		summary: 'Send a signed test event to the running gateway, or see what would become of it',
		run: async (context, session) => {
			const {runWebhookTest} = await import('./webhook-test.ts');
			const {runDryTest} = await import('./webhook-test-dry.ts');
			return runWebhookTest(context, openBook(session), (book, name) =>
				runDryTest(context, name, {book, openEvents: openEvents(session)}),
			);
		},
	},
	{
		words: ['approvals'],
		usage: 'sluice approvals list | allow ID [--scope SCOPE] | deny ID [--message TEXT]',
		summary: 'Answer a running gateway from another terminal',
		run: async context => (await import('./approvals.ts')).runApprovals(context),
	},
	{
		words: ['approvals', 'rules'],
		usage: 'sluice approvals rules list [--json] | revoke ID',
		summary: 'Remembered approvals, and taking them back',
		run: async (context, session) =>
			(await import('./approval-rules.ts')).runApprovalRules(context, openRules(session)),
	},
	{
		words: ['events'],
		usage: 'sluice events list [--route NAME] [--limit N] | show ID',
		summary: 'Webhook events from the journal',
		run: async (context, session) => (await import('./events.ts')).runEvents(context, openEvents(session)),
	},
	{
		words: ['events', 'replay'],
		usage: 'sluice events replay ID [--yes] [--json]',
		summary: 'Run a stored event through its route again; asks first',
		run: async context => (await import('./events-replay.ts')).runEventsReplay(context),
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
	'cron',
	'skills',
	'doctor',
	'completion',
];
