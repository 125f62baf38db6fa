import {assertFreeName} from '../../config/edit/profile-change.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {jsonDocument} from '../cli/listing.ts';
import {commandLine} from '../cli/words.ts';
import {newServer} from './new-server.ts';
import {probeJson} from './probe-text.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {type TriedServer, tryServer} from './try-server.ts';
import {addToChange, type ConfigSession, loadConfigSession} from './config-session.ts';

/** `sluice mcp add NAME ADDRESS | -- COMMAND …`: tries the server, asks which tools are wanted, keeps its secrets in `.env`. */
export async function runMcpAdd(context: CommandContext, session: Session): Promise<ExitCode> {
	const asked = newServer(context.arguments, context.flags, session.environment.workingDirectory);
	const {name} = asked;
	const config = await loadConfigSession(session);
	const change = await config.openChange();
	assertFreeName(change.config, name);
	const server = {name, ...config.separateSecrets(asked, change)};
	const dialog = context.flags.yes ? undefined : context.openDialog();
	try {
		const tried = await tryServer(context, {...config, server, dialog});
		const variables = await write(config, asked, tried);
		report(context, {name, place: {profile: session.paths.profile, home: session.flags.home}, variables, tried});
	} finally {
		dialog?.close();
	}

	await reloadGateway(context);
	return 0;
}

/** Writes the entry as it was tried. Its secrets get their names in `.env` now, because another process may have taken some meanwhile. */
async function write(
	config: ConfigSession,
	{name, entry: {env, headers}}: ReturnType<typeof newServer>,
	{entry}: TriedServer,
): Promise<readonly string[]> {
	let variables: readonly string[] = [];
	await config.changeNow(change => {
		const secrets = {...(env !== undefined && {env}), ...(headers !== undefined && {headers})};
		variables = Object.keys(addToChange(config, change, {name, entry: {...entry, ...secrets}}).variables);
	});
	return variables;
}

function report(
	context: CommandContext,
	{
		name,
		place,
		variables,
		tried,
	}: {
		readonly name: string;
		readonly place: {readonly profile: string; readonly home: string | undefined};
		readonly variables: readonly string[];
		readonly tried: TriedServer;
	},
): void {
	if (context.flags.json) {
		context.stdout(
			jsonDocument({
				name,
				variables,
				...(tried.report ? probeJson({name, ...place}, tried.report) : {}),
			}),
		);
		return;
	}

	// Names of variables are made of letters, digits and underscores.
	const kept = variables.length === 0 ? '' : ` Its secrets are in .env: ${variables.join(', ')}.`;
	context.stdout(`Added ${name}.${kept}\n`);
	if (tried.entry['auth'] === 'oauth' && tried.report?.state !== 'connected') {
		context.stdout(`It is not logged in: ${commandLine(context, `sluice mcp login ${name}`)}\n`);
	}
}
