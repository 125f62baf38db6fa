import {type Command} from '../cli/command.ts';
import {type FlagName} from '../cli/flag-table.ts';
import {ownRoutes, ownApi} from '../cli/in-process.ts';

/** The settings of a subscription. */
const routeFlags = [
	'events',
	'prompt',
	'description',
	'deliver',
	'deliverChatId',
	'deliverOnly',
	'onFailure',
	'extra',
	'secretEnv',
	'filter',
	'script',
	'skills',
	'coalesce',
	'cronJob',
	'routeProfile',
] as const satisfies readonly FlagName[];

/** Routes and subscriptions. */
export const webhookCommands: readonly Command[] = [
	{
		words: ['webhook', 'subscribe'],
		aliases: [['webhook', 'add']],
		help: 'main',
		usage: 'sluice webhook subscribe NAME [flags]',
		summary: 'Create or change a dynamic route, and print its URL and secret',
		details:
			'When changing a route, settings without a flag stay as they are; an empty value removes a setting.\n--set takes signature.url, challenge.token (only a reference to a variable), and secret.topic_arn, secret.audience,\nsecret.email, secret.issuer and secret.jwks. `sluice webhook presets NAME` says what a provider needs.',
		flags: [...routeFlags, 'preset', 'set', 'json'],
		examples: [
			"sluice webhook subscribe alerts --events push --prompt 'Look at {ref}'",
			'sluice webhook subscribe alerts --deliver telegram --deliver-chat-id 42',
			'sluice webhook subscribe payments --preset stripe --secret-env STRIPE_WEBHOOK_SECRET',
			"sluice webhook subscribe chats --preset meta --secret-env META_SECRET --set challenge.token='${META_VERIFY_TOKEN}'",
			`sluice webhook subscribe opened --filter '{"field":"action","equals":"opened"}'`,
			"sluice webhook subscribe alerts --description ''",
		],
		takes: ['route'],
		run: async (context, session) =>
			(await import('./subscriptions.ts')).runWebhookSubscribe(context, ownRoutes(session)),
	},
	{
		words: ['webhook', 'setup'],
		usage: 'sluice webhook setup github OWNER/REPO [--url URL] [flags]',
		summary: 'Make a route for a repository, and its webhook with `gh`',
		details:
			'Prints what to enter at GitHub where `gh` is not installed or you say no. GitHub gets the secret through\n`gh`, never as an argument. Running it again updates the same webhook.',
		flags: [...routeFlags, 'url', 'yes', 'json'],
		examples: [
			'sluice webhook setup github acme/shop --url https://hooks.example.com --events pull_request',
			"sluice webhook setup github acme/shop --url https://hooks.example.com --prompt 'Review {pull_request.title}'",
		],
		takes: [['github']],
		run: async (context, session) =>
			(await import('./webhook-setup.ts')).runWebhookSetup(context, ownRoutes(session), session),
	},
	{
		words: ['webhook', 'handshake'],
		usage: 'sluice webhook handshake NAME [--json]',
		summary: 'Wait for the confirmation that the sender of a route asks for, and agree to it',
		details:
			'AWS SNS asks every new endpoint to confirm its subscription. The confirmation counts only within 10 minutes of\nthis command, which needs a terminal and a running gateway. Nothing is fetched before you say yes.',
		flags: ['json'],
		examples: ['sluice webhook handshake alarms'],
		takes: ['route'],
		run: async context => (await import('./webhook-handshake.ts')).runWebhookHandshake(context),
	},
	{
		words: ['webhook', 'list'],
		help: 'main',
		usage: 'sluice webhook list [--json]',
		summary: 'List the routes of config.yaml and the subscriptions',
		flags: ['json'],
		examples: ['sluice webhook list', "sluice webhook list --json | jq -r '.[].url'"],
		run: async (context, session) =>
			(await import('./webhook-list.ts')).runWebhookList(context, ownRoutes(session), ownApi(session)),
	},
	{
		words: ['webhook', 'show'],
		usage: 'sluice webhook show NAME [--json]',
		summary: 'Show all that the list has about one route',
		flags: ['json'],
		examples: ['sluice webhook show alerts'],
		takes: ['route'],
		run: async (context, session) =>
			(await import('./webhook-list.ts')).runWebhookShow(context, ownRoutes(session), ownApi(session)),
	},
	{
		words: ['webhook', 'remove'],
		help: 'main',
		usage: 'sluice webhook remove NAME [--json]',
		summary: 'Remove a subscription',
		flags: ['json'],
		examples: ['sluice webhook remove alerts'],
		takes: ['route'],
		run: async (context, session) => (await import('./subscriptions.ts')).runWebhookRemove(context, ownRoutes(session)),
	},
	{
		words: ['webhook', 'presets'],
		usage: 'sluice webhook presets [NAME] [--json]',
		summary: 'List the providers that Sluice knows, or print the steps that connect one',
		flags: ['json'],
		examples: ['sluice webhook presets', 'sluice webhook presets stripe'],
		takes: ['preset'],
		run: async (context, session) =>
			(await import('./webhook-presets.ts')).runWebhookPresets(context, ownRoutes(session)),
	},
	{
		words: ['webhook', 'test'],
		help: 'main',
		usage: 'sluice webhook test NAME [--payload JSON] [--dry-run [--event ID]] [--json]',
		summary: 'Send a signed test event to the running gateway, or show what would happen',
		flags: ['payload', 'dryRun', 'event', 'json'],
		examples: [
			'sluice webhook test alerts',
			`sluice webhook test alerts --payload '{"event_type":"push","ref":"main"}' --dry-run`,
			'sluice webhook test alerts --dry-run --event 0c3d9db7',
		],
		takes: ['route'],
		run: async (context, session) => {
			const {runWebhookTest} = await import('./webhook-test.ts');
			const {runDryTest} = await import('./webhook-test-dry.ts');
			return runWebhookTest(context, ownRoutes(session), (registry, name) =>
				runDryTest(context, name, {registry, openOwn: ownApi(session)}),
			);
		},
	},
];
