import {setServerLogin} from '../../config/edit/edit-config.ts';
import {toJsonObject, valueAt} from '../../config/values/plain-value.ts';
import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {type Session} from '../cli/session.ts';
import {type ConfigSession, loadConfigSession} from './config-session.ts';
import {askForFlow} from './new-server-login.ts';

/**
Sets `auth: oauth` in the entry of a remote server that is configured without a login, once a person agrees or with `--yes` (docs/logins.md, Start a login).
The running gateway has read it afterwards. Rejects with why there is nothing to log in to, or with `cancelled`.
*/
export async function switchToOauth(
	context: CommandContext,
	session: Session,
	{typed, flow}: {readonly typed: string; readonly flow: LoginFlow | undefined},
): Promise<void> {
	const config = await loadConfigSession(session);
	const server = config.findServer(typed);
	const entry = await remoteEntry(config, server);
	// Somebody has just written it: the gateway alone does not know it yet.
	if (entry['auth'] !== 'oauth') {
		const wanted = flow ?? (await agreedFlow(context, config, {server, entry}));
		await setServerLogin({paths: session.paths, clock: session.clock}, server, toWrite(entry, wanted));
		context.stderr(`Set \`auth: oauth\` in the entry of ${safeText(server)}.\n`);
	}

	await reloadGateway(context);
}

/** The entry exactly as in the file. Throws for a local program, and the problem of an entry that cannot be used. */
async function remoteEntry({config, openChange}: ConfigSession, server: string): Promise<JsonObject> {
	const broken = config.brokenServers.find(({name}) => name === server);
	if (broken) {
		throw broken.problem;
	}

	const known = config.servers.find(({name}) => name === server);
	if (known?.transport.kind === 'stdio') {
		const message = `The server "${safeText(server)}" is a local program, which needs no login`;
		const remedy = `Run \`sluice mcp test ${shellWord(safeText(server))}\` to see whether it answers`;
		throw new Problem('bad_usage', {message, remedy});
	}

	const change = await openChange();
	return toJsonObject(valueAt(change.config.value(), ['mcp_servers', server]));
}

/** The flow that a person agrees to, undefined for the one of the entry. Rejects with `cancelled`, or with the command to type where nobody can be asked. */
async function agreedFlow(
	context: CommandContext,
	config: ConfigSession,
	{server, entry}: {readonly server: string; readonly entry: JsonObject},
): Promise<LoginFlow | undefined> {
	if (context.flags.yes) {
		return undefined;
	}

	const shown = safeText(server, {maximumCharacters: 100});
	const dialog = context.openDialog();
	if (!dialog) {
		throw new Problem('bad_usage', {
			message: `The server "${shown}" is configured without \`auth: oauth\``,
			remedy: `To set that key and log in: \`sluice mcp login ${shellWord(shown)} --yes\``,
		});
	}

	try {
		context.stderr(`${shown} is configured without \`auth: oauth\`; the login sets that key in config.yaml.\n`);
		const flow = await askForFlow(entry, dialog, config.logins.usualFlow);
		if (flow === undefined) {
			throw new Problem('cancelled', {message: 'Nothing was changed'});
		}

		return flow;
	} finally {
		dialog.close();
	}
}

/** The flow to write: none where the entry means it already. */
function toWrite(entry: JsonObject, flow: LoginFlow | undefined): LoginFlow | undefined {
	const written = isJsonObject(entry['oauth']) ? entry['oauth']['flow'] : undefined;
	return flow === (written ?? 'browser') ? undefined : flow;
}
