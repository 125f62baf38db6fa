import {type Client, isSpecType, type RequestOptions as SdkOptions} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {indentJson, isJsonObject, type JsonObject, type JsonValue} from '../util/json-text.ts';
import {safeText} from '../util/safe-text.ts';
import {type CallContent, type RequestOptions, type ServerRequest, type ToolDefinition} from './connection.ts';
import {noSdkTimeout} from './handshake.ts';

const pageLimit = 100;
const listPageSchema = z.looseObject({nextCursor: z.string().optional()});

/** Sends one request over a connected client and brings the answer into blocks. Rejects with the errors of the SDK. */
export async function askServer(
	client: Client,
	request: ServerRequest,
	options: RequestOptions & {readonly definition: ToolDefinition | undefined},
): Promise<CallContent> {
	const sdkOptions = toSdkOptions(options);
	switch (request.kind) {
		case 'tool':
			return callTool(client, request, {...sdkOptions, toolDefinition: forHeaders(options.definition)});
		case 'list-resources':
			return listPages(client, {method: 'resources/list', member: 'resources'}, sdkOptions);
		case 'list-prompts':
			return listPages(client, {method: 'prompts/list', member: 'prompts'}, sdkOptions);
		case 'read-resource': {
			const answer = await client.request({method: 'resources/read', params: {uri: request.uri}}, sdkOptions);
			return blocks(jsonObjects(answer.contents).map(resource => ({type: 'resource', resource})));
		}

		case 'get-prompt': {
			const {name} = request;
			const params = {name, arguments: {...request.arguments}};
			const {description, messages} = await client.request({method: 'prompts/get', params}, sdkOptions);
			return jsonBlock({...(description && {description}), messages: jsonObjects(messages)});
		}
	}
}

function toSdkOptions({signal, onProgress}: RequestOptions): SdkOptions {
	return {
		signal,
		timeout: noSdkTimeout,
		// A server tells of progress only when it is asked to.
		onprogress: ({progress, total, message}) =>
			onProgress?.({
				progress,
				...(total !== undefined && {total}),
				...(message !== undefined && {message: safeText(message, {maximumCharacters: 300})}),
			}),
	};
}

/**
What the SDK needs of a definition to mirror arguments into headers (2026-07-28). Without the output schema: the answer of
a call that was made is handed on as it is, not thrown away for its shape.
*/
function forHeaders(definition: ToolDefinition | undefined): SdkTool | undefined {
	if (!definition) {
		return undefined;
	}

	if (!known.has(definition)) {
		const tool: unknown = {name: definition.name, inputSchema: definition.inputSchema};
		known.set(definition, isSpecType.Tool(tool) ? tool : undefined);
	}

	return known.get(definition);
}

type SdkTool = NonNullable<NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition']>;

/** Definitions as the SDK wants them, checked once and not at every call. */
const known = new WeakMap<ToolDefinition, SdkTool | undefined>();

async function callTool(
	client: Client,
	request: Extract<ServerRequest, {kind: 'tool'}>,
	options: Parameters<Client['callTool']>[1],
): Promise<CallContent> {
	const params = {name: request.tool, arguments: {...request.arguments}};
	const answer = await client.callTool(params, options);
	const structured: unknown = answer.structuredContent;
	return {
		content: jsonObjects(answer.content),
		...(isJsonObject(structured) && {structuredContent: structured}),
		isError: answer.isError === true,
	};
}

async function listPages(
	client: Client,
	list: {readonly method: 'resources/list' | 'prompts/list'; readonly member: string},
	options: SdkOptions,
): Promise<CallContent> {
	const entries: JsonValue[] = [];
	let cursor: string | undefined;
	for (let pages = 0; pages < pageLimit; pages++) {
		const params = cursor === undefined ? {} : {cursor};
		const page = await client.request({method: list.method, params}, listPageSchema, options);
		const members: unknown = page[list.member];
		entries.push(...(Array.isArray(members) ? jsonObjects(members) : []));
		if (page.nextCursor === undefined || page.nextCursor === cursor) {
			break;
		}

		cursor = page.nextCursor;
	}

	return jsonBlock({[list.member]: entries});
}

/** What came over the wire is JSON; the types of the SDK only do not say so. */
function jsonObjects(values: readonly unknown[]): JsonObject[] {
	return values.filter(isJsonObject);
}

function jsonBlock(value: JsonObject): CallContent {
	return blocks([{type: 'text', text: indentJson(value)}]);
}

function blocks(content: readonly JsonObject[]): CallContent {
	return {content, isError: false};
}
