import {isTemporaryProgram, nodeFlags, stableNode} from '../service/service-file.ts';
import {thisHost} from '../service/find-service.ts';
import {ownHook, ownServer, stateFlags} from '../../config/programs/own-entry.ts';
import {type AgentProgram, type StartedServer} from '../../config/programs/programs.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {defaultProfile} from '../../config/read/state-paths.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {planClient} from '../clients/clients.ts';

/** An entry of a program, and what has to be there before it works. */
export type ServerEntry = {
	readonly way: 'stdio' | 'http';
	readonly entry: JsonObject;
	/** Shown with the change. */
	readonly notice: string;
	/** Runs after the yes, before a file of the program is written. */
	readonly prepare: () => Promise<void>;
};

type Parts = {readonly program: AgentProgram; readonly config: GatewayConfig};

/** The entry that this start wants. Throws `bad_usage` where the program cannot be connected in that way. */
export async function createServerEntry(context: CommandContext, session: Session, parts: Parts): Promise<ServerEntry> {
	const server = startedServer(session, parts.program);
	return context.flags.http
		? remoteEntry(context, session, {...parts, server})
		: {way: 'stdio', entry: parts.program.startedEntry(server), notice: '', prepare: async () => undefined};
}

/** The command line of the hook of this program. Throws `bad_usage` as for an entry. */
export function hookWords(session: Session, {name}: AgentProgram): readonly [string, ...string[]] {
	return ownHook(name, ownProgram(session));
}

/** The command line that serves this program. */
function startedServer(session: Session, {name}: AgentProgram): StartedServer {
	return ownServer(name, {...ownProgram(session), nodeFlags});
}

/** The Sluice of this start. Throws `bad_usage` for a program of ours that will be removed. */
function ownProgram({paths, environment}: Session): Parameters<typeof ownHook>[1] {
	const {execPath, program} = thisHost();
	if (isTemporaryProgram(program)) {
		throw new Problem('bad_usage', {
			message: `npm removes ${program} after some time, so no program can be connected to it`,
			remedy: 'Install Sluice with `npm install --global`, and run the command again',
		});
	}

	return {node: stableNode(execPath), program, flags: stateFlags(paths, environment.home)};
}

async function remoteEntry(
	context: CommandContext,
	session: Session,
	{program, config, server}: Parts & {readonly server: StartedServer},
): Promise<ServerEntry> {
	const {name, title, remoteEntry: toEntry} = program;
	const {enabled, host, port} = config.gateway.endpoint;
	const refuse = (message: string): never => {
		throw new Problem('bad_usage', {message, remedy: 'Leave out --http; over stdio no token is needed'});
	};
	if (!toEntry) {
		return refuse(
			`${title} takes the token of an endpoint only from its file, where it would be a secret in plain text`,
		);
	}

	if (!enabled || session.paths.profile !== defaultProfile) {
		return refuse(enabled ? '--http is for the default profile' : '`gateway.endpoint.enabled` is false');
	}

	const client = await planClient(context, session, {name});
	const variable = client.kind === 'new' ? client.variable : client.variable();
	const address = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
	const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/mcp`;
	const serve = server.args.lastIndexOf('mcp');
	const words = [server.command, ...server.args.slice(0, serve), 'clients', 'headers', name];
	const entry = toEntry({url, variable, headersCommand: words.map(shellWord).join(' ')});
	const isByVariable = JSON.stringify(entry).includes(variable);
	return {
		way: 'http',
		entry,
		notice: isByVariable
			? `${title} takes the token from its environment: set ${variable} there; \`sluice clients headers ${name}\` prints it.\n`
			: '',
		prepare: client.kind === 'new' ? client.write : async () => undefined,
	};
}
