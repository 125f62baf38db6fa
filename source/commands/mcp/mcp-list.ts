import {type ServerJson, type ToolJson} from '../../control/wire.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument, textTable} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {type OpenCore, withToolAccess} from './tool-access.ts';

/** `sluice mcp list [--json]`: the tool servers with their states. */
export function runMcpList(context: CommandContext, openCore: OpenCore): Promise<ExitCode> {
	return runCommand(context, async () => {
		if (context.arguments.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice mcp list [--json]'});
		}

		const servers = await withToolAccess(context, {openCore, wanted: {kind: 'every-server'}}, access =>
			access.list({signal: context.signal}),
		);
		if (context.flags.json) {
			context.stdout(jsonDocument(servers));
		} else if (servers.length === 0) {
			context.stderr('No tool servers are configured. The key `a` of the dashboard adds one.\n');
		} else {
			context.stdout(table(servers));
		}

		return 0;
	});
}

/** The profile is named where there is more than one: servers of two profiles may have one name. */
function table(servers: readonly ServerJson[]): string {
	const head = ['SERVER', 'STATE', 'TOOLS', 'TRUST', 'TRANSPORT', 'REASON'];
	return new Set(servers.map(({profile}) => profile)).size > 1
		? textTable(
				['PROFILE', ...head],
				servers.map(server => [server.profile, ...serverRow(server)]),
			)
		: textTable(head, servers.map(serverRow));
}

function serverRow(server: ServerJson): string[] {
	const reason = [server.reason, server.next_action].filter(Boolean).join(' · ');
	return [server.name, server.state, String(server.tools), server.trust, server.transport, reason];
}

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
			context.stdout(textTable(['TOOL', 'APPROVAL', 'READS ONLY', 'DESCRIPTION'], tools.map(toolRow)));
		}

		return 0;
	});
}

function toolRow(tool: ToolJson): string[] {
	const [firstLine = ''] = (tool.title ?? tool.description).split('\n', 1);
	return [tool.name, tool.approval, tool.read_only ? 'yes' : 'no', firstLine];
}
