import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {jsonDocument} from '../cli/listing.ts';
import {newServer} from './new-server.ts';
import {probeJson} from './probe-text.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {type TriedServer, tryServer} from './try-server.ts';
import {loadConfigSession} from './config-session.ts';

/** `sluice mcp add NAME ADDRESS | -- COMMAND …`: tries the server, asks which tools are wanted, keeps its secrets in `.env`. */
export async function runMcpAdd(context: CommandContext, session: Session): Promise<ExitCode> {
	const asked = newServer(context.arguments, context.flags);
	const {name} = asked;
	const config = await loadConfigSession(session);
	const change = await config.openChange();
	if (change.config.has(['mcp_servers', name])) {
		throw new Problem('server_exists', {message: `The name "${name}" is already in use; choose another one`});
	}

	const server = {name, ...config.separateSecrets(asked, change)};
	const dialog = context.flags.yes ? undefined : context.openDialog();
	try {
		const tried = await tryServer(context, {server, dialog, probe: config.probe});
		change.setVariables(server.variables);
		change.config.set(['mcp_servers', name], tried.entry);
		await change.commit();
		report(context, {name, variables: Object.keys(server.variables), tried});
	} finally {
		dialog?.close();
	}

	await reloadGateway(context);
	return 0;
}

function report(
	context: CommandContext,
	{name, variables, tried}: {readonly name: string; readonly variables: readonly string[]; readonly tried: TriedServer},
): void {
	if (context.flags.json) {
		context.stdout(jsonDocument({name, variables, ...(tried.report ? probeJson(tried.report) : {})}));
		return;
	}

	// Names of variables are made of letters, digits and underscores.
	const kept = variables.length === 0 ? '' : ` Its secrets are in .env: ${variables.join(', ')}.`;
	context.stdout(`Added ${name}.${kept}\n`);
}
