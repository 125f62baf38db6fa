import {
	type CallToolResult,
	CLIENT_INFO_META_KEY,
	isCallToolResult,
	isSpecType,
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type ServerContext,
	type Tool,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {type CallContent, type CallProgress} from '../../mcp/connection.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {maskTokens} from '../../util/redact.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {toolErrorJson, type ToolOutcome} from '../tool-outcome.ts';
import {resultCharacterLimit} from '../tool-result.ts';
import {type EndpointTools} from './endpoint-tools.ts';

const instructions =
	'The tools of all servers behind this gateway. A call may wait until a person has approved it, and it may be denied: do not repeat a denied call.';

const enveloped = z.object({[CLIENT_INFO_META_KEY]: z.object({name: z.string()})});

/**
An MCP server with all registered tools of a profile (docs/endpoint.md, What the agent gets). It serves one session, or one request in the
stateless era. Every call goes through `callTool`; the client's name is shown in approval requests.
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
		// A tool that is already registered does not wait for the servers.
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

/** Aborts when the call is cancelled, and when the client can no longer receive its response. */
function callerSignal({mcpReq, http}: ServerContext): AbortSignal {
	return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal;
}

/** The client's own name: from the request, or from the handshake of its session. */
function clientName(server: Server, {mcpReq}: ServerContext): string {
	const named = enveloped.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
	return safeText(named?.name ?? '', {maximumCharacters: 100}) || 'unnamed client';
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

/** A client has no use for more, and a slow reader must not fill the memory. */
const mostMessages = 1000;

/** Forwards the progress of a call to the client; undefined when it did not ask for it. Progress that does not increase is left out. */
function progressRelay({
	_meta,
	notify,
}: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>): ((progress: CallProgress) => void) | undefined {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) {
		return undefined;
	}

	let messages = 0;
	let last = Number.NEGATIVE_INFINITY;
	return progress => {
		if (progress.progress <= last || messages >= mostMessages) {
			return;
		}

		messages++;
		last = progress.progress;
		// The call of a disconnected client is cancelled elsewhere.
		notify({method: 'notifications/progress', params: {progressToken, ...progress}}).catch(() => undefined);
	};
}

/** The outcome of a call, and its server's response, if any. */
type EndedCall = {readonly outcome: ToolOutcome; readonly answer: CallContent | undefined};

/**
The result of a call for a client of the endpoint: the server's response, block by block, so that images and structured content
are preserved; else its text form. Our own errors are data too (docs/tool-servers.md, Results): the text is their JSON.
*/
export function callAnswer({outcome, answer}: EndedCall, redact: (text: string) => string): CallToolResult {
	const isOwnError = outcome.kind === 'error' && outcome.error.code !== 'tool_error';
	if (isOwnError) {
		const error = toolErrorJson({...outcome.error, message: redact(outcome.error.message)});
		return textResult(JSON.stringify({error}), {isError: true});
	}

	if (answer && isPassedOn(answer)) {
		const {content, structuredContent, isError} = answer;
		const own = {content, ...(structuredContent && {structuredContent})};
		const whole: unknown = isError ? {...redactTexts(own, maskTokens), isError} : own;
		if (isCallToolResult(whole)) {
			return whole;
		}
	}

	return outcome.kind === 'error'
		? textResult(redact(outcome.error.message), {isError: true})
		: textResult(outcome.result, outcome.structuredContent && {structuredContent: {...outcome.structuredContent}});
}

/** Text beyond the limit is cut (docs/tool-servers.md, Results), and a client that cannot read resources here cannot use a link: both use the text form. */
function isPassedOn({content, structuredContent}: CallContent): boolean {
	const texts = content.reduce((sum, block) => sum + textLength(block), 0);
	const structure = structuredContent ? JSON.stringify(structuredContent).length : 0;
	return Math.max(texts, structure) <= resultCharacterLimit && content.every(({type}) => type !== 'resource_link');
}

function textLength({text}: JsonObject): number {
	return typeof text === 'string' ? text.length : 0;
}

function textResult(text: string, more: Partial<CallToolResult> = {}): CallToolResult {
	return {content: [{type: 'text', text}], ...more};
}
