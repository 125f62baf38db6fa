import {type Command} from '../cli/command.ts';
import {ownGrantConsole, ownMove} from '../cli/in-process.ts';

/** The journal as a whole, and its database. */
export const journalCommands: readonly Command[] = [
	{
		words: ['journal', 'move'],
		usage: 'sluice journal move [--dry-run] [--json]',
		summary: 'Copy journal.db into the PostgreSQL database of `journal.url`, with the gateway stopped',
		details:
			'Copies every row under its number and id in one transaction, reads all of them again and compares. Whatever\nends it before, Ctrl-C too, leaves the database without any. journal.db stays as it is.',
		flags: ['dryRun', 'json'],
		flagTexts: {dryRun: {summary: 'Only say whether it could be moved, and count the rows'}},
		examples: [
			'sluice journal move --dry-run',
			'sluice journal move',
			'sluice --profile work journal move --json',
			'sluice --home /srv/sluice journal move',
		],
		run: async (context, session) => (await import('./journal-move.ts')).runJournalMove(context, ownMove(session)),
	},
	{
		words: ['journal', 'grant-console'],
		usage: 'sluice journal grant-console ROLE [--json]',
		summary: 'Let a role of the database of `journal.url` read views of the journal and answer approvals',
		details:
			'The role may read the views console_… and call answer_approval(), which answers by the name of the role that\nhas logged in. It may do nothing else with the journal. Repeat it after an update.',
		flags: ['json'],
		examples: ['sluice journal grant-console oncall'],
		run: async (context, session) =>
			(await import('./grant-console.ts')).runGrantConsole(context, ownGrantConsole(session)),
	},
];
