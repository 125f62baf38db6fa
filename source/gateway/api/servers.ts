import {addServer, setServerEnabled} from '../../config/edit/edit-config.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {readServerLog} from '../../mcp/transport/server-log.ts';
import {type ResultOf} from '../../state/api.ts';
import {type NewServer} from '../../state/person-answers.ts';
import {toolRows} from '../../tools/tool-rows.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {serverCalls, serverPage} from './server-page.ts';
import {type HandlerContext} from './handler-context.ts';
import {toolMethods} from './tools.ts';

type ServerHandlers = Pick<
	GatewayHandlers,
	| 'mcp.list'
	| 'mcp.tools'
	| 'mcp.view'
	| 'mcp.view-calls'
	| 'mcp.view-log'
	| 'mcp.view-tools'
	| 'mcp.reconnect'
	| 'mcp.enable'
	| 'mcp.add'
>;

/** The tool servers and their tools. */
export function serverHandlers({profile, listed, reload, caller}: HandlerContext): ServerHandlers {
	const {context, tools} = profile;
	return {
		'mcp.list': async asked =>
			(await Promise.all(listed.map(one => toolMethods(one.context, one.tools, {caller}).list(asked)))).flat(),
		'mcp.tools': toolMethods(context, tools, {caller}).tools,
		'mcp.view': ({server, part}) => serverPage(server, {context, tools, part}),
		'mcp.view-calls': ({server}) => serverCalls(server, {context, tools}),
		'mcp.view-log': ({server}) => serverLogPage(server, context),
		async 'mcp.view-tools'({server}) {
			await tools.tokens.countSoon();
			const decided = {remembered: tools.rules.list(), rules: context.current().config.rules};
			return {type: 'view.tools', tools: toolRows(tools.catalogue.status(server), decided, tools.tokens.of)};
		},
		'mcp.reconnect'({server}) {
			const connection = tools.connections.find(server);
			connection?.reconnect();
			return {answer: connection ? 'reconnecting' : 'unknown'};
		},
		async 'mcp.enable'({server, enabled}) {
			await setServerEnabled(context, server, enabled);
			await reload();
			return {};
		},
		async 'mcp.add'({server}) {
			await addServer(context, {name: server.name, entry: serverEntry(server)});
			await reload();
			return {};
		},
	};
}

async function serverLogPage(
	server: string,
	{paths}: HandlerContext['profile']['context'],
): Promise<ResultOf<'mcp.view-log'>> {
	const text = await readServerLog(paths.serverLogs, server);
	const shown = safeText(server);
	return {
		type: 'view.page',
		subject: {kind: 'server-log', server: shown},
		title: `Log of ${shown}`,
		sections: [{title: 'stderr', text: text === '' ? 'The log is empty' : text}],
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
