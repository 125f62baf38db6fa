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
	{
		words: ['doctor'],
		usage: 'sluice doctor [--offline] [--json]',
		summary: 'What is wrong, what it means, what to do about it',
		details:
			'Looks at the configuration, files and their rights, the lock, the port, every tool server and every route.\nExit 1 when anything is an error. With a running gateway its servers are asked about; else each is\nconnected for a look.',
		flags: ['offline', 'json'],
		examples: [
			'sluice doctor',
			'sluice doctor --json | jq \'.[] | select(.level != "ok")\'',
			'sluice doctor --offline',
		],
		run: async (context, session) => {
			const {runDoctor} = await import('./doctor.ts');
			const {examine} = await import('./examine.ts');
			const {signal} = context;
			return runDoctor(context, reach => examine(session, {reach, signal}));
		},
	},
];
