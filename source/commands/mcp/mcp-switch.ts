import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {onlyWord} from '../cli/only-word.ts';
import {takeOver} from '../gateway/take-over.ts';
import {type LoadConfigSession} from './config-session.ts';

/** `sluice mcp enable|disable NAME`: switches a server; it stays in the configuration. */
export async function runMcpSwitch(
	context: CommandContext,
	state: 'enable' | 'disable',
	loadConfigSession: LoadConfigSession,
): Promise<ExitCode> {
	const typed = onlyWord(context, `sluice mcp ${state} NAME`);
	const config = await loadConfigSession();
	const name = config.findServer(typed);
	const change = await config.openChange();
	change.config.set(['mcp_servers', name, 'enabled'], state === 'enable');
	await change.commit();
	context.stdout(`${typed} is ${state}d.\n`);
	await takeOver(context);
	return 0;
}
