import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ServerRequest, type ToolDefinition} from '../mcp/connection.ts';
import {type JsonObject} from '../util/json-text.ts';
import {fingerprint} from './fingerprint.ts';
import {registeredName} from './tool-name.ts';
import {type UtilityTool} from './utility-tools.ts';

/** A tool that can be called. */
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
	/** Its definition says `readOnlyHint: true`, and not something like it. */
	readonly readOnly: boolean;
	/** Throws `invalid_arguments`. */
	readonly toRequest: (args: JsonObject) => ServerRequest;
};

/** A tool of the server itself. */
export function nativeTool(config: ServerConfig, definition: ToolDefinition): RegisteredTool {
	const {name} = definition;
	const readOnly = isReadOnly(definition);
	return {
		...describe(config, definition),
		kind: 'native',
		toRequest: args => ({kind: 'tool', tool: name, arguments: args, readOnly}),
	};
}

/** A tool that Sluice adds to the server. */
export function utilityTool(config: ServerConfig, tool: UtilityTool): RegisteredTool {
	return {...describe(config, tool.definition), kind: 'utility', toRequest: tool.toRequest};
}

function describe(config: ServerConfig, definition: ToolDefinition): Omit<RegisteredTool, 'kind' | 'toRequest'> {
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
