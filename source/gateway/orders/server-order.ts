import {addServer, setServerEnabled} from '../../config/edit-config.ts';
import {readServerLog} from '../../mcp/read-server-log.ts';
import {type Command, type NewServer} from '../../state/command.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {type OrderTargets} from './order-targets.ts';

type ServerOrder = Extract<
	Command,
	{type: 'reconnect-server' | 'set-server-enabled' | 'add-server' | 'show-server-log'}
>;

/** Orders about one tool server. */
export async function serverOrder(command: ServerOrder, {foundation, tools, reload}: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'reconnect-server':
			tools.connections.find(command.server)?.reconnect();
			return;
		case 'set-server-enabled':
			await setServerEnabled(foundation.paths, command.server, command.enabled);
			await reload();
			return;
		case 'add-server':
			await addServer(foundation.paths, {name: command.server.name, entry: serverEntry(command.server)});
			await reload();
			return;
		case 'show-server-log':
			foundation.publish(await serverLogPage(command.server, foundation));
	}
}

async function serverLogPage(server: string, {paths}: OrderTargets['foundation']): Promise<GatewayEventBody> {
	const text = await readServerLog(paths.serverLogs, server);
	const shown = safeText(server);
	return {
		type: 'view.page',
		subject: {kind: 'server-log', server: shown},
		title: `Log of ${shown}`,
		sections: [{title: 'stderr', text: text === '' ? 'It has written nothing' : text}],
	};
}

/** A server somebody just typed is a stranger: it asks before it writes (spec/mcp-servers.md, Trust rules). */
function serverEntry(server: NewServer): JsonObject {
	switch (server.kind) {
		case 'stdio':
			return {command: server.command, args: server.args, trust: 'untrusted'};
		case 'http':
			return {url: server.url, trust: 'untrusted'};
	}
}
