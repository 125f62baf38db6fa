import {type Command} from '../cli/command.ts';

/** Clients of the endpoint that have tokens of their own. */
export const clientCommands: readonly Command[] = [
	{
		words: ['clients', 'list'],
		usage: 'sluice clients list [--json]',
		summary: 'List the clients of the endpoint, and the tools that they are offered',
		flags: ['json'],
		examples: ['sluice clients list'],
		run: async (context, session) => (await import('./clients.ts')).runClientsList(context, session),
	},
	{
		words: ['clients', 'add'],
		usage: 'sluice clients add NAME [--tools LIST] [--json]',
		summary: 'Make a token for a client of the endpoint',
		details:
			'Writes the token to .env and a reference to gateway.endpoint.clients; it is not printed. A running gateway admits\nthe client at once.',
		flags: ['tools', 'json'],
		flagTexts: {
			tools: {summary: 'Offer only these tools: SERVER/TOOL or registered names, exact or globs, comma-separated'},
		},
		examples: ['sluice clients add laptop', "sluice clients add reviewer --tools 'github/get_*,github/list_*'"],
		run: async (context, session) => (await import('./clients.ts')).runClientsAdd(context, session),
	},
	{
		words: ['clients', 'rotate'],
		usage: 'sluice clients rotate NAME [--json]',
		summary: 'Give a client a new token; its sessions end, and the former token opens nothing',
		flags: ['json'],
		examples: ['sluice clients rotate laptop', 'sluice clients rotate default'],
		run: async (context, session) => (await import('./clients.ts')).runClientsRotate(context, session),
	},
	{
		words: ['clients', 'remove'],
		usage: 'sluice clients remove NAME [--yes] [--json]',
		summary: 'Remove a client and its token; asks first',
		details: 'Its sessions end. `default` is switched off: the token of the endpoint then opens nothing.',
		flags: ['yes', 'json'],
		examples: ['sluice clients remove laptop', 'sluice clients remove default --yes'],
		run: async (context, session) => (await import('./clients.ts')).runClientsRemove(context, session),
	},
	{
		words: ['clients', 'headers'],
		usage: 'sluice clients headers NAME [--json]',
		summary: 'Print the headers of a client as JSON, for programs that ask a command for them',
		details: 'The output contains the token.',
		flags: ['json'],
		examples: ['sluice clients headers laptop'],
		run: async (context, session) => (await import('./client-headers.ts')).runClientsHeaders(context, session),
	},
];
