import {type Command} from './command.ts';

/** The dashboard and the gateway itself. */
export const gatewayCommands: readonly Command[] = [
	{
		words: [],
		usage: 'sluice [--demo]',
		summary: 'Dashboard, gateway in the same process',
		flags: ['demo', 'log'],
		examples: ['sluice', 'sluice --demo', 'sluice --profile work --read-only'],
		run: async (context, session) => (await import('./start.ts')).start(context, session),
	},
	{
		words: ['gateway', 'run'],
		usage: 'sluice gateway run [--log text|json]',
		summary: 'Without a window: one line per event',
		details:
			'The first SIGINT, SIGTERM or SIGHUP lets it drain and ends it with 0, a second one at once.\n`sluice approvals` answers from another terminal.',
		flags: ['log', 'demo'],
		examples: ['sluice gateway run', 'sluice gateway run --log json | jq \'select(.type == "webhook.settled")\''],
		run: async (context, session) => (await import('./start.ts')).startPlain(context, session),
	},
];
