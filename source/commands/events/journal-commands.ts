import {type Command, type CommandContext} from '../cli/command.ts';
import {ownEvents, ownRehearsal, ownRouteNames, ownRules} from '../cli/in-process.ts';

/** The same context for a file that serves several commands and looks at the last word of their name. */
function named(context: CommandContext, action: string): CommandContext {
	return {...context, arguments: [action, ...context.arguments]};
}

/** Approvals and stored events. */
export const journalCommands: readonly Command[] = [
	{
		words: ['approvals', 'list'],
		usage: 'sluice approvals list [--json]',
		summary: 'List what the running gateway is waiting for',
		flags: ['json'],
		examples: ['sluice approvals', 'sluice approvals list --json'],
		run: async context => (await import('../approvals/approvals.ts')).runApprovals(named(context, 'list')),
	},
	{
		words: ['approvals', 'allow'],
		usage: 'sluice approvals allow ID [--scope once|run|session|always] [--hash HASH]',
		summary: 'Show a waiting call, and allow it from another terminal',
		details:
			'Prints the whole request and asks. Without a terminal it needs --hash, the `arguments_hash` that\n`sluice approvals list --json` shows: only what was read is allowed.',
		flags: ['scope', 'hash', 'json'],
		flagTexts: {
			scope: {
				value: 'SCOPE',
				summary: 'once (default), run (until its run ends), session (until the gateway stops) or always',
				completes: ['once', 'run', 'session', 'always'],
			},
		},
		examples: [
			'sluice approvals allow 9db7',
			'sluice approvals allow 9db7 --scope session',
			'sluice approvals allow 9db7 --hash 5b0c…',
		],
		takes: ['approval'],
		run: async context => (await import('../approvals/approvals.ts')).runApprovals(named(context, 'allow')),
	},
	{
		words: ['approvals', 'deny'],
		usage: 'sluice approvals deny ID [--message TEXT] [--json]',
		summary: 'Deny a waiting call from another terminal',
		flags: ['message', 'json'],
		examples: ["sluice approvals deny 9db7 --message 'not on a Friday'"],
		takes: ['approval'],
		run: async context => (await import('../approvals/approvals.ts')).runApprovals(named(context, 'deny')),
	},
	{
		words: ['approvals', 'rules', 'list'],
		usage: 'sluice approvals rules list [--json]',
		summary: 'List the rules of config.yaml, and the approvals that cover more than one call',
		flags: ['json'],
		examples: ['sluice approvals rules'],
		run: async (context, session) =>
			(await import('../approvals/approval-rules.ts')).runApprovalRules(named(context, 'list'), ownRules(session)),
	},
	{
		words: ['approvals', 'rules', 'revoke'],
		usage: 'sluice approvals rules revoke ID [--json]',
		summary: 'Revoke one of them; the tool asks for approval again',
		flags: ['json'],
		examples: ['sluice approvals rules revoke 9db7'],
		takes: ['rule'],
		run: async (context, session) =>
			(await import('../approvals/approval-rules.ts')).runApprovalRules(named(context, 'revoke'), ownRules(session)),
	},
	{
		words: ['questions', 'list'],
		usage: 'sluice questions list [--json]',
		summary: 'List what servers and runs ask a person now',
		flags: ['json'],
		examples: ['sluice questions', 'sluice questions list --json'],
		run: async context => (await import('../approvals/questions.ts')).runQuestionsList(context),
	},
	{
		words: ['questions', 'answer'],
		usage: 'sluice questions answer ID [--values JSON|--decline|--cancel] [--json]',
		summary: 'Answer one; without a flag it is asked field by field',
		flags: ['values', 'decline', 'cancel', 'json'],
		examples: [
			'sluice questions answer 9db7',
			'sluice questions answer 9db7 --values \'{"color":"red"}\'',
			'sluice questions answer 9db7 --decline',
		],
		takes: ['question'],
		run: async context => (await import('../approvals/questions.ts')).runQuestionsAnswer(context),
	},
	{
		words: ['rules', 'list'],
		usage: 'sluice rules list [--json]',
		summary: 'The same as `sluice approvals rules list`',
		flags: ['json'],
		examples: ['sluice rules'],
		run: async (context, session) =>
			(await import('../approvals/approval-rules.ts')).runApprovalRules(named(context, 'list'), ownRules(session)),
	},
	{
		words: ['rules', 'test'],
		usage: 'sluice rules test --server NAME --tool NAME [--args JSON] [--json]',
		summary: 'Say what the rules decide about a call; nothing is called',
		flags: ['server', 'tool', 'args', 'json'],
		flagTexts: {
			server: {value: 'NAME', summary: 'Server of the tool; `sluice` for built-in tools'},
		},
		examples: ['sluice rules test --server files --tool read_file --args \'{"path": "/srv/app/readme.md"}\''],
		run: async (context, session) =>
			(await import('../approvals/approval-rules.ts')).runApprovalRules(named(context, 'test'), ownRules(session)),
	},
	{
		words: ['rules', 'rehearse'],
		usage: 'sluice rules rehearse [FILE|--rule JSON] [--since TIME] [--json]',
		summary: 'Try rules on the recorded calls, and show whose verdict would change; nothing is sent',
		details:
			'FILE is a list of rules, which are added to the present ones, or a config.yaml, whose rules replace those of\nthe present one. Without either the present rules are tried.',
		flags: ['rule', 'since', 'json'],
		flagTexts: {
			since: {value: 'TIME', summary: 'Only newer calls: 12h, 7d, or a time as 2026-05-04T14:00 (default: all)'},
		},
		examples: [
			'sluice rules rehearse rules.yaml --since 7d',
			'sluice rules rehearse --rule \'{"action": "deny", "server": "*", "tool": "delete_*"}\'',
		],
		takes: ['file'],
		run: async (context, session) =>
			(await import('../approvals/rehearse-rules.ts')).runRulesRehearse(context, ownRehearsal(session)),
	},
	{
		words: ['rules', 'remove'],
		usage: 'sluice rules remove ID [--json]',
		summary: 'The same as `sluice approvals rules revoke`',
		flags: ['json'],
		examples: ['sluice rules remove 9db7'],
		takes: ['rule'],
		run: async (context, session) =>
			(await import('../approvals/approval-rules.ts')).runApprovalRules(named(context, 'revoke'), ownRules(session)),
	},
	{
		words: ['events', 'list'],
		usage: 'sluice events list [--route NAME] [--limit N] [--follow] [--json]',
		summary: 'List webhook events from the journal, and what became of them',
		details:
			'With --follow the running gateway is asked, and each event that comes is one more line, until Ctrl-C;\nwith --json, one object in a line.',
		flags: ['route', 'limit', 'follow', 'json'],
		examples: ['sluice events', 'sluice events list --route alerts --limit 5', 'sluice events list --follow'],
		run: async (context, session) =>
			(await import('./events.ts')).runEvents(named(context, 'list'), ownEvents(session), ownRouteNames(session)),
	},
	{
		words: ['events', 'show'],
		usage: 'sluice events show ID [--json]',
		summary: 'Show one event, and the runs, calls, decisions and deliveries it led to',
		flags: ['json'],
		examples: ['sluice events show 0c3d9db7'],
		takes: ['event'],
		run: async (context, session) =>
			(await import('./events.ts')).runEvents(named(context, 'show'), ownEvents(session), ownRouteNames(session)),
	},
	{
		words: ['events', 'replay'],
		usage: 'sluice events replay ID [--deliver] [--yes] [--json]',
		summary: 'Run a stored event through its route again; asks first',
		details: 'With --deliver nothing runs; only the undelivered answers of the event are sent again.',
		flags: ['deliver', 'yes', 'json'],
		flagTexts: {deliver: {summary: 'Send the undelivered answers again, without a run'}},
		examples: ['sluice events replay 0c3d9db7', 'sluice events replay 0c3d9db7 --deliver'],
		takes: ['event'],
		run: async context => (await import('./events-replay.ts')).runEventsReplay(context),
	},
];
