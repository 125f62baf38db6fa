import {hookProgramNames, programNames} from '../../config/programs/program-names.ts';
import {type Command} from '../cli/command.ts';
import {ownApi} from '../cli/in-process.ts';

/** Programs that call their tools through Sluice. */
export const connectCommands: readonly Command[] = [
	{
		words: ['connect'],
		help: 'main',
		usage: 'sluice connect [PROGRAM] [flags]',
		summary: 'Connect an agent program to Sluice, or list which programs are connected',
		details:
			'Writes an entry `sluice` into the settings of the program, shows the change and asks first. Every other byte of\nthe file stays, and --remove restores it. The program then starts `sluice mcp serve` by itself, and with --hook\nalso before calls of its own tools.',
		flags: ['stdio', 'http', 'project', 'hook', 'trust', 'remove', 'yes', 'json'],
		flagTexts: {
			trust: {
				summary: 'Let the program run the tools of Sluice without asking; lists them and asks first, also with --yes',
				completes: programNames,
			},
		},
		examples: [
			'sluice connect',
			'sluice connect codex',
			'sluice connect claude-code --project',
			'sluice connect claude-code --hook',
			'sluice connect gemini --trust',
			'sluice connect codex --remove --yes',
		],
		takes: [programNames],
		run: async (context, session) =>
			(await import('./connect.ts')).runConnect(context, session, ownApi(session, 'left-out')),
	},
	{
		words: ['hook'],
		usage: 'sluice hook PROGRAM',
		summary: 'Decide about a call that an agent program makes itself; the hooks of the program run this',
		details:
			'Reads the JSON of a hook from stdin and prints the answer of that program. Shell commands, edits and network\ncalls wait for you as tool calls do.',
		flags: [],
		examples: ['sluice hook claude-code < input.json', 'sluice hook codex < input.json'],
		takes: [hookProgramNames],
		run: async context => (await import('./hook.ts')).runHook(context, process.stdin),
	},
];
