import {
	isSpecType,
	ProtocolError,
	ProtocolErrorCode,
	ResourceNotFoundError,
	type Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import {readableBlock} from '../../mcp/calls/call-content.ts';
import {isDeeperThan, isJsonObject, isList, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {type ToolOutcome, toolErrorJson} from '../tool-outcome.ts';
import {readToolOf, utilityToolOf} from '../utility-tools.ts';
import {callForClient, type EndedCall, throwServerError} from './answer-call.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {createFeatureLists, type FeatureCaller, type FeatureLists} from './feature-lists.ts';
import {refusedCode} from './rpc-refusal.ts';
import {servedBlock, servedContents} from './served-content.ts';
import {ownUri} from './served-uri.ts';

/** The resources, prompts and completions of all servers, as the endpoint serves them: each request is a call of a utility tool of its server. */
export type ServerFeatures = FeatureLists & {
	/** Calls the tool that reads resources of the server of an address. Rejects with a `ProtocolError`. */
	readonly callRead: (uri: string, more: JsonObject, caller: FeatureCaller) => Promise<EndedCall>;
	/** Calls the tool that gets prompts. Rejects with a `ProtocolError`. */
	readonly callPrompt: (name: string, more: JsonObject, caller: FeatureCaller) => Promise<EndedCall>;
};

/** Opens them for the clients of one token. */
export function createServerFeatures(tools: EndpointTools): ServerFeatures {
	const lists = createFeatureLists(tools);
	const call = async (name: string, args: JsonObject, caller: FeatureCaller) => {
		const ended = await callForClient(tools, {...caller, name, arguments: args}, caller);
		throwServerError(ended.outcome, {redact: tools.redact, server: ended.server});
		throwOwnError(ended.outcome, tools.redact);
		return ended;
	};

	return {
		...lists,
		async callRead(uri, more, caller) {
			const own = ownUri(uri);
			await (own && readToolOf(own.server, tools.find) === undefined && tools.ready());
			const name = own && readToolOf(own.server, tools.find);
			if (!name) {
				throw new ResourceNotFoundError(uri);
			}

			return call(name, {uri: own.uri, ...more}, caller);
		},
		async callPrompt(name, more, caller) {
			const found = await lists.findPrompt(name, caller);
			const tool = found && utilityToolOf(found.server, 'get_prompt', tools.find);
			if (!tool) {
				throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No prompt with this name is offered');
			}

			return call(tool, {name: found.prompt, ...more}, caller);
		},
	};
}

/** Adds the requests for resources, prompts and completion to a server. */
export function serveFeatures(
	server: Server,
	features: ServerFeatures,
	callerOf: (context: ServerContext) => FeatureCaller,
): void {
	const {page, callRead, callPrompt} = features;
	server.setRequestHandler('resources/list', async ({params}, context) =>
		passable(isSpecType.ListResourcesResult, await page('resources', params?.cursor, callerOf(context))),
	);
	server.setRequestHandler('resources/templates/list', async ({params}, context) =>
		passable(
			isSpecType.ListResourceTemplatesResult,
			await page('resourceTemplates', params?.cursor, callerOf(context)),
		),
	);
	server.setRequestHandler('prompts/list', async ({params}, context) =>
		passable(isSpecType.ListPromptsResult, await page('prompts', params?.cursor, callerOf(context))),
	);
	server.setRequestHandler('resources/read', async ({params: {uri}}, context) =>
		passable(isSpecType.ReadResourceResult, readResult(await callRead(uri, {}, callerOf(context)), uri)),
	);
	server.setRequestHandler('prompts/get', async ({params}, context) => {
		const more: JsonObject = params.arguments ? {arguments: params.arguments} : {};
		return passable(isSpecType.GetPromptResult, promptResult(await callPrompt(params.name, more, callerOf(context))));
	});
	server.setRequestHandler('completion/complete', async ({params: {ref, argument, context: known}}, context) => {
		const complete = {name: argument.name, value: argument.value};
		const more = {complete, ...(known?.arguments && {arguments: known.arguments})};
		const ended = await (ref.type === 'ref/prompt'
			? callPrompt(ref.name, more, callerOf(context))
			: callRead(ref.uri, more, callerOf(context)));
		return completion(ended);
	});
}

/** A result that the protocol allows. Throws a `ProtocolError` for any other. */
function passable<Result>(isValid: (value: unknown) => value is Result, result: unknown): Result {
	if (isValid(result)) {
		return result;
	}

	throw new ProtocolError(ProtocolErrorCode.InternalError, 'The answer of the server cannot be passed on');
}

/** The contents of a resource; parts that cannot be read are there as text. */
function readResult({answer, server = ''}: EndedCall, uri: string) {
	const contents = (answer?.content ?? []).map(({resource, text}) =>
		isJsonObject(resource) ? servedContents(resource, server) : {uri, text: typeof text === 'string' ? text : ''},
	);
	return {contents};
}

/** Deeper answers are not passed on: serialising them could exhaust the stack. */
const deepestAnswer = 500;

function promptResult({answer, server = ''}: EndedCall) {
	const {description, messages = []} = sourceOf(answer);
	return {
		...(typeof description === 'string' && {description}),
		messages: isList(messages) ? messages.map(message => promptMessage(message, server)) : [],
	};
}

function promptMessage(message: JsonValue, server: string): JsonObject {
	const {role, content} = isJsonObject(message) ? message : {};
	const block = servedBlock(readableBlock(content ?? message), server);
	return {role: role === 'assistant' ? role : 'user', content: block};
}

/** The most values that an answer may have. */
const maxValues = 100;

function completion({answer}: EndedCall) {
	const {completion: written} = sourceOf(answer);
	const {values = [], total, hasMore} = isJsonObject(written) ? written : {};
	const texts = isList(values) ? values.filter(value => typeof value === 'string') : [];
	return {
		completion: {
			values: texts.slice(0, maxValues),
			...(typeof total === 'number' && Number.isSafeInteger(total) && {total}),
			...(texts.length > maxValues ? {hasMore: true} : typeof hasMore === 'boolean' && {hasMore}),
		},
	};
}

function sourceOf(answer: EndedCall['answer']): JsonObject {
	const {source = {}} = answer ?? {};
	return isDeeperThan(source, deepestAnswer) ? {} : source;
}

/** Throws an error of ours as one of the protocol; its data is the JSON of the error (docs/connections.md, Results). */
function throwOwnError(outcome: ToolOutcome, redact: EndpointTools['redact']): void {
	if (outcome.kind === 'error') {
		const error = toolErrorJson({...outcome.error, message: redact(outcome.error.message)});
		const isOfParams = error.code === 'invalid_arguments' || error.code === 'unknown_tool';
		throw new ProtocolError(isOfParams ? ProtocolErrorCode.InvalidParams : refusedCode, error.message, {error});
	}
}
