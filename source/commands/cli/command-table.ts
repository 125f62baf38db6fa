import {type Command} from './command.ts';
import {cronCommands} from '../cron/cron-commands.ts';
import {gatewayCommands} from '../gateway/gateway-commands.ts';
import {journalCommands} from '../events/journal-commands.ts';
import {mcpCommands} from '../mcp/mcp-commands.ts';
import {webhookCommands} from '../webhook/webhook-commands.ts';

/** Every command (docs/cli.md, Conventions). Help, completion and dispatch are made from it. */
export const commands: readonly Command[] = [
	...gatewayCommands,
	...mcpCommands,
	...webhookCommands,
	...cronCommands,
	...journalCommands,
	{
		words: ['completion'],
		usage: 'sluice completion bash|zsh|fish',
		summary: 'Completion for a shell: commands, flags, names of servers and routes',
		flags: [],
		examples: ['source <(sluice completion bash)', 'sluice completion fish > ~/.config/fish/completions/sluice.fish'],
		takes: [['bash', 'zsh', 'fish']],
		run: async (context, session) =>
			(await import('../completion/completion.ts')).runCompletion(context, commands, session),
	},
];
