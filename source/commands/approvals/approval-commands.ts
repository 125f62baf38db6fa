import {type Command, namesOf, withAction} from '../cli/command.ts';
import {findServerOf, ownApi, ownRehearsal, serverNamesOf} from '../cli/in-process.ts';

/** Rules: what decides without asking. */
const ruleCommands: readonly Command[] = [
	{
		words: ['rules', 'list'],
		usage: 'sluice rules list [--json]',
		summary: 'List the rules of config.yaml, and the approvals that cover more than one call',
		flags: ['json'],
		examples: ['sluice rules'],
		run: async (context, session) =>
			(await import('./approval-rules.ts')).runApprovalRules(withAction(context, 'list'), ownApi(session, 'left-out')),
	},
	{
		words: ['rules', 'show'],
		usage: 'sluice rules show ID [--json]',
		summary: 'Show all that the list has about one rule',
		flags: ['json'],
		examples: ['sluice rules show 9db7'],
		takes: ['rule'],
		run: async (context, session) =>
			(await import('./approval-rules.ts')).runRulesShow(context, ownApi(session, 'left-out')),
	},
	{
		words: ['rules', 'test'],
		usage: 'sluice rules test SERVER/TOOL|--server NAME --tool NAME [--args JSON|@FILE|-] [--json]',
		summary: 'Show what the rules decide about a call, without calling it',
		flags: ['server', 'tool', 'args', 'json'],
		flagTexts: {
			server: {value: 'NAME', summary: 'Server of the tool; `sluice` for built-in tools'},
			args: {value: 'JSON', summary: 'Arguments of the call, as a JSON object; @FILE reads a file, - reads stdin'},
		},
		examples: [
			'sluice rules test files/read_file --args \'{"path": "/srv/app/readme.md"}\'',
			'sluice rules test --server files --tool read_file --args \'{"path": "/srv/app/readme.md"}\'',
		],
		run: async (context, session) =>
			(await import('./approval-rules.ts')).runApprovalRules(withAction(context, 'test'), ownApi(session, 'left-out'), {
				findServer: findServerOf(session),
				serverNames: serverNamesOf(session),
			}),
	},
	{
		words: ['rules', 'rehearse'],
		usage: 'sluice rules rehearse [FILE|--rule JSON] [--since TIME] [--json]',
		summary: 'Try rules on the recorded calls, and show which verdicts would change; nothing is sent',
		details:
			'FILE is a list of rules to add to the current ones, or a config.yaml with rules to replace them.\nWithout FILE and --rule, the current rules are tried.',
		flags: ['rule', 'since', 'json'],
		flagTexts: {
			since: {value: 'TIME', summary: 'Only newer calls: 12h, 7d, or a time such as 2026-05-04T14:00 (default: all)'},
		},
		examples: [
			'sluice rules rehearse rules.yaml --since 7d',
			'sluice rules rehearse --rule \'{"action": "deny", "server": "*", "tool": "delete_*"}\'',
		],
		takes: ['file'],
		run: async (context, session) =>
			(await import('./rehearse-rules.ts')).runRulesRehearse(context, {
				readSources: ownRehearsal(session),
				openOwn: ownApi(session),
			}),
	},
	{
		words: ['rules', 'add'],
		usage: 'sluice rules add --deny|--ask|--allow SERVER/TOOL [CONDITION …] [flags]',
		summary: 'Store a rule; --allow shows the rule and asks first',
		details:
			'A condition is an argument, an operator and a value: = equals, ^= path and below, *= glob, @= host, <= at\nmost, >= at least. SERVER and TOOL may be patterns. The rule holds at once and after a restart, and one line says\nwhich recorded calls it would have changed. --allow prints the rule and the calls it would have let through, and asks;\nwithout a terminal it needs --hash. `approvals: {cli: deny}` keeps commands from adding one that allows.',
		flags: ['deny', 'ask', 'allow', 'origin', 'ignore', 'reason', 'hash', 'json'],
		flagTexts: {
			hash: {value: 'HASH', summary: 'The `hash` that --allow prints under the rule; needed without a terminal'},
		},
		examples: [
			'sluice rules add --deny files/write_file path^=/etc',
			"sluice rules add --ask '*/delete_*' --reason 'deletes for good'",
			'sluice rules add --allow files/read_file path^=/srv/app --ignore encoding',
			"sluice rules add --deny shop/refund 'amount>=100' --origin route:orders",
		],
		run: async (context, session) =>
			(await import('./add-rule.ts')).runRulesAdd(context, {
				readSources: ownRehearsal(session),
				openOwn: ownApi(session, 'left-out'),
			}),
	},
	{
		words: ['rules', 'remove'],
		aliases: [['rules', 'revoke']],
		usage: 'sluice rules remove ID [--json]',
		summary: 'Remove a stored rule or a remembered approval; the tool asks for approval again',
		flags: ['json'],
		examples: ['sluice rules remove 9db7'],
		takes: ['rule'],
		run: async (context, session) =>
			(await import('./approval-rules.ts')).runApprovalRules(
				withAction(context, 'revoke'),
				ownApi(session, 'left-out'),
			),
	},
];

/** Approvals and questions, and the rules that spare them. */
export const approvalCommands: readonly Command[] = [
	{
		words: ['approvals', 'list'],
		usage: 'sluice approvals list [--json]',
		summary: 'List the requests that wait for an approval',
		flags: ['json'],
		examples: ['sluice approvals', 'sluice approvals list --json'],
		run: async context => (await import('./approvals.ts')).runApprovals(withAction(context, 'list')),
	},
	{
		words: ['approvals', 'allow'],
		aliases: [['approve']],
		help: 'main',
		usage: 'sluice approvals allow ID [--scope once|run|session|always] [--hash HASH]',
		summary: 'Show a waiting call, and allow it from another terminal',
		details:
			'Prints the whole request and asks. Without a terminal it needs --hash, the `arguments_hash` that\n`sluice approvals list --json` shows, so that only the request you have read is allowed. If the request has\nmarked characters, run it without --hash first: it prints the hash below the request.',
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
		run: async context => (await import('./approvals.ts')).runApprovals(withAction(context, 'allow')),
	},
	{
		words: ['approvals', 'deny'],
		aliases: [['deny']],
		help: 'main',
		usage: 'sluice approvals deny ID [--message TEXT] [--json]',
		summary: 'Deny a waiting call from another terminal',
		flags: ['message', 'json'],
		examples: ["sluice approvals deny 9db7 --message 'not on a Friday'"],
		takes: ['approval'],
		run: async context => (await import('./approvals.ts')).runApprovals(withAction(context, 'deny')),
	},
	{
		words: ['questions', 'list'],
		usage: 'sluice questions list [--json]',
		summary: 'List the questions of servers and runs that wait for an answer',
		flags: ['json'],
		examples: ['sluice questions', 'sluice questions list --json'],
		run: async context => (await import('./questions.ts')).runQuestionsList(context),
	},
	{
		words: ['questions', 'answer'],
		usage: 'sluice questions answer ID [--values JSON|--decline|--cancel] [--json]',
		summary: 'Answer a question; without a flag, field by field',
		details:
			'A page that a server wants to have opened is shown with its host and its whole address first, and opened in a\nbrowser only by your answer. Without a terminal, --values {} accepts it and opens nothing.',
		flags: ['values', 'decline', 'cancel', 'json'],
		examples: [
			'sluice questions answer 9db7',
			'sluice questions answer 9db7 --values \'{"color":"red"}\'',
			'sluice questions answer 9db7 --decline',
		],
		takes: ['question'],
		run: async (context, session) => (await import('./questions.ts')).runQuestionsAnswer(context, session),
	},
	...ruleCommands.map(withApprovalsName),
];

/** `sluice approvals rules …` has every act of `sluice rules …`. */
function withApprovalsName(command: Command): Command {
	return {
		...command,
		aliases: namesOf(command).flatMap(name => [...(name === command.words ? [] : [name]), ['approvals', ...name]]),
	};
}
