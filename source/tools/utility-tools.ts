import {z} from 'zod';
import {type ToolsPolicy} from '../config/servers/server-entry.ts';
import {type ServerCapabilities, type ServerRequest, type ToolDefinition} from '../mcp/connection.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {registeredName} from './registered-tool.ts';

/** A tool that Sluice adds to a server, for its resources or its prompts. */
type UtilityTool = {
	readonly definition: ToolDefinition;
	/** Throws `invalid_arguments`. */
	readonly toRequest: (args: JsonObject) => ServerRequest;
};

const readResourceTool = 'read_resource';

/** They change nothing at the server, so the read-only claim is ours and true: even on an untrusted server they need no approval. */
const annotations = {readOnlyHint: true};

/**
The endpoint serves resources and prompts by calls of these tools, some with arguments that no definition names: `templates`, `subscribe` and
`complete` (docs/endpoint.md, Resources and prompts). A card, a rule and the journal see them as every other argument.
*/
const texts = z.record(z.string(), z.string()).default({});
const completeArgument = z.strictObject({name: z.string(), value: z.string()}).optional();
const listArguments = z.object({templates: z.boolean().default(false)});
const readArguments = z.object({
	uri: z.string(),
	subscribe: z.boolean().optional(),
	complete: completeArgument,
	arguments: texts,
});

const noArguments: JsonObject = {type: 'object', properties: {}, additionalProperties: false};

const resourceTools: readonly UtilityTool[] = [
	{
		definition: {
			name: 'list_resources',
			description: 'List the resources that this server offers.',
			inputSchema: noArguments,
			annotations,
		},
		toRequest: args => ({
			kind: parseArguments(listArguments, args).templates ? 'list-resource-templates' : 'list-resources',
		}),
	},
	{
		definition: {
			name: readResourceTool,
			description: 'Read one resource of this server.',
			inputSchema: {
				type: 'object',
				properties: {uri: {type: 'string', description: 'The address of the resource, as list_resources names it.'}},
				required: ['uri'],
				additionalProperties: false,
			},
			annotations,
		},
		toRequest: args => toReadRequest(parseArguments(readArguments, args)),
	},
];

const promptTools: readonly UtilityTool[] = [
	{
		definition: {
			name: 'list_prompts',
			description: 'List the prompts that this server offers, with their arguments.',
			inputSchema: noArguments,
			annotations,
		},
		toRequest: () => ({kind: 'list-prompts'}),
	},
	{
		definition: {
			name: 'get_prompt',
			description: 'Get one prompt of this server, filled in.',
			inputSchema: {
				type: 'object',
				properties: {
					name: {type: 'string', description: 'The name of the prompt, as list_prompts names it.'},
					arguments: {
						type: 'object',
						description: 'Values for the arguments of the prompt.',
						additionalProperties: {type: ['string', 'number', 'boolean']},
					},
				},
				required: ['name'],
				additionalProperties: false,
			},
			annotations,
		},
		toRequest: args => toPromptRequest(parseArguments(promptArguments, args)),
	},
];

const promptArguments = z.object({
	name: z.string(),
	// The protocol knows texts alone; models and people write numbers as numbers.
	arguments: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
	complete: completeArgument,
});

function toReadRequest({uri, subscribe, complete, ...context}: z.output<typeof readArguments>): ServerRequest {
	if (subscribe !== undefined) {
		return {kind: subscribe ? 'subscribe-resource' : 'unsubscribe-resource', uri};
	}

	return complete ? toCompletion({type: 'ref/resource', uri}, complete, context) : {kind: 'read-resource', uri};
}

function toPromptRequest({complete, ...prompt}: z.output<typeof promptArguments>): ServerRequest {
	const {name} = prompt;
	return complete ? toCompletion({type: 'ref/prompt', name}, complete, prompt) : {kind: 'get-prompt', ...prompt};
}

function toCompletion(
	ref: JsonObject,
	argument: JsonObject,
	{arguments: known}: {readonly arguments: Readonly<Record<string, string>>},
): ServerRequest {
	const context: JsonObject = Object.keys(known).length > 0 ? {context: {arguments: known}} : {};
	return {kind: 'complete', params: {ref, argument, ...context}};
}

/**
The utility tools of a server: those its entry allows and its session supports
(docs/tool-servers.md, Filters).
*/
export function utilityTools(
	policy: Pick<ToolsPolicy, 'resources' | 'prompts'>,
	offer: Pick<ServerCapabilities, 'resources' | 'prompts'>,
): readonly UtilityTool[] {
	return [
		...(policy.resources && offer.resources ? resourceTools : []),
		...(policy.prompts && offer.prompts ? promptTools : []),
	];
}

/** The utility tools by what they do. */
export type UtilityName = 'list_resources' | 'read_resource' | 'list_prompts' | 'get_prompt';

type FindTool = (name: string) => {readonly server: string; readonly kind: string} | undefined;

/** The registered name of the tool that reads resources of `server`; undefined when none is registered. */
export function readToolOf(server: string, findTool: FindTool): string | undefined {
	return utilityToolOf(server, readResourceTool, findTool);
}

/** The registered name of a utility tool of `server`; undefined when it is not registered. */
export function utilityToolOf(server: string, utility: UtilityName, findTool: FindTool): string | undefined {
	const name = registeredName(server, utility);
	const tool = findTool(name);
	return tool?.kind === 'utility' && tool.server === server ? name : undefined;
}

function parseArguments<Value>(schema: z.ZodType<Value>, args: JsonObject): Value {
	const parsed = schema.safeParse(args);
	if (parsed.success) {
		return parsed.data;
	}

	const issue = parsed.error.issues[0];
	const message = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not allowed'}`;
	throw new Problem('invalid_arguments', {message});
}
