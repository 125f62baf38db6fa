import {type Problem} from '../../util/problem.ts';
import {platformRows} from '../platforms/platform-keys.ts';
import {type PlatformConfig} from '../platforms/platform-settings.ts';
import {parsePlatforms} from '../platforms/platforms.ts';
import {type ConfiguredRules} from '../rules/rule-entry.ts';
import {type BrokenServer, parseServers, type ServerConfig} from '../servers/server-entry.ts';
import {unknownWord} from '../values/did-you-mean.ts';
import {asMapping, readMapping} from '../values/read-section.ts';
import {type Section, subsection, warn} from '../values/section.ts';
import {type WebhookConfig} from '../webhooks/webhook-entry.ts';
import {sectionNames} from './config-schema.ts';
import {type LimitsConfig, parseLimits} from './limits-config.ts';
import {type ModelConfig, parseModels, type SearchConfig} from './model-config.ts';
import {
	type AgentConfig,
	type ApprovalsConfig,
	type GatewaySection,
	type JournalConfig,
	type MetricsConfig,
	parseAgent,
	parseApprovals,
	parseGateway,
	parseJournal,
	parseMetrics,
	parseToolsets,
	type ToolsetsConfig,
} from './settings.ts';

/** The typed configuration from config.yaml. */
export type GatewayConfig = {
	readonly servers: readonly ServerConfig[];
	/** Unusable entries, shown as failed servers. Their problems are in `problems` too. */
	readonly brokenServers: readonly BrokenServer[];
	readonly webhook: WebhookConfig;
	/** All delivery platforms, configured or not: the environment alone may configure one. */
	readonly platforms: readonly PlatformConfig[];
	readonly approvals: ApprovalsConfig;
	readonly rules: ConfiguredRules;
	readonly agent: AgentConfig;
	readonly limits: LimitsConfig;
	readonly model: ModelConfig;
	/** Absent: the model of the runs also reads images. */
	readonly visionModel?: ModelConfig;
	readonly search: SearchConfig;
	readonly toolsets: ToolsetsConfig;
	readonly journal: JournalConfig;
	readonly gateway: GatewaySection;
	readonly metrics: MetricsConfig;
	/** Warnings and errors with their positions, in file order. */
	readonly problems: readonly Problem[];
};

const rootMapping = asMapping(sectionNames);

/** Sections that people look for at the top of the file. */
const rootPlaces = {
	...Object.fromEntries(Object.keys(platformRows).map(name => [name, `platforms.${name}`])),
	webhook: 'platforms.webhook',
	webhooks: 'platforms.webhook',
	routes: 'platforms.webhook.routes',
	servers: 'mcp_servers',
	mcp: 'mcp_servers',
	toolsets: 'platform_toolsets',
	endpoint: 'gateway.endpoint',
	profiles: 'gateway.profiles',
	multiplex_profiles: 'gateway.multiplex_profiles',
};

/** Converts the value of a configuration file to typed settings. `section` is the root; all problems are in its list. */
export function parseConfig(
	written: unknown,
	context: {readonly section: Section; readonly variables: (name: string) => string | undefined},
): GatewayConfig {
	const {section, variables} = context;
	const root = readMapping(rootMapping, written, section, rootPlaces);
	const at = (key: string) => subsection(section, [key]);
	const servers = parseServers(root['mcp_servers'], at('mcp_servers'));
	const config = {
		servers: servers.flatMap(one => (one.kind === 'server' ? [one.server] : [])),
		brokenServers: servers.flatMap(one =>
			one.kind === 'broken' ? [{name: one.name, problem: one.problem, transport: one.transport}] : [],
		),
		...parsePlatforms(root['platforms'], {section: at('platforms'), variables}),
		...parseApprovals(root['approvals'], at('approvals')),
		...parseModels(root, section),
		agent: parseAgent(root['agent'], at('agent')),
		limits: parseLimits(root['limits'], at('limits')),
		toolsets: parseToolsets(root['platform_toolsets'], at('platform_toolsets')),
		journal: parseJournal(root['journal'], at('journal')),
		gateway: parseGateway(root['gateway'], at('gateway')),
		metrics: parseMetrics(root['metrics'], at('metrics')),
	};
	warnOfUnknownServers(config, subsection(section, ['gateway', 'ready', 'require']));
	return {...config, problems: section.problems.all()};
}

/** A gateway that waits for a server which is not configured is never ready. */
function warnOfUnknownServers(
	{gateway, servers, brokenServers}: Pick<GatewayConfig, 'gateway' | 'servers' | 'brokenServers'>,
	section: Section,
): void {
	const words = [...servers, ...brokenServers].map(({name}) => name);
	for (const [index, name] of gateway.requiredServers.entries()) {
		if (!words.includes(name)) {
			warn(section, [index], `${unknownWord(name, {noun: 'server', words})}. /ready answers 503`);
		}
	}
}
