import {type ServerJson} from '../../control/wire.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {runCommand} from '../cli/run-command.ts';
import {textTable} from '../cli/text-table.ts';
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
				servers.map(server => [server.profile, ...row(server)]),
			)
		: textTable(head, servers.map(row));
}

function row(server: ServerJson): string[] {
	const reason = [server.reason, server.next_action].filter(Boolean).join(' · ');
	return [server.name, server.state, String(server.tools), server.trust, server.transport, reason];
}
