import {type ServerConfig} from '../config/servers/server-entry.ts';
import {type ToolHints} from '../state/approval-event.ts';
import {type Origin} from '../state/origin.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type ConnectionState} from './session/connection-state.ts';

/** A tool as its server defines it. Names and texts are those of the server: not yet safe to show. */
export type ToolDefinition = {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolHints;
};

/** What a connected server offers. */
export type ServerCapabilities = {
	readonly tools: readonly ToolDefinition[];
	/** The session exposes resources. */
	readonly resources: boolean;
	/** The session exposes prompts. */
	readonly prompts: boolean;
};

/** Something asked of a server. */
export type ServerRequest =
	| {
			readonly kind: 'tool';
			readonly tool: string;
			readonly arguments: JsonObject;
			/** `readOnlyHint === true`: the call may be repeated after a lost session. */
			readonly readOnly: boolean;
	  }
	| {readonly kind: 'list-resources'}
	| {readonly kind: 'read-resource'; readonly uri: string}
	| {readonly kind: 'list-prompts'}
	| {readonly kind: 'get-prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>>};

/** An answer as content blocks; those of lists and prompts are one text block of JSON. */
export type CallContent = {
	readonly content: readonly JsonObject[];
	readonly structuredContent?: JsonObject;
	readonly isError: boolean;
};

/** How far a call has come, as its server reports. */
export type CallProgress = {readonly progress: number; readonly total?: number; readonly message?: string};

export type RequestOptions = {
	/** Where the request comes from, for what its server asks meanwhile. Absent: the server may ask nothing. */
	readonly origin?: Origin;
	readonly signal: AbortSignal;
	readonly onProgress?: (progress: CallProgress) => void;
	/**
	Called once the session is there, right before the request is sent or repeated. What it throws calls the request off:
	a server that had to be woken may offer something else than before.
	*/
	readonly beforeSend?: () => void;
};

/** One server, connected or on its way. */
export type Connection = {
	readonly config: ServerConfig;
	readonly state: () => ConnectionState;
	/**
	Asks the server: breaker, then queue, then connection (a lazy one connects here). The call timeout starts at once.
	Rejects with Problem: circuit_open, server_unavailable, call_timeout, cancelled, outcome_uncertain, call_failed, server_unauthorized.
	*/
	readonly request: (request: ServerRequest, options: RequestOptions) => Promise<CallContent>;
	/** Drops the session, closes the breaker and connects again. Ignored for disabled and stopped servers. */
	readonly reconnect: () => void;
	/** Shows its row again: its tools may have won or lost names. */
	readonly refresh: () => void;
	readonly stop: () => Promise<void>;
};
