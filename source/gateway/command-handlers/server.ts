import {addServer, setServerEnabled} from '../../config/edit/edit-config.ts';
import {readServerLog} from '../../mcp/transport/read-server-log.ts';
import {type Command, type NewServer} from '../../state/command.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandTargets} from './command-targets.ts';

type ServerCommand = Extract<
	Command,
	{type: 'reconnect-server' | 'set-server-enabled' | 'add-server' | 'show-server-log'}
>;

/** Orders about one tool server. */
export async function handleServerCommand(
	command: ServerCommand,
	{context, tools, reload}: CommandTargets,
): Promise<void> {
	switch (command.type) {
		case 'reconnect-server':
			tools.connections.find(command.server)?.reconnect();
			return;
		case 'set-server-enabled':
			await setServerEnabled(context.paths, command.server, command.enabled);
			await reload();
			return;
		case 'add-server':
			await addServer(context.paths, {name: command.server.name, entry: serverEntry(command.server)});
			await reload();
			return;
		case 'show-server-log':
			context.publish(await serverLogPage(command.server, context));
	}
}

async function serverLogPage(server: string, {paths}: CommandTargets['context']): Promise<GatewayEventBody> {
	const text = await readServerLog(paths.serverLogs, server);
	const shown = safeText(server);
	return {
		type: 'view.page',
		subject: {kind: 'server-log', server: shown},
		title: `Log of ${shown}`,
		sections: [{title: 'stderr', text: text === '' ? 'It has written nothing' : text}],
	};
}

/** A server somebody just typed is a stranger: it asks before it writes (docs/tool-servers.md, Trust). */
function serverEntry(server: NewServer): JsonObject {
	switch (server.kind) {
		case 'stdio':
			return {command: server.command, args: server.args, trust: 'untrusted'};
		case 'http':
			return {url: server.url, trust: 'untrusted'};
	}
}
