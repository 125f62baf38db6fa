import {type Command, withAction} from '../cli/command.ts';
import {ownApi, ownRouteNames} from '../cli/in-process.ts';

/** Stored events. */
export const eventCommands: readonly Command[] = [
	{
		words: ['events', 'list'],
		help: 'main',
		usage: 'sluice events list [flags]',
		summary: 'List webhook events from the journal, and their outcomes',
		details:
			'--follow asks the running gateway and prints one line for each new event, until Ctrl-C; with --json,\neach line is an object. --status failed: the delivery or the run failed, nothing of it is in\ndoubt, and no replay followed.',
		flags: ['route', 'status', 'since', 'until', 'limit', 'follow', 'json'],
		flagTexts: {since: {summary: 'Only newer events: 10m, 2h, 1d, or a time such as 2026-05-04T14:00'}},
		examples: [
			'sluice events',
			'sluice events list --route alerts --limit 5',
			'sluice events list --status failed --since 1d',
			'sluice events list --follow',
		],
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
		words: ['events', 'file'],
		usage: 'sluice events file ID NUMBER > FILE',
		summary: 'Write a file that came with an event to stdout',
		details: '`sluice events show ID` lists the files of an event with their numbers.',
		flags: [],
		examples: ['sluice events file 0c3d9db7 1 > invoice.pdf'],
		takes: ['event'],
		run: async (context, session) => (await import('./events-file.ts')).runEventsFile(context, ownApi(session)),
	},
	{
		words: ['events', 'replay'],
		usage: 'sluice events replay ID [flags]',
		summary: 'Run a stored event, or those that failed, through the route again; asks first',
		details:
			'--deliver runs nothing; it only sends the undelivered answers of the event again. Without an ID, the events\nof a route that failed are run again one after another, the oldest first. Interrupted and doubtful\nevents, and those that were replayed already, are left out: name them.',
		flags: ['deliver', 'route', 'status', 'since', 'until', 'yes', 'json'],
		flagTexts: {
			deliver: {summary: 'Send the undelivered answers again, without a run'},
			route: {summary: 'Replay events of this route'},
			since: {summary: 'Only newer events: 10m, 2h, 1d, or a time such as 2026-05-04T14:00'},
		},
		examples: [
			'sluice events replay 0c3d9db7',
			'sluice events replay 0c3d9db7 --deliver',
			'sluice events replay --route alerts --status failed --since 2h',
		],
		takes: ['event'],
		run: async context => (await import('./events-replay.ts')).runEventsReplay(context),
	},
];
