import {
	CLIENT_INFO_META_KEY,
	type Implementation,
	isSpecType,
	Server,
	type ServerContext,
	type Tool,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {redactTexts} from '../../util/redact-texts.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {answerCall} from './answer-call.ts';
import {type EndpointTools, toolPage} from './endpoint-tools.ts';
import {flawOf} from './read-message.ts';

const instructions =
	'The tools of all servers behind this gateway. A call may wait until a person has approved it, and it may be denied: do not repeat a denied call.';

const enveloped = z.object({[CLIENT_INFO_META_KEY]: z.object({name: z.string()})});

/** The name and version of the endpoint. */
export function serverIdentity({version}: Pick<EndpointTools, 'version'>): Implementation {
	return {name: 'sluice', title: 'Sluice', version};
}

/**
An MCP server with all registered tools of a profile (docs/endpoint.md, What the agent gets). It serves one session, or one request in the
stateless era. Every call goes through `callTool`; the client's name is shown in approval requests.
*/
export function createAggregateServer(tools: EndpointTools): Server {
	const server = new Server(serverIdentity(tools), {capabilities: {tools: {listChanged: true}}, instructions});
	server.setRequestHandler('tools/list', async ({params}) => {
		await tools.ready();
		const page = toolPage(tools.list(), params?.cursor);
		return {...page, tools: page.tools.map(tool => listedTool(tool, tools.redact))};
	});
	server.setRequestHandler('tools/call', ({params}, context) => {
		const {mcpReq} = context;
		const client = enveloped.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
		const progressToken = mcpReq._meta?.progressToken;
		return answerCall(
			tools,
			{name: params.name, arguments: params.arguments, client: client?.name, flaw: flawOf(mcpReq._meta), progressToken},
			{
				signal: callerSignal(context),
				// The call of a disconnected client is cancelled elsewhere.
				notifyProgress: progress =>
					void mcpReq.notify({method: 'notifications/progress', params: progress}).catch(() => undefined),
			},
		);
	});
	return server;
}

/** Aborts when the call is cancelled, and when the client can no longer receive its response. */
function callerSignal({mcpReq, http}: ServerContext): AbortSignal {
	return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal;
}

/**
The definition of a registered tool for `tools/list`: its registered name, otherwise as its server defines it. Members that the protocol does not
allow are left out; a callable tool is always listed.
*/
export function listedTool({name, definition}: RegisteredTool, redact: (text: string) => string): Tool {
	const {title, description, inputSchema, outputSchema, annotations} = definition;
	const plain = {
		name,
		...(title !== undefined && {title}),
		...(description !== undefined && {description}),
	};
	const whole: unknown = redactTexts(
		{...plain, inputSchema, ...(outputSchema && {outputSchema}), ...(annotations && {annotations})},
		redact,
	);
	return isSpecType.Tool(whole) ? whole : {...redactTexts(plain, redact), inputSchema: {type: 'object'}};
}
