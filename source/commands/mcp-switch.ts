import {type CommandContext, type ExitCode} from './command-context.ts';
import {onlyWord} from './only-word.ts';
import {takeOver} from './take-over.ts';
import {type OpenWorkbench} from './workbench.ts';

/** `sluice mcp enable|disable NAME`: switches a server; it stays in the configuration. */
export async function runMcpSwitch(
	context: CommandContext,
	state: 'enable' | 'disable',
	openWorkbench: OpenWorkbench,
): Promise<ExitCode> {
	const typed = onlyWord(context, `sluice mcp ${state} NAME`);
	const bench = await openWorkbench();
	const name = bench.findServer(typed);
	const change = await bench.openChange();
	change.config.set(['mcp_servers', name, 'enabled'], state === 'enable');
	await change.commit();
	context.stdout(`${typed} is ${state}d.\n`);
	await takeOver(context);
	return 0;
}
