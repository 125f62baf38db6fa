import {type Client, isSpecType, ProtocolError, type RequestOptions as SdkOptions} from '@modelcontextprotocol/client';
import {z} from 'zod';
import {indentJson, isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {callContent, listIn, readableBlock} from './call-content.ts';
import {type CallContent, type RequestOptions, type ServerRequest, type ToolDefinition} from '../connection.ts';
import {noSdkTimeout} from '../protocol/handshake.ts';
import {rawResult} from '../protocol/raw-responses.ts';

const pageLimit = 100;
const entryLimit = 10_000;
const methodNotFoundCode = -32_601;

/** A request for one session. Subscriptions are the session's own: they last longer than a request. */
export type SentRequest = Exclude<ServerRequest, {kind: 'subscribe-resource' | 'unsubscribe-resource'}>;

/** Sends one request over a connected client and converts the response to content blocks. Rejects with the errors of the SDK. */
export async function askServer(
	client: Client,
	request: SentRequest,
	options: RequestOptions & {readonly definition: ToolDefinition | undefined},
): Promise<CallContent> {
	const sdkOptions = toSdkOptions(options);
	switch (request.kind) {
		case 'tool':
			return callTool(client, request, {...sdkOptions, toolDefinition: forHeaders(options.definition)});
		case 'list-resources':
			return listPages(client, {method: 'resources/list', member: 'resources'}, sdkOptions);
		case 'list-resource-templates':
			return listPages(client, {method: 'resources/templates/list', member: 'resourceTemplates'}, sdkOptions).catch(
				withoutMethod({resourceTemplates: []}),
			);
		case 'list-prompts':
			return listPages(client, {method: 'prompts/list', member: 'prompts'}, sdkOptions);
		case 'read-resource': {
			const answer = await client.request({method: 'resources/read', params: {uri: request.uri}}, sdkOptions);
			const contents = listIn(rawResult(answer), 'contents');
			return blocks(contents.map(resource => readableBlock({type: 'resource', resource})));
		}

		case 'get-prompt': {
			const {name} = request;
			const params = {name, arguments: {...request.arguments}};
			const result = await client.request({method: 'prompts/get', params}, sdkOptions);
			const answer = rawResult(result);
			const description = isJsonObject(answer) ? answer['description'] : undefined;
			const prompt = {
				...(typeof description === 'string' && description !== '' && {description}),
				messages: listIn(answer, 'messages'),
			};
			return {...jsonBlock(prompt), ...sourceOf(result)};
		}

		case 'complete': {
			const noCompletion = {completion: {values: []}};
			if (!client.getServerCapabilities()?.completions) {
				return jsonBlock(noCompletion);
			}

			const complete = {method: 'completion/complete', params: {...request.params}} as const;
			const answer = await client.request(complete, anyResult, sdkOptions);
			const {source = noCompletion} = sourceOf(answer);
			return jsonBlock(source);
		}
	}
}

function toSdkOptions({signal, onProgress}: RequestOptions): SdkOptions {
	return {
		signal,
		timeout: noSdkTimeout,
		// A server reports progress only when asked to.
		onprogress: ({progress, total, message}) =>
			onProgress?.({
				progress,
				...(total !== undefined && {total}),
				...(message !== undefined && {message: safeText(message, {maximumCharacters: 300})}),
			}),
	};
}

/**
The parts of a definition with which the SDK mirrors arguments into headers (2026-07-28). The output schema is left out: the response to a
call that was made is passed on, even if it does not match. Every tool has a definition, so that the SDK fetches none.
*/
function forHeaders(definition: ToolDefinition | undefined): SdkTool {
	if (!definition) {
		return unknownTool;
	}

	const checked = known.get(definition);
	if (checked) {
		return checked;
	}

	const tool: unknown = {name: definition.name, inputSchema: definition.inputSchema};
	const usable = isSpecType.Tool(tool) ? tool : unknownTool;
	known.set(definition, usable);
	return usable;
}

const unknownTool: SdkTool = {name: 'unknown', inputSchema: {type: 'object'}};

type SdkTool = NonNullable<NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition']>;

/** Definitions in the form of the SDK, checked once and not at every call. */
const known = new WeakMap<ToolDefinition, SdkTool>();

/** The original response is carried through the SDK in a result that we made: checking that one says nothing. */
const anyResult = z.custom<Readonly<Record<string, unknown>>>(isJsonObject);

async function callTool(
	client: Client,
	request: Extract<ServerRequest, {kind: 'tool'}>,
	options: Parameters<Client['callTool']>[1],
): Promise<CallContent> {
	const params = {name: request.tool, arguments: {...request.arguments}};
	// Only in the stateless era the SDK does more for a call than for any other request: it mirrors arguments into headers.
	const result =
		client.getProtocolEra() === 'legacy'
			? await client.request({method: 'tools/call', params}, anyResult, options)
			: await client.callTool(params, options);
	return callContent(rawResult(result));
}

async function listPages(
	client: Client,
	list: {readonly method: 'resources/list' | 'resources/templates/list' | 'prompts/list'; readonly member: string},
	options: SdkOptions,
): Promise<CallContent> {
	const entries: JsonValue[] = [];
	let cursor: string | undefined;
	for (let pages = 0; pages < pageLimit; pages++) {
		const params = cursor === undefined ? {} : {cursor};
		const page = rawResult(await client.request({method: list.method, params}, options));
		entries.push(...listIn(page, list.member));
		const next = isJsonObject(page) ? page['nextCursor'] : undefined;
		if (typeof next !== 'string' || next === cursor || entries.length >= entryLimit) {
			break;
		}

		cursor = next;
	}

	return jsonBlock({[list.member]: entries.slice(0, entryLimit)});
}

/** Many servers have resources and no templates; they do not know the method. */
function withoutMethod(result: JsonObject): (error: unknown) => CallContent {
	return error => {
		if (error instanceof ProtocolError && error.code === methodNotFoundCode) {
			return jsonBlock(result);
		}

		throw error;
	};
}

/** The server's original response. */
function sourceOf(result: Readonly<Record<string, unknown>>): Pick<CallContent, 'source'> {
	const source = rawResult(result);
	return isJsonObject(source) ? {source} : {};
}

function jsonBlock(value: JsonObject): CallContent {
	return {...blocks([{type: 'text', text: indentJson(value)}]), source: value};
}

function blocks(content: readonly JsonObject[]): CallContent {
	return {content, isError: false};
}
