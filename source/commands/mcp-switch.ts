import {setServerEnabled} from '../config/edit-config.ts';
import {Problem} from '../util/problem.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {knownServer} from './known-server.ts';
import {runCommand} from './run-command.ts';
import {takeOver} from './take-over.ts';
import {type OpenWorkbench} from './workbench.ts';

/** `sluice mcp enable|disable NAME`: switches a server; it stays in the configuration. */
export function runMcpSwitch(
	context: CommandContext,
	state: 'enable' | 'disable',
	openWorkbench: OpenWorkbench,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [typed, ...others] = context.arguments;
		if (typed === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: `Usage: sluice mcp ${state} NAME`});
		}

		const {paths, config} = await openWorkbench();
		const name = knownServer(typed, config);
		await setServerEnabled(paths, name, state === 'enable');
		context.stdout(`${name} is ${state}d.\n`);
		await takeOver(context);
		return 0;
	});
}
