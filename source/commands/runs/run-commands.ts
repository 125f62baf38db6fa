import {type Command} from '../cli/command.ts';
import {ownApi} from '../cli/in-process.ts';

const rowLimit = {value: 'N', summary: 'Maximum number of rows, newest first (default: 50, at most 1,000)'};

/** Runs, calls and uncertain calls: what was done, and what a person decides about it. */
export const runCommands: readonly Command[] = [
	{
		words: ['runs', 'list'],
		usage: 'sluice runs list [--limit N] [--json]',
		summary: 'List agent runs from the journal, newest first',
		flags: ['limit', 'json'],
		flagTexts: {limit: rowLimit},
		examples: ['sluice runs', 'sluice runs list --limit 5 --json'],
		run: async (context, session) => (await import('./runs.ts')).runRunsList(context, ownApi(session)),
	},
	{
		words: ['runs', 'show'],
		usage: 'sluice runs show ID [--json]',
		summary: 'Show one run: prompt, model, tokens, calls, decisions, deliveries and answer',
		flags: ['json'],
		examples: ['sluice runs show 0c3d9db7'],
		takes: ['run'],
		run: async (context, session) => (await import('./runs.ts')).runRunsShow(context, ownApi(session)),
	},
	{
		words: ['runs', 'start'],
		usage: 'sluice runs start PROMPT [--json]',
		summary: 'Queue a run in the running gateway; prints its id and does not wait for it',
		details: 'PROMPT may be - to read it from stdin. Its answer is only shown: `sluice runs show ID`.',
		flags: ['json'],
		examples: ["sluice runs start 'Which tasks are open?'", 'sluice runs start - < prompt.txt'],
		run: async context => (await import('./runs.ts')).runRunsStart(context),
	},
	{
		words: ['runs', 'cancel'],
		usage: 'sluice runs cancel ID [--json]',
		summary: 'Cancel a run that waits in the queue or is running',
		flags: ['json'],
		examples: ['sluice runs cancel 0c3d9db7'],
		takes: ['run'],
		run: async context => (await import('./runs.ts')).runRunsCancel(context),
	},
	{
		words: ['runs', 'note'],
		usage: 'sluice runs note ID TEXT [--json]',
		summary: 'Write to a run at work; its model gets the text with its next turn',
		details:
			'TEXT may be - to read it from stdin; at most 20,000 characters. It is trusted as an instruction of yours: pass no text\nof others. `sluice runs show ID` says which turn got it.',
		flags: ['json'],
		examples: ["sluice runs note 0c3d9db7 'Leave the tests alone'", 'sluice runs note 0c3d9db7 - < note.txt'],
		takes: ['run'],
		run: async context => (await import('./runs.ts')).runRunsNote(context),
	},
	{
		words: ['runs', 'answer'],
		usage: 'sluice runs answer ID TEXT [--json]',
		summary: 'Answer a run in the inbox; the text is delivered like the answer of a model',
		details: 'TEXT may be - to read it from stdin.',
		flags: ['json'],
		examples: ["sluice runs answer 0c3d9db7 'Fixed in 1.2.1'", 'sluice runs answer 0c3d9db7 - < answer.md'],
		takes: ['run'],
		run: async context => (await import('./runs.ts')).runRunsAnswer(context),
	},
	{
		words: ['calls', 'list'],
		usage: 'sluice calls list [--limit N] [--json]',
		summary: 'List tool calls from the journal, newest first',
		flags: ['limit', 'json'],
		flagTexts: {limit: rowLimit},
		examples: ['sluice calls', 'sluice calls list --limit 5 --json'],
		run: async (context, session) => (await import('./calls.ts')).runCallsList(context, ownApi(session)),
	},
	{
		words: ['calls', 'show'],
		usage: 'sluice calls show ID [--json]',
		summary: 'Show one call: arguments, result and decision',
		flags: ['json'],
		examples: ['sluice calls show 0c3d9db7'],
		takes: ['call'],
		run: async (context, session) => (await import('./calls.ts')).runCallsShow(context, ownApi(session)),
	},
	{
		words: ['uncertain', 'list'],
		usage: 'sluice uncertain list [--json]',
		summary: 'List calls that may have taken effect',
		flags: ['json'],
		examples: ['sluice uncertain', 'sluice uncertain list --json'],
		run: async (context, session) => (await import('./uncertain.ts')).runUncertainList(context, ownApi(session)),
	},
	{
		words: ['uncertain', 'resolve'],
		usage: 'sluice uncertain resolve ID --happened|--did-not-happen|--repeat [--hash HASH] [--json]',
		summary: 'Record the outcome of an uncertain call, or repeat it',
		details:
			'--repeat prints the whole call and asks. Without a terminal it needs --hash, the `arguments_hash` that\n`sluice uncertain list --json` shows, so that only the call you have read is repeated. If the call has marked\ncharacters, run it without --hash first: it prints the hash below the call.',
		flags: ['happened', 'didNotHappen', 'repeat', 'hash', 'json'],
		examples: ['sluice uncertain resolve 9db7 --happened', 'sluice uncertain resolve 9db7 --repeat'],
		takes: ['uncertain'],
		run: async context => (await import('./uncertain.ts')).runUncertainResolve(context),
	},
];
