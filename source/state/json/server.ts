import {type JsonRow} from '../entities/json-kind.ts';
import {type serverFields} from '../entities/server.ts';
import {type toolFields} from '../entities/tool.ts';
import {type RevocationJson} from './login.ts';

/** `mcp list --json`, one row. */
export type ServerJson = JsonRow<typeof serverFields>;

/** `mcp tools --json`, one row. */
export type ToolJson = JsonRow<typeof toolFields>;

/** Result of an install link. */
export type InstallJson = {
	readonly outcome: 'installed' | 'cancelled' | 'withdrawn' | 'unattended';
	/** The name it was installed under. */
	readonly name?: string;
};

/** `mcp remove --json`: the variables that were taken out of `.env`, and what became of the tokens. */
export type RemovedServerJson = {
	readonly name: string;
	readonly variables: readonly string[];
	readonly revocation: RevocationJson;
};

/** `mcp enable --json`, and `mcp disable`. */
export type SwitchedServerJson = {readonly name: string; readonly enabled: boolean};

/** `mcp reconnect --json`. */
export type ReconnectedServerJson = {readonly name: string; readonly answer: 'reconnecting'};
