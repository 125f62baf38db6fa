import {type JsonObject} from '../../util/json-text.ts';

/** `mcp list --json`, one row. */
export type ServerJson = {
	readonly name: string;
	readonly profile: string;
	readonly transport: 'stdio' | 'http' | 'sse';
	readonly state: 'disabled' | 'lazy' | 'connecting' | 'connected' | 'needs-login' | 'waiting' | 'failed' | 'stopped';
	readonly reason: string | null;
	readonly next_action: string | null;
	/** Number of registered tools. */
	readonly tools: number;
	readonly trust: 'full' | 'untrusted';
	readonly era: 'legacy' | 'stateless' | null;
	readonly latency_ms: number | null;
	/** The last lines of stderr of a failing stdio server; `log` is the file with all of it. */
	readonly stderr: readonly string[];
	readonly log: string | null;
};

/** `mcp tools --json`, one row. */
export type ToolJson = {
	readonly name: string;
	readonly server: string;
	readonly tool: string;
	readonly title: string | null;
	readonly description: string;
	readonly input_schema: JsonObject;
	readonly read_only: boolean;
	readonly approval: 'none' | 'ask' | 'remembered';
};

/** Result of an install link. */
export type InstallJson = {
	readonly outcome: 'installed' | 'cancelled' | 'withdrawn' | 'unattended';
	/** The name it was installed under. */
	readonly name?: string;
};
