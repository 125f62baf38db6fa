import {statePaths, stateRoot} from '../config/state-paths.ts';
import {type Command} from './command.ts';
import {cronCommands} from './cron-commands.ts';
import {shells} from './completion-scripts.ts';
import {gatewayCommands} from './gateway-commands.ts';
import {journalCommands} from './journal-commands.ts';
import {mcpCommands} from './mcp-commands.ts';
import {webhookCommands} from './webhook-commands.ts';

/** Every command that is built (spec/decisions.md, D2). Help, completion and dispatch are made from it. */
export const commands: readonly Command[] = [
	...gatewayCommands,
	...mcpCommands,
	...webhookCommands,
	...cronCommands,
	...journalCommands,
	{
		words: ['completion'],
		usage: `sluice completion ${shells.join('|')}`,
		summary: 'Completion for a shell: commands, flags, names of servers and routes',
		flags: [],
		examples: ['source <(sluice completion bash)', 'sluice completion fish > ~/.config/fish/completions/sluice.fish'],
		takes: [shells],
		run: async (context, {paths, environment}) => {
			const {runCompletion} = await import('./completion.ts');
			return runCompletion(context, commands, ({home, profile = paths.profile}) =>
				statePaths({root: home === undefined ? paths.root : stateRoot(environment, home), profile}),
			);
		},
	},
];

/** Commands of the plan that are not built. They are named, so that nobody searches for a typing mistake. */
export const plannedCommands: readonly string[] = ['mcp login', 'mcp logout', 'mcp reauth', 'mcp serve', 'skills'];
