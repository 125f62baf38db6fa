import {type JsonObject} from '../util/json-text.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {type Origin} from './origin.ts';

/** The states of a tool server (spec/decisions.md, D5). */
export type ServerStatus =
	| 'disabled'
	| 'lazy'
	| 'connecting'
	| 'connected'
	| 'needs-login'
	| 'waiting'
	| 'failed'
	| 'stopped';

/** One tool server as it stands now. `at` fields are milliseconds since the epoch. */
export type ServerState = {
	readonly type: 'server.state';
	readonly server: string;
	readonly state: ServerStatus;
	readonly reason?: string;
	/** What a person can do about it, in words: "r to reconnect". */
	readonly nextAction?: string;
	/** How many tools are registered. */
	readonly tools: number;
	readonly transport: 'stdio' | 'http' | 'sse';
	readonly trust: 'full' | 'untrusted';
	/** Negotiated protocol era, once connected. */
	readonly era?: 'legacy' | 'stateless';
	/** Round trip of the handshake. */
	readonly latencyMs?: number;
	/** When the next attempt starts, while waiting. */
	readonly retryAt?: number;
	/** Command line or address, secrets masked. */
	readonly address: string;
};

/** Hints of a tool about itself. They are claims of the server. */
export type ToolHints = {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
};

/** Everything an approval card shows. Texts are safe to show, secrets are masked. */
export type ApprovalCard = {
	readonly id: string;
	readonly kind: 'tool-call';
	readonly server: string;
	/** The tool's own name at its server. */
	readonly tool: string;
	/** The registered name: `mcp__server__tool`. */
	readonly registeredName: string;
	readonly trust: 'full' | 'untrusted';
	readonly transport: 'stdio' | 'http' | 'sse';
	readonly address: string;
	readonly hints: ToolHints;
	readonly description: string;
	/** Arguments to show: members with secret names masked. */
	readonly arguments: JsonObject;
	/** Hash of the real arguments; an answer must name it. */
	readonly argumentsHash: string;
	/** Set when the definition changed since a remembered approval. */
	readonly definitionChange?: string;
	readonly origin: Origin;
	readonly requestedAt: number;
	readonly expiresAt: number;
};

/** How long an approval holds: this call, until the gateway stops, or until it is revoked. */
export type ApprovalScope = 'once' | 'session' | 'always';

/** The ends of an approval, kept apart everywhere (spec/decisions.md, D7). */
export type ApprovalOutcomeName = 'approved' | 'denied' | 'timed_out' | 'no_channel' | 'cancelled';

/** How a tool call ended. */
export type CallOutcome = 'ok' | 'tool_error' | 'failed' | 'outcome_uncertain' | ApprovalOutcomeName;

/** How a webhook request ended (spec/decisions.md, D8). */
export type WebhookOutcomeName =
	| 'accepted'
	| 'coalesced'
	| 'duplicate'
	| 'ignored'
	| 'delivered'
	| 'rejected'
	| 'delivery_failed'
	| 'unavailable';

export type RunStatus = 'queued' | 'running' | 'inbox' | 'finished' | 'failed' | 'cancelled' | 'interrupted';

/** What happened, without the stamp. JSON-able: no functions, no class instances, no types of libraries, times as numbers. */
export type GatewayEventBody =
	| {
			readonly type: 'gateway.started';
			readonly version: string;
			readonly pid: number;
			/** Base address of the webhook listener; null while there is none. */
			readonly webhookUrl: string | null;
			/** What is configured, for the first screen. */
			readonly configured: {readonly servers: number; readonly routes: number};
			readonly demo: boolean;
	  }
	| {readonly type: 'gateway.stopped'; readonly reason: string}
	| {
			readonly type: 'config.state';
			/** What became of config.yaml when it was read last. An unusable file changes nothing. */
			readonly state: 'read' | 'absent' | 'unusable';
			/** Why it is unusable, place first. */
			readonly reason?: string;
	  }
	| ServerState
	| {readonly type: 'server.removed'; readonly server: string}
	| {
			readonly type: 'webhook.state';
			readonly state: 'off' | 'listening' | 'failed';
			readonly url?: string;
			readonly routes: number;
			readonly reason?: string;
	  }
	| ({readonly type: 'approval.requested'} & ApprovalCard)
	| {
			readonly type: 'approval.settled';
			readonly id: string;
			readonly server: string;
			readonly tool: string;
			readonly outcome: ApprovalOutcomeName;
			readonly scope?: ApprovalScope;
			/** Who answered: dashboard, command line, remembered rule. */
			readonly by?: string;
			readonly message?: string;
	  }
	| {
			readonly type: 'tool.finished';
			readonly callId: string;
			readonly server: string;
			readonly tool: string;
			readonly origin: Origin;
			readonly ms: number;
			readonly outcome: CallOutcome;
			readonly code?: ProblemCode;
			/** The beginning of the result or of the error, safe to show. */
			readonly summary?: string;
	  }
	| {
			readonly type: 'webhook.settled';
			readonly eventId: string;
			readonly route: string;
			readonly event: string;
			readonly deliveryId: string;
			readonly status: number;
			readonly outcome: WebhookOutcomeName;
			readonly reason?: string;
			readonly ms: number;
	  }
	| {
			readonly type: 'run.state';
			readonly runId: string;
			readonly state: RunStatus;
			readonly route?: string;
			readonly job?: string;
			readonly event?: string;
			readonly deliveryId?: string;
			readonly reason?: string;
			/** The rendered prompt, safe to show; only on the first event of a run. */
			readonly prompt?: string;
			readonly startedAt?: number;
	  }
	| {
			readonly type: 'delivery.settled';
			/** The delivery id of the event whose answer was delivered. */
			readonly delivery: string;
			readonly target: string;
			readonly outcome: 'delivered' | 'failed';
			readonly code?: ProblemCode;
	  }
	| {
			readonly type: 'log';
			readonly level: 'debug' | 'info' | 'warning' | 'error';
			/** The room that speaks: config, mcp, webhooks, … */
			readonly area: string;
			readonly text: string;
	  };

/** What happened, stamped: a number that only grows, milliseconds since the epoch, and the profile. */
export type GatewayEvent = GatewayEventBody & {
	readonly seq: number;
	readonly time: number;
	readonly profile: string;
};

/** Tells the hall. Rooms receive it as an argument. */
export type Publish = (event: GatewayEventBody) => void;
