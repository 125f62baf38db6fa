import {deliveryStates} from '../../state/json/event.ts';
import {type Command} from '../cli/command.ts';
import {ownApi} from '../cli/in-process.ts';

/** Messages to platforms. */
export const deliveryCommands: readonly Command[] = [
	{
		words: ['deliveries', 'list'],
		usage: 'sluice deliveries list [--status STATUS] [--limit N] [--json]',
		summary: 'List messages to platforms, and when those that did not arrive are sent again',
		flags: ['status', 'limit', 'json'],
		flagTexts: {status: {summary: 'Only messages in this state', completes: deliveryStates}},
		examples: ['sluice deliveries', 'sluice deliveries list --status retrying --json'],
		run: async (context, session) => (await import('./deliveries.ts')).runDeliveriesList(context, ownApi(session)),
	},
	{
		words: ['deliveries', 'retry'],
		usage: 'sluice deliveries retry ID [--yes] [--json]',
		summary: 'Send a message that did not arrive now',
		details: '--yes also sends one that may have arrived; its first parts that arrived for certain are left out.',
		takes: ['delivery'],
		flags: ['yes', 'json'],
		examples: ['sluice deliveries retry 0c3d9db7'],
		run: async context => (await import('./deliveries.ts')).runDeliveriesRetry(context),
	},
	{
		words: ['deliveries', 'cancel'],
		usage: 'sluice deliveries cancel ID [--json]',
		summary: 'Do not send a message again',
		takes: ['delivery'],
		flags: ['json'],
		examples: ['sluice deliveries cancel 0c3d9db7'],
		run: async context => (await import('./deliveries.ts')).runDeliveriesCancel(context),
	},
];
