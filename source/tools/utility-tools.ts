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

const noArguments: JsonObject = {type: 'object', properties: {}, additionalProperties: false};

const resourceTools: readonly UtilityTool[] = [
	{
		definition: {
			name: 'list_resources',
			description: 'List the resources that this server offers.',
			inputSchema: noArguments,
			annotations,
		},
		toRequest: () => ({kind: 'list-resources'}),
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
		toRequest: args => ({kind: 'read-resource', ...parseArguments(z.object({uri: z.string()}), args)}),
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
		toRequest: args => ({kind: 'get-prompt', ...parseArguments(promptArguments, args)}),
	},
];

const promptArguments = z.object({
	name: z.string(),
	// The protocol knows texts alone; models and people write numbers as numbers.
	arguments: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
});

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

/** The registered name of the tool that reads resources of `server`; undefined when none is registered. */
export function readToolOf(
	server: string,
	findTool: (name: string) => {readonly server: string; readonly kind: string} | undefined,
): string | undefined {
	const name = registeredName(server, readResourceTool);
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
