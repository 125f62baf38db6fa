import {isJsonObject} from '../../util/json-text.ts';
import {type Problem} from '../../util/problem.ts';
import {isVisible, safeText} from '../../util/safe-text.ts';
import {isHookServer} from '../hooks/hook-tools.ts';
import {toBoolean, toNumber, toTexts} from '../values/fields.ts';
import {kindOf, notAllowed} from '../values/mismatch-text.ts';
import {readSection} from '../values/read-section.ts';
import {refuse, report, type Section, subsection, warn} from '../values/section.ts';
import {askDefaults, healthLimits, serverDefaults, type ServerEntry, serverSchema} from './server-schema.ts';
import {type ParsedTransport, parseTransport, type TransportConfig} from './server-transport.ts';

/** One entry of `mcp_servers`, with every default filled in (docs/tool-servers.md, Server entries). */
export type ServerConfig = {
	readonly name: string;
	readonly transport: TransportConfig;
	readonly enabled: boolean;
	readonly protocol: 'auto' | 'stateless' | 'legacy';
	/** lazy: its tools are registered from the schema cache and it connects at the first call. */
	readonly start: 'eager' | 'lazy';
	readonly calls: 'serial' | 'parallel';
	readonly tools: ToolsPolicy;
	readonly trust: 'full' | 'untrusted';
} & ServerTimes &
	ServerAsks;

/** The filters of native tools and utility tools. */
export type ToolsPolicy = {
	/** Exact names or globs. Undefined: all but `exclude`. An empty list: none. */
	readonly include?: readonly string[];
	readonly exclude: readonly string[];
	readonly resources: boolean;
	readonly prompts: boolean;
};

/** The times of an entry, in seconds. */
type ServerTimes = {
	readonly timeoutSeconds: number;
	readonly connectTimeoutSeconds: number;
	/** The interval of liveness pings; absent: none are sent. */
	readonly keepaliveSeconds?: number;
	/** The idle limit of a process; absent: none. */
	readonly idleSeconds?: number;
	/** The age limit of a process; absent: none. */
	readonly lifetimeSeconds?: number;
};

/** The requests a server may make (docs/tool-servers.md, Elicitation); absent: none of the kind. */
type ServerAsks = {
	/** Limits for requests to a person. */
	readonly elicitation?: {readonly timeoutSeconds: number; readonly pages: 'asked' | 'declined'};
	readonly sampling?: SamplingPolicy;
};

/** Limits for requests to the configured model. */
export type SamplingPolicy = {
	/** Absent: the configured model. */
	readonly model?: string;
	readonly maximumTokens: number;
	readonly timeoutSeconds: number;
	readonly requestsPerMinute: number;
	/** Maximum rounds of tool results in one conversation. */
	readonly maximumToolRounds: number;
	/** Allowed models; empty: any. */
	readonly allowedModels: readonly string[];
};

/** A server entry, or why it cannot be used. */
export type ParsedServer =
	| {readonly kind: 'server'; readonly server: ServerConfig}
	| Extract<ParsedTransport, {kind: 'broken'}>;

/** The name of the server of built-in tools, in rules and everywhere else: no entry can have it (docs/rules.md, Keys of a rule). */
export const builtInServer = 'sluice';

/** An entry that cannot be used, as far as it says what it is. */
export type BrokenServer = {
	readonly name: string;
	readonly problem: Problem;
	readonly transport: TransportConfig['kind'];
};

/**
Reads `mcp_servers`, in file order; anything but a mapping counts as absent (docs/configuration.md, How values are read).
`section` is that mapping.
*/
export function parseServers(
	written: unknown,
	section: Section,
): ReadonlyArray<ParsedServer & Pick<BrokenServer, 'name' | 'transport'>> {
	if (written === undefined) {
		return [];
	}

	if (!isJsonObject(written)) {
		warn(section, [], `${notAllowed(kindOf(written), 'a mapping of server names to servers')}. It is ignored`);
		return [];
	}

	return Object.entries(written).flatMap(([name, entry]) => {
		// A server with an unshowable name is broken; its problem uses a safe form of the name.
		const shown = isVisible(name) ? name : safeText(name, {maximumCharacters: 100});
		const own = subsection(section, [name], {kind: 'server', name: shown});
		if (entry === null) {
			warn(own, [], 'The server is empty and is ignored. Give it a `command` or a `url`, or remove it');
			return [];
		}

		return [{name: shown, transport: transportOf(entry), ...parseServerEntry(name, entry, own)}];
	});
}

/** The transport that an entry means, usable or not. */
function transportOf(entry: unknown): TransportConfig['kind'] {
	if (!isJsonObject(entry) || (entry['url'] ?? '') === '') {
		return 'stdio';
	}

	return entry['transport'] === 'sse' ? 'sse' : 'http';
}

/** Reads one entry of `mcp_servers`; `section` is the entry and collects its problems. */
export function parseServerEntry(name: string, entry: unknown, section: Section): ParsedServer {
	if (name === builtInServer) {
		const message = `The name "${builtInServer}" belongs to the built-in tools`;
		const remedy = 'Rename the server';
		return {
			kind: 'broken',
			problem: report(section, {code: 'config_invalid', level: 'error', key: [], message, remedy}),
		};
	}

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
			tools: parseTools(value.tools),
			trust: value.trust ?? 'full',
			...parseAsks(value),
		},
	};
}

/** Names appear on every screen, and may come from files of other programs. */
function nameFault(name: string): string | undefined {
	if (name === '') {
		return 'The server has no name. Give it one';
	}

	if (isHookServer(name)) {
		return 'Names that begin with "hook:" belong to the tools of connected programs. Rename the server';
	}

	return isVisible(name) ? undefined : 'The name has invisible characters. Rename the server';
}

function parseTools(written: ServerEntry['tools']): ToolsPolicy {
	return {
		include: toTexts(written?.include),
		exclude: toTexts(written?.exclude) ?? [],
		resources: toBoolean(written?.resources) ?? true,
		prompts: toBoolean(written?.prompts) ?? true,
	};
}

/** Reads the times of an entry (docs/connections.md, Timeouts and limits). */
function parseTimes(entry: ServerEntry, kind: 'stdio' | 'remote'): ServerTimes {
	return {
		timeoutSeconds: toNumber(entry.timeout, serverDefaults.timeoutSeconds),
		connectTimeoutSeconds: toNumber(entry.connect_timeout, serverDefaults.connectTimeoutSeconds),
		...parseKeepalive(entry.keepalive_interval, kind),
		...(kind === 'stdio' && parseRecycling(entry)),
	};
}

/** A key of the entry itself wins over the same key under `lifecycle`; 0 disables. */
function parseRecycling(entry: ServerEntry): Pick<ServerTimes, 'idleSeconds' | 'lifetimeSeconds'> {
	const {lifecycle} = entry;
	const idleSeconds = toNumber(entry.idle_timeout_seconds ?? lifecycle?.idle_timeout_seconds, 0);
	const lifetimeSeconds = toNumber(entry.max_lifetime_seconds ?? lifecycle?.max_lifetime_seconds, 0);
	return {...(idleSeconds > 0 && {idleSeconds}), ...(lifetimeSeconds > 0 && {lifetimeSeconds})};
}

function parseKeepalive(
	written: ServerEntry['keepalive_interval'],
	kind: 'stdio' | 'remote',
): Pick<ServerTimes, 'keepaliveSeconds'> {
	const {keepaliveSeconds, shortestKeepaliveSeconds} = healthLimits;
	const asked = written ?? (kind === 'remote' ? keepaliveSeconds : undefined);
	return asked === undefined ? {} : {keepaliveSeconds: Math.max(Number(asked), shortestKeepaliveSeconds)};
}

/** Reads the requests a server may make. Both kinds are enabled by default. */
function parseAsks({elicitation, sampling}: Pick<ServerEntry, 'elicitation' | 'sampling'>): ServerAsks {
	return {
		...(toBoolean(elicitation?.enabled) !== false && {
			elicitation: {
				timeoutSeconds: toNumber(elicitation?.timeout, askDefaults.elicitationSeconds),
				pages: toBoolean(elicitation?.url) === true ? 'asked' : 'declined',
			},
		}),
		...(toBoolean(sampling?.enabled) !== false && {sampling: parseSampling(sampling)}),
	};
}

function parseSampling(written: ServerEntry['sampling']): SamplingPolicy {
	return {
		...(written?.model && {model: written.model}),
		maximumTokens: toNumber(written?.max_tokens_cap, askDefaults.maxTokensCap),
		timeoutSeconds: toNumber(written?.timeout, askDefaults.samplingSeconds),
		requestsPerMinute: toNumber(written?.max_rpm, askDefaults.requestsPerMinute),
		maximumToolRounds: toNumber(written?.max_tool_rounds, askDefaults.toolRounds),
		allowedModels: toTexts(written?.allowed_models) ?? [],
	};
}
