import {
	CLIENT_INFO_META_KEY,
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {type CallContent} from '../../mcp/connection.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {callAnswer} from './call-answer.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {listedTool} from './listed-tool.ts';
import {progressRelay} from './progress-relay.ts';

const instructions =
	'The tools of all servers behind this gateway. A call may wait until a person has approved it, and it may be denied: do not repeat a denied call.';

const enveloped = z.object({[CLIENT_INFO_META_KEY]: z.object({name: z.string()})});

/**
One server of the protocol with all registered tools of a profile (docs/endpoint.md, What the agent gets). It serves one session, or one request where the
protocol knows no sessions. Every call passes the only way to the tools; the client's own name is shown to whoever is asked.
*/
export function createAggregateServer(tools: EndpointTools): Server {
	const server = new Server(
		{name: 'sluice', title: 'Sluice', version: tools.version},
		{capabilities: {tools: {listChanged: true}}, instructions},
	);
	server.setRequestHandler('tools/list', async () => {
		await tools.ready();
		return {tools: tools.list().map(tool => listedTool(tool, tools.redact))};
	});
	server.setRequestHandler('tools/call', async ({params}, context) => {
		// A tool that is there waits for no other server.
		if (!tools.find(params.name)) {
			await tools.ready();
		}

		let answer: CallContent | undefined;
		const {name, arguments: args = {}} = params;
		const onProgress = progressRelay(context.mcpReq);
		const outcome = await tools.callTool(
			{
				name,
				arguments: isJsonObject(args) ? args : null,
				origin: {kind: 'endpoint', client: clientName(server, context)},
			},
			{signal: callerSignal(context), ...(onProgress && {onProgress}), onAnswer: given => void (answer = given)},
		);
		if (outcome.kind === 'error' && outcome.error.code === 'unknown_tool') {
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.error.message);
		}

		return callAnswer({outcome, answer}, tools.redact);
	});
	return server;
}

/** Aborts when the call is cancelled, and when nobody is left who could receive its answer. */
function callerSignal({mcpReq, http}: ServerContext): AbortSignal {
	return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal;
}

/** What the client calls itself: in the request itself, or once for its session. */
function clientName(server: Server, {mcpReq}: ServerContext): string {
	const named = enveloped.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
	return safeText(named?.name ?? '', {maximumCharacters: 100}) || 'unnamed client';
}
