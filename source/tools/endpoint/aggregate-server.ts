import {
	CLIENT_CAPABILITIES_META_KEY,
	CLIENT_INFO_META_KEY,
	type Implementation,
	isSpecType,
	Server,
	type ServerCapabilities,
	type ServerContext,
	type Tool,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {hashJson} from '../../util/json-hash.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {safeText} from '../../util/safe-text.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {answerCall, type AnswerCallOptions} from './answer-call.ts';
import {askingModes, askInSession} from './ask-client.ts';
import {type EndpointTools, listPage} from './endpoint-tools.ts';
import {type FeatureCaller} from './feature-lists.ts';
import {type PausedCalls} from './paused-calls.ts';
import {flawOf} from './read-message.ts';
import {openResourceSubscriptions, type ResourceSubscriptions} from './resource-subscriptions.ts';
import {servedMeta} from './served-content.ts';
import {serveFeatures, type ServerFeatures} from './server-features.ts';
import {declaresTasks, serveTasks, tasksExtension} from './task-methods.ts';

const purpose =
	'The tools of all servers behind this gateway. A call may wait until a person has approved it, and it may be denied: do not repeat a denied call.';

const maxInstructionBytes = 2048;
const instructionCharacters = 200;

const enveloped = z.object({[CLIENT_INFO_META_KEY]: z.object({name: z.string()})});

/** The name and version of the endpoint. */
export function serverIdentity({version}: Pick<EndpointTools, 'version'>): Implementation {
	return {name: 'sluice', title: 'Sluice', version};
}

/** The parts that the servers of one client share. */
export type EndpointParts = {readonly features: ServerFeatures; readonly paused: PausedCalls};

/** The capabilities of the endpoint in both eras. */
const capabilities: ServerCapabilities = {
	tools: {listChanged: true},
	resources: {listChanged: true, subscribe: true},
	prompts: {listChanged: true},
	completions: {},
};

/**
An MCP server with all registered tools of a profile, and the resources and prompts of their servers (docs/endpoint.md, What the agent gets). It
serves one session, or one request in the stateless era. Every call goes through `callTool`; the client's name is shown in approval requests.
*/
export function createAggregateServer(
	tools: EndpointTools,
	{features, paused}: EndpointParts,
	era: 'legacy' | 'modern',
): Server {
	const extensions = era === 'modern' && tools.tasks ? {extensions: {[tasksExtension]: {}}} : {};
	const server = new Server(serverIdentity(tools), {
		capabilities: {...capabilities, ...extensions},
		instructions: instructionsText(tools),
	});
	const callerOf = (context: ServerContext): FeatureCaller => requestCaller(server, context);
	if (era === 'modern') {
		serveTasks(server, tools);
	}

	server.setRequestHandler('tools/list', async ({params}) => {
		await tools.ready();
		const {entries, ...more} = listPage(tools.list(), {cursor: params?.cursor, nameOf: ({name}) => name});
		return {...more, tools: entries.map(tool => listedTool(tool, tools.redact))};
	});
	server.setRequestHandler('tools/call', async ({params}, context) => {
		const {mcpReq} = context;
		const caller = callerOf(context);
		const asTask = era === 'modern' && declaresTasks(mcpReq.envelope) ? 'taken' : 'refused';
		const call = {...caller, name: params.name, arguments: params.arguments, asTask} as const;
		const modes = askingModes(tools, declaredBy(mcpReq, server));
		const state = mcpReq.requestState<string>();
		// The library lets a task pass, but wants content in it.
		const run = async (options: AnswerCallOptions) => ({content: [], ...(await answerCall(tools, call, options))});
		if (era === 'legacy' || (modes.size === 0 && state === undefined)) {
			return run({...caller, ...(modes.size > 0 && {askCaller: askInSession(tools, modes, {server, mcpReq})})});
		}

		const subject = hashJson([params.name, isJsonObject(params.arguments) ? params.arguments : null]);
		return paused.serve({...caller, call: subject, modes, state, responses: mcpReq.inputResponses}, run);
	});
	serveFeatures(server, features, callerOf);
	serveSubscriptions(server, {tools, features, callerOf});
	return server;
}

/** The capabilities of the client, which a request of the stateless era brings itself. */
function declaredBy(mcpReq: ServerContext['mcpReq'], server: Server): unknown {
	const envelope: unknown = mcpReq.envelope;
	return isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
}

/** Subscriptions of the era with sessions: they end with the session. */
function serveSubscriptions(
	server: Server,
	{
		tools,
		features,
		callerOf,
	}: {
		readonly tools: EndpointTools;
		readonly features: ServerFeatures;
		readonly callerOf: (context: ServerContext) => FeatureCaller;
	},
): void {
	let subscriptions: ResourceSubscriptions | undefined;
	server.setRequestHandler('resources/subscribe', async ({params}, context) => {
		// A client without an open stream reads the resource again when it needs it.
		const notify = (uri: string) => void server.sendResourceUpdated({uri}).catch(() => undefined);
		subscriptions ??= openResourceSubscriptions({tools, features}, notify);
		await subscriptions.subscribe(params.uri, callerOf(context));
		return {};
	});
	server.setRequestHandler('resources/unsubscribe', async ({params}) => {
		await subscriptions?.unsubscribe(params.uri);
		return {};
	});
	Object.assign(server, {onclose: () => subscriptions?.close()});
}

/** The client of a request, and how it is reached meanwhile. */
function requestCaller(server: Server, context: ServerContext): FeatureCaller {
	const {mcpReq} = context;
	const client = enveloped.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
	return {
		client: client?.name,
		flaw: flawOf(mcpReq._meta),
		progressToken: mcpReq._meta?.progressToken,
		signal: callerSignal(context),
		// The call of a disconnected client is cancelled elsewhere.
		notifyProgress: progress =>
			void mcpReq.notify({method: 'notifications/progress', params: progress}).catch(() => undefined),
	};
}

/** Instructions for the model of a client: the purpose of the endpoint, and a line for each server that it is offered, as far as 2 KB reach. */
export function instructionsText({list, servers, redact}: Pick<EndpointTools, 'list' | 'servers' | 'redact'>): string {
	const words = new Map(servers().map(({name, instructions}) => [name, instructions]));
	const offered = [...new Set(list().map(({server}) => server))];
	let text = purpose;
	for (const server of offered) {
		const line = safeText(redact(`- ${server}: ${words.get(server) ?? ''}`), {
			maximumCharacters: instructionCharacters,
		});
		const longer = `${text}\n${line.replace(/: ?$/u, '')}`;
		if (Buffer.byteLength(longer) > maxInstructionBytes) {
			return text;
		}

		text = longer;
	}

	return text;
}

/** Aborts when the call is cancelled, and when the client can no longer receive its response. */
function callerSignal({mcpReq, http}: ServerContext): AbortSignal {
	return http?.req ? AbortSignal.any([mcpReq.signal, http.req.signal]) : mcpReq.signal;
}

/**
The definition of a registered tool for `tools/list`: its registered name, otherwise as its server defines it. Members that the protocol does not
allow are left out; a callable tool is always listed.
*/
export function listedTool({name, server, definition}: RegisteredTool, redact: (text: string) => string): Tool {
	const {title, description, inputSchema, outputSchema, annotations, icons, _meta: meta} = definition;
	const plain = {
		name,
		...(title !== undefined && {title}),
		...(description !== undefined && {description}),
	};
	const whole: unknown = redactTexts(
		{
			...plain,
			inputSchema,
			...(outputSchema && {outputSchema}),
			...(annotations && {annotations}),
			...(icons && {icons}),
			...servedMeta(meta, server),
		},
		redact,
	);
	return isSpecType.Tool(whole) ? whole : {...redactTexts(plain, redact), inputSchema: {type: 'object'}};
}
