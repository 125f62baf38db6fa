import {builtInServer, type ServerConfig} from '../config/servers/server-entry.ts';
import {type ServerRequest, type ToolDefinition} from '../mcp/connection.ts';
import {hashJson} from '../util/json-hash.ts';
import {type JsonObject} from '../util/json-text.ts';
import {memoizeByObject} from '../util/memoize.ts';

/** A callable tool. */
export type RegisteredTool = {
	/** `mcp__server__tool`. */
	readonly name: string;
	readonly server: string;
	/** The tool's own name at its server. */
	readonly tool: string;
	readonly kind: 'native' | 'utility';
	readonly definition: ToolDefinition;
	readonly fingerprint: string;
	readonly trust: 'full' | 'untrusted';
	/** Its definition has `readOnlyHint: true`, exactly. */
	readonly readOnly: boolean;
	/** The longest approval of one of its calls; absent: any. `once-unmasked`: once, and only where nothing of the call is masked. */
	readonly grants?: 'once-or-rule' | 'once-or-this-command' | 'once-unmasked';
	/** Throws `invalid_arguments`. */
	readonly toRequest: (args: JsonObject) => ServerRequest;
};

/** The properties of its server that a tool needs. */
type ToolServer = Pick<ServerConfig, 'name' | 'trust'>;

/** A tool of the server itself. */
export function nativeTool(config: ToolServer, definition: ToolDefinition): RegisteredTool {
	const {name} = definition;
	const readOnly = isReadOnly(definition);
	return {
		...describe(config, definition),
		kind: 'native',
		toRequest: args => ({kind: 'tool', tool: name, arguments: args, readOnly}),
	};
}

/** A tool that Sluice adds to the server. */
export function utilityTool(
	config: ToolServer,
	{definition, toRequest}: Pick<RegisteredTool, 'definition' | 'toRequest'>,
): RegisteredTool {
	return {...describe(config, definition), kind: 'utility', toRequest};
}

function describe(config: ToolServer, definition: ToolDefinition): Omit<RegisteredTool, 'kind' | 'toRequest'> {
	return {
		name: registeredName(config.name, definition.name),
		server: config.name,
		tool: definition.name,
		definition,
		fingerprint: fingerprint(definition),
		trust: config.trust,
		readOnly: isReadOnly(definition),
	};
}

function isReadOnly(definition: ToolDefinition): boolean {
	return definition.annotations?.readOnlyHint === true;
}

/** The parts of a definition that count: a change in any of them voids remembered approvals (docs/connections.md, Results). */
export function definitionJson(definition: ToolDefinition): JsonObject {
	const {name, description, inputSchema, outputSchema, annotations} = definition;
	return {
		name,
		inputSchema,
		...(description === undefined ? {} : {description}),
		...(outputSchema === undefined ? {} : {outputSchema}),
		...(annotations === undefined ? {} : {annotations: Object.fromEntries(Object.entries(annotations))}),
	};
}

/** A hash of a tool's definition; the order of members does not matter. */
export const fingerprint = memoizeByObject((definition: ToolDefinition) => hashJson(definitionJson(definition)));

/**
The registered name of a tool: `mcp__<server>__<tool>`, with everything but ASCII letters, digits and underscores replaced
(docs/tool-servers.md, Tool names). ASCII, because models accept nothing else. Different tools may get the same name; the catalogue decides.
*/
export function registeredName(server: string, tool: string): string {
	return `mcp__${sanitise(server)}__${sanitise(tool)}`;
}

/** The name that a tool is called by. */
export function calledName(server: string, tool: string): string {
	return server === builtInServer ? tool : registeredName(server, tool);
}

/** One underscore per character, not per UTF-16 unit. */
function sanitise(name: string): string {
	return name.replace(/[^A-Za-z0-9_]/gu, '_');
}
