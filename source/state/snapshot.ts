import {type ApprovalCard, type GatewayEvent, type RunStatus, type ServerState} from './event.ts';

/** One row of the servers view. */
export type ServerRow = Omit<ServerState, 'type'> & {readonly profile: string; readonly changedAt: number};

/** One pending approval. */
export type ApprovalRow = ApprovalCard & {readonly profile: string};

/** One settled approval, kept for the approvals view. */
export type DecisionRow = Extract<GatewayEvent, {type: 'approval.settled'}>;

/** One row of the events view: everything that came in, was called or was delivered. */
export type EventRow = Extract<
	GatewayEvent,
	{type: 'webhook.settled' | 'tool.finished' | 'delivery.settled' | 'approval.settled'}
>;

/** One row of the log view. */
export type LogRow = Extract<GatewayEvent, {type: 'log'}>;

/** One run, or an inbox item when its state is `inbox`. */
export type RunRow = {
	readonly runId: string;
	readonly profile: string;
	readonly state: RunStatus;
	readonly route: string;
	readonly event: string;
	readonly deliveryId: string;
	readonly reason: string;
	readonly prompt: string;
	readonly startedAt: number;
	readonly changedAt: number;
};

/** The gateway itself. */
export type GatewayRow =
	| {readonly phase: 'starting'}
	| {
			readonly phase: 'running';
			readonly version: string;
			readonly profile: string;
			readonly configured: {readonly servers: number; readonly routes: number};
			readonly demo: boolean;
	  }
	| {readonly phase: 'stopped'; readonly reason: string};

/** What became of config.yaml when it was read last. */
export type ConfigRow = {readonly state: 'read' | 'absent'} | {readonly state: 'unusable'; readonly reason: string};

/** The webhook listener. */
export type WebhookRow =
	| {readonly state: 'off'}
	| {readonly state: 'listening'; readonly url: string; readonly routes: number}
	| {readonly state: 'failed'; readonly reason: string};

/** Totals since start; they go on growing when rows fall out of the rings. */
export type Counters = {
	readonly webhooks: number;
	readonly webhooksRejected: number;
	readonly calls: number;
	readonly warnings: number;
};

/**
What is true to look at now. A view for windows: core code never reads it to decide.
Lists are bounded; the newest entry of `events`, `log`, `decisions` and `runs` is the last.
*/
export type Snapshot = {
	readonly gateway: GatewayRow;
	readonly config: ConfigRow;
	readonly webhook: WebhookRow;
	readonly servers: readonly ServerRow[];
	readonly approvals: readonly ApprovalRow[];
	readonly decisions: readonly DecisionRow[];
	readonly events: readonly EventRow[];
	readonly log: readonly LogRow[];
	readonly runs: readonly RunRow[];
	readonly counters: Counters;
};

/** Nothing has happened yet. */
export const emptySnapshot: Snapshot = {
	gateway: {phase: 'starting'},
	config: {state: 'absent'},
	webhook: {state: 'off'},
	servers: [],
	approvals: [],
	decisions: [],
	events: [],
	log: [],
	runs: [],
	counters: {webhooks: 0, webhooksRejected: 0, calls: 0, warnings: 0},
};
