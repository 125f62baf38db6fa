import {type Problem} from '../../util/problem.ts';
import {type GatewaySection} from './gateway-section.ts';
import {type PlatformConfig} from '../platforms/platform-settings.ts';
import {type ModelConfig, type SearchConfig} from './model-config.ts';
import {type ServerConfig} from '../servers/server-entry.ts';
import {type WebhookConfig} from '../webhooks/webhook-entry.ts';

export type ApprovalsConfig = {
	readonly timeoutSeconds: number;
	/** Without a console: answer `no_channel` at once, or wait for the command line. */
	readonly unattended: 'deny' | 'hold';
};

export type AgentConfig = {
	/** Most model steps of one run. */
	readonly maxSteps: number;
	/** Put before every prompt. */
	readonly instructions?: string;
	readonly maxConcurrentRuns: number;
	readonly maxQueuedRuns: number;
};

/** Names of toolsets by where a run comes from. */
export type ToolsetsConfig = {readonly webhook: readonly string[]};

export type JournalConfig = {
	readonly maxAgeDays: number;
	readonly maxBytes: number;
};

export type MetricsConfig = {
	readonly enabled: boolean;
	/** As written, references included; undefined: programs of this machine alone may read them. */
	readonly token: string | undefined;
};

/** Everything a person wrote, as exact types. */
export type GatewayConfig = {
	readonly servers: readonly ServerConfig[];
	/** Entries that cannot be used; each is shown as a failed server. Their problems are among `problems` too. */
	readonly brokenServers: ReadonlyArray<{readonly name: string; readonly problem: Problem}>;
	readonly webhook: WebhookConfig;
	/** Every delivery platform, configured or not: the environment alone may make one usable. */
	readonly platforms: readonly PlatformConfig[];
	readonly approvals: ApprovalsConfig;
	readonly agent: AgentConfig;
	readonly model: ModelConfig;
	/** Absent: the model of the runs looks at pictures too. */
	readonly visionModel?: ModelConfig;
	readonly search: SearchConfig;
	readonly toolsets: ToolsetsConfig;
	readonly journal: JournalConfig;
	readonly gateway: GatewaySection;
	readonly metrics: MetricsConfig;
	/** Warnings and errors with their places, in the order of the file. */
	readonly problems: readonly Problem[];
};
