import {type ServerConfig} from '../../source/config/servers/server-entry.ts';
import {type ServerCapabilities, type ToolDefinition} from '../../source/mcp/connection.ts';

/** An untrusted stdio server with no filters, unless told otherwise. */
export function serverConfig(members: Partial<ServerConfig> = {}): ServerConfig {
	return {
		name: 'files',
		transport: {kind: 'stdio', command: 'files-server', args: [], env: {}},
		enabled: true,
		timeoutSeconds: 300,
		connectTimeoutSeconds: 60,
		protocol: 'auto',
		start: 'eager',
		calls: 'serial',
		tools: {exclude: [], resources: true, prompts: true},
		trust: 'untrusted',
		...members,
	};
}

/** A tool that takes any object. */
export function definition(name: string, members: Partial<ToolDefinition> = {}): ToolDefinition {
	return {name, inputSchema: {type: 'object'}, ...members};
}

/** The offers of a server that has tools of these names and nothing else. */
export function offerOf(...names: readonly string[]): ServerCapabilities {
	return {tools: names.map(name => definition(name)), resources: false, prompts: false};
}
