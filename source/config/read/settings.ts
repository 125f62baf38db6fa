import {toBoolean, toNumber, toTexts} from '../values/fields.ts';
import {type EndpointClients, parseEndpointClients} from './endpoint-clients.ts';
import {type ConfiguredRules, parseRules} from '../rules/rule-entry.ts';
import {parseRemote, type RemoteConfig} from './remote-config.ts';
import {readSettings, readStrictly} from '../values/read-section.ts';
import {listFault, targetFault, toFailureDestinations} from '../platforms/destinations.ts';
import {type Destination} from '../../util/destinations.ts';
import {isJsonObject} from '../../util/json-text.ts';
import {refuse, type Section, subsection} from '../values/section.ts';
import {
	agentSchema,
	approvalsSchema,
	endpointDefaults,
	gatewaySchema,
	journalSchema,
	metricsSchema,
	platformToolsetsSchema,
	settingsDefaults,
} from './settings-schema.ts';

// The small sections of config.yaml. An unusable one is reported and replaced by its defaults.

export type ApprovalsConfig = {
	readonly timeoutSeconds: number;
	/** Without a console: respond `no_channel` at once, or wait for the command line. */
	readonly unattended: 'deny' | 'hold';
	/** The right of commands to allow waiting requests. */
	readonly commandLine: 'allow' | 'deny';
	/** Chats in which persons answer (docs/remote.md). */
	readonly remote: RemoteConfig;
};

/**
Reads `approvals`. A mistake anywhere in it makes its rules invalid: an unknown key may be a rule that is spelled wrong (docs/rules.md, Mistakes in rules).
The settings are the strictest ones then. A mistake in a chat is one of that chat alone.
*/
export function parseApprovals(
	written: unknown,
	section: Section,
): {readonly approvals: ApprovalsConfig; readonly rules: ConfiguredRules} {
	const {remote, others} = withoutRemote(withoutEmpty(written ?? {}));
	const reading = readStrictly(approvalsSchema(), others, section);
	const {timeout, unattended = 'deny', cli, rules} = reading.kind === 'read' ? reading.value : {};
	return {
		approvals: {
			timeoutSeconds: toNumber(timeout, settingsDefaults.approvalTimeoutSeconds),
			unattended,
			commandLine: cli ?? (reading.kind === 'read' ? 'allow' : 'deny'),
			remote: parseRemote(remote, subsection(section, ['remote'])),
		},
		rules:
			reading.kind === 'read'
				? parseRules(rules ?? [], subsection(section, ['rules']))
				: {kind: 'invalid', problem: reading.problem},
	};
}

function withoutRemote(written: unknown): {readonly remote: unknown; readonly others: unknown} {
	if (!isJsonObject(written)) {
		return {remote: undefined, others: written};
	}

	const {remote, ...others} = written;
	return {remote, others};
}

/** A key without a value counts as absent. */
function withoutEmpty(written: unknown): unknown {
	return isJsonObject(written)
		? Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null))
		: written;
}

export type AgentConfig = {
	/** Maximum model steps per run. */
	readonly maxSteps: number;
	/** Longest silence of the model. */
	readonly modelTimeoutSeconds: number;
	/** Prepended to every prompt. */
	readonly instructions?: string;
	readonly maxConcurrentRuns: number;
	readonly maxQueuedRuns: number;
	readonly maxWaitingRuns: number;
	/** Where a message about a run or a delivery that failed goes, unless its route or job says so. */
	readonly onFailure?: readonly Destination[];
};

/** Reads `agent`. */
export function parseAgent(written: unknown, section: Section): AgentConfig {
	const value = readSettings(agentSchema, written, section);
	const onFailure = checkedFailureDestinations(value.on_failure, subsection(section, ['on_failure']));
	return {
		...(onFailure && {onFailure}),
		maxSteps: toNumber(value.max_steps, settingsDefaults.maxSteps),
		modelTimeoutSeconds: toNumber(value.model_timeout, settingsDefaults.modelTimeoutSeconds),
		...(value.instructions ? {instructions: value.instructions} : {}),
		maxConcurrentRuns: toNumber(value.max_concurrent_runs, settingsDefaults.maxConcurrentRuns),
		maxQueuedRuns: toNumber(value.max_queued_runs, settingsDefaults.maxQueuedRuns),
		maxWaitingRuns: toNumber(value.max_waiting_runs, settingsDefaults.maxWaitingRuns),
	};
}

/** Without destinations where one of them is unknown, or named twice. */
function checkedFailureDestinations(
	written: Parameters<typeof toFailureDestinations>[0],
	section: Section,
): readonly Destination[] | undefined {
	const destinations = toFailureDestinations(written);
	const fault = destinations && (listFault(destinations) ?? targetFault(destinations));
	if (fault !== undefined) {
		refuse(section, ['deliver'], fault);
		return undefined;
	}

	return destinations;
}

/** Toolset names by the origin of a run. */
export type ToolsetsConfig = {readonly webhook: readonly string[]};

/** Reads `platform_toolsets`: the tools of webhook runs without `toolsets` of their own (docs/webhook-routes.md, Toolsets and skills). */
export function parseToolsets(written: unknown, section: Section): ToolsetsConfig {
	const {webhook} = readSettings(platformToolsetsSchema, written, section);
	return {webhook: toTexts(webhook) ?? settingsDefaults.webhookToolsets};
}

export type JournalConfig = {
	readonly maxAgeDays: number;
	readonly maxBytes: number;
	/** The name of this gateway; undefined: that of the host. */
	readonly node: string | undefined;
	/** The time that this gateway counts as alive without a sign. */
	readonly leaseMilliseconds: number;
	/** Claims wait so long for a journal that is away. */
	readonly patienceMilliseconds: number;
	/** A run is left so long to a gateway that can do more of it, and does not take it. */
	readonly unplacedMilliseconds: number;
	/** The database of the journal, if it is not a file. */
	readonly database: JournalDatabaseConfig | undefined;
};

/** The address is as written, with references. */
export type JournalDatabaseConfig = {readonly url: string; readonly schema: string; readonly pool: number};

/** Reads `journal`. A mistake in it never moves the journal back into a file: what was written there would be missing in the database. */
export function parseJournal(written: unknown, section: Section): JournalConfig {
	const value = readSettings(journalSchema, written, section);
	return {
		maxAgeDays: toNumber(value.max_age_days, settingsDefaults.journalDays),
		maxBytes: toNumber(value.max_bytes, settingsDefaults.journalBytes),
		node: value.node || undefined,
		// Whole, as times are in a database.
		leaseMilliseconds: Math.round(toNumber(value.lease, settingsDefaults.journalLeaseSeconds) * 1000),
		patienceMilliseconds: toNumber(value.patience, settingsDefaults.journalPatienceSeconds) * 1000,
		unplacedMilliseconds: toNumber(value.unplaced, settingsDefaults.journalUnplacedSeconds) * 1000,
		database: hasUrl(written)
			? {
					url: typeof written.url === 'string' ? written.url : '',
					schema: value.schema || settingsDefaults.journalSchema,
					pool: toNumber(value.pool, settingsDefaults.journalPool),
				}
			: undefined,
	};
}

function hasUrl(written: unknown): written is {readonly url: unknown} {
	return isJsonObject(written) && Object.hasOwn(written, 'url') && written['url'] !== null && written['url'] !== '';
}

export type MetricsConfig = {
	readonly enabled: boolean;
	/** As written, with references; undefined: only programs on this machine may read them. */
	readonly token: string | undefined;
};

/** Reads `metrics`. */
export function parseMetrics(written: unknown, section: Section): MetricsConfig {
	const value = readSettings(metricsSchema, written, section);
	return {enabled: toBoolean(value.enabled) ?? false, token: value.token || undefined};
}

/** The profiles that one gateway serves beside its own (docs/configuration.md, Profiles). */
export type ServedProfiles =
	| {readonly kind: 'own'}
	| {readonly kind: 'all'}
	| {readonly kind: 'listed'; readonly names: readonly string[]};

/** The endpoint that offers all tools as one tool server (docs/endpoint.md, What the agent gets; docs/json.md, Log lines). Host and port come from the profile the gateway runs for. */
type EndpointConfig = {
	readonly enabled: boolean;
	readonly host: string;
	readonly port: number;
	/** As written, with references; undefined: it is in `.env`. */
	readonly token: string | undefined;
	readonly clients: EndpointClients;
	/** A call that became a task waits so long, and its result is kept so long (docs/endpoint.md, Tasks). */
	readonly taskTtlSeconds: number;
};

export type GatewaySection = {
	readonly profiles: ServedProfiles;
	readonly endpoint: EndpointConfig;
	/** The time that a stop refuses nothing yet (docs/reverse-proxy.md, Behind a balancer). */
	readonly drainDelaySeconds: number;
	/** Tool servers without which the gateway is not ready (docs/reverse-proxy.md, Health and readiness). */
	readonly requiredServers: readonly string[];
};

/** Reads `gateway`. */
export function parseGateway(written: unknown, section: Section): GatewaySection {
	const {clients, others} = withoutClients(written);
	const value = readSettings(gatewaySchema, others, section);
	const {enabled, host, port, token, task_ttl: taskTtl} = value.endpoint ?? {};
	return {
		profiles: servedProfiles(value.multiplex_profiles, toTexts(value.profiles)),
		endpoint: {
			enabled: toBoolean(enabled) ?? true,
			host: host || endpointDefaults.host,
			port: toNumber(port, endpointDefaults.port),
			token: token || undefined,
			clients: parseEndpointClients(clients, subsection(section, ['endpoint', 'clients'])),
			taskTtlSeconds: toNumber(taskTtl, endpointDefaults.taskTtlSeconds),
		},
		drainDelaySeconds: toNumber(value.drain_delay, 0),
		requiredServers: toTexts(value.ready?.require) ?? [],
	};
}

/** The clients are read apart: a mistake in one must not open the endpoint as if there were none. */
function withoutClients(written: unknown): {readonly clients: unknown; readonly others: unknown} {
	const endpoint = isJsonObject(written) ? written['endpoint'] : undefined;
	if (!isJsonObject(written) || !isJsonObject(endpoint)) {
		return {clients: undefined, others: written};
	}

	const {clients, ...others} = endpoint;
	return {clients, others: {...written, endpoint: others}};
}

function servedProfiles(multiplex: unknown, names: readonly string[] | undefined): ServedProfiles {
	if (toBoolean(multiplex) !== true) {
		return {kind: 'own'};
	}

	return names && names.length > 0 ? {kind: 'listed', names} : {kind: 'all'};
}
