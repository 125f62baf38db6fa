import {type ToolJson} from '../../control/wire.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {runCommand} from '../cli/run-command.ts';
import {textTable} from '../cli/text-table.ts';
import {type OpenCore, withToolAccess} from './tool-access.ts';

/** `sluice mcp tools [SERVER] [--json]`: the registered tools and what a call of each would meet at the approval check. */
export function runMcpTools(context: CommandContext, openCore: OpenCore): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [server, ...rest] = context.arguments;
		if (rest.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice mcp tools [SERVER] [--json]'});
		}

		const wanted = server === undefined ? ({kind: 'every-server'} as const) : ({kind: 'server', name: server} as const);
		const all = await withToolAccess(context, {openCore, wanted}, access => access.tools({signal: context.signal}));
		const tools = all.filter(tool => server === undefined || tool.server === server);
		if (context.flags.json) {
			context.stdout(jsonDocument(tools));
		} else if (tools.length === 0) {
			context.stderr('No tools are registered. `sluice mcp list` shows the servers.\n');
		} else {
			context.stdout(textTable(['TOOL', 'APPROVAL', 'READS ONLY', 'DESCRIPTION'], tools.map(row)));
		}

		return 0;
	});
}

function row(tool: ToolJson): string[] {
	const [firstLine = ''] = (tool.title ?? tool.description).split('\n', 1);
	return [tool.name, tool.approval, tool.read_only ? 'yes' : 'no', firstLine];
}
