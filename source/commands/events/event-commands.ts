import {type Command, withAction} from '../cli/command.ts';
import {ownApi, ownRouteNames} from '../cli/in-process.ts';

/** Stored events. */
export const eventCommands: readonly Command[] = [
	{
		words: ['events', 'list'],
		help: 'main',
		usage: 'sluice events list [--route NAME] [--limit N] [--follow] [--json]',
		summary: 'List webhook events from the journal, and their outcomes',
		details:
			'--follow asks the running gateway and prints one line for each new event, until Ctrl-C; with --json,\neach line is an object.',
		flags: ['route', 'limit', 'follow', 'json'],
		examples: ['sluice events', 'sluice events list --route alerts --limit 5', 'sluice events list --follow'],
		run: async (context, session) =>
			(await import('./events.ts')).runEvents(withAction(context, 'list'), ownApi(session), ownRouteNames(session)),
	},
	{
		words: ['events', 'show'],
		usage: 'sluice events show ID [--json]',
		summary: 'Show one event, and the runs, calls, decisions and deliveries it led to',
		flags: ['json'],
		examples: ['sluice events show 0c3d9db7'],
		takes: ['event'],
		run: async (context, session) =>
			(await import('./events.ts')).runEvents(withAction(context, 'show'), ownApi(session), ownRouteNames(session)),
	},
	{
		words: ['events', 'replay'],
		usage: 'sluice events replay ID [--deliver] [--yes] [--json]',
		summary: 'Run a stored event through its route again; asks first',
		details: '--deliver runs nothing; it only sends the undelivered answers of the event again.',
		flags: ['deliver', 'yes', 'json'],
		flagTexts: {deliver: {summary: 'Send the undelivered answers again, without a run'}},
		examples: ['sluice events replay 0c3d9db7', 'sluice events replay 0c3d9db7 --deliver'],
		takes: ['event'],
		run: async context => (await import('./events-replay.ts')).runEventsReplay(context),
	},
];
