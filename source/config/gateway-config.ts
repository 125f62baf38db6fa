import {type Problem} from '../util/problem.ts';
import {type GatewaySection} from './gateway-section.ts';
import {type PlatformConfig} from './platform-settings.ts';
import {type ServerConfig} from './server-entry.ts';
import {type WebhookConfig} from './webhook-entry.ts';

export type ApprovalsConfig = {
	readonly timeoutSeconds: number;
	/** Without a console: answer `no_channel` at once, or wait for the command line. */
	readonly unattended: 'deny' | 'hold';
};

export type AgentConfig = {
	readonly maxConcurrentRuns: number;
	readonly maxQueuedRuns: number;
};

export type JournalConfig = {
	readonly maxAgeDays: number;
	readonly maxBytes: number;
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
	readonly journal: JournalConfig;
	readonly gateway: GatewaySection;
	/** Warnings and errors with their places, in the order of the file. */
	readonly problems: readonly Problem[];
};
