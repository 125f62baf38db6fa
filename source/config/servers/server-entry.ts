import {isVisible} from '../../util/safe-text.ts';
import {toBoolean} from '../values/bool-like.ts';
import {readSection} from '../values/read-section.ts';
import {refuse, type Section} from '../values/section.ts';
import {serverSchema} from './server-schema.ts';
import {parsePolicy, type ServerPolicy, type ToolsPolicy} from './server-policy.ts';
import {parseTimes, type ServerTimes} from './server-times.ts';
import {type ParsedTransport, parseTransport, type TransportConfig} from './server-transport.ts';

export {type ToolsPolicy, type TransportConfig};

/** One entry of `mcp_servers`, with every default filled in (docs/tool-servers.md, Server entries). */
export type ServerConfig = {
	readonly name: string;
	readonly transport: TransportConfig;
	readonly enabled: boolean;
	readonly protocol: 'auto' | 'stateless' | 'legacy';
	/** lazy: its tools are registered from the schema cache and it connects at the first call. */
	readonly start: 'eager' | 'lazy';
	readonly calls: 'serial' | 'parallel';
} & ServerTimes &
	ServerPolicy;

/** A server entry, or why it cannot be used. */
export type ParsedServer =
	| {readonly kind: 'server'; readonly server: ServerConfig}
	| Extract<ParsedTransport, {kind: 'broken'}>;

/** Reads one entry of `mcp_servers`; `section` stands at the entry. What is wrong is told in its list, at the row of the server. */
export function parseServerEntry(name: string, entry: unknown, section: Section): ParsedServer {
	const fault = nameFault(name);
	if (fault !== undefined) {
		return {kind: 'broken', problem: refuse(section, [], fault)};
	}

	const reading = readSection(serverSchema(), entry, section);
	if (reading.kind === 'broken') {
		return reading;
	}

	const {value} = reading;
	const transport = parseTransport(value, section);
	if (transport.kind === 'broken') {
		return transport;
	}

	return {
		kind: 'server',
		server: {
			name,
			transport: transport.transport,
			enabled: toBoolean(value.enabled) ?? true,
			protocol: value.protocol ?? 'auto',
			start: toBoolean(value.lazy) ? 'lazy' : 'eager',
			calls: toBoolean(value.supports_parallel_tool_calls) ? 'parallel' : 'serial',
			...parseTimes(value, transport.transport.kind === 'stdio' ? 'stdio' : 'remote'),
			...parsePolicy(value),
		},
	};
}

/** A name stands on every screen, and the files of other programs choose it too. */
function nameFault(name: string): string | undefined {
	if (name === '') {
		return 'found a server without a name, allowed: any name';
	}

	return isVisible(name) ? undefined : 'found a name with signs that nobody can see, allowed: any other name';
}
