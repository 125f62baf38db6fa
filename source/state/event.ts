import {type ProblemCode} from '../util/problem-codes.ts';
import {type NextAction} from './next-action.ts';
import {type PersonEvent} from './person-event.ts';
import {type RateSeries} from './rate-series.ts';
import {type StatusEvent} from './status-event.ts';
import {type ViewEvent} from './view-event.ts';
import {type WebhookOutcomeName, type WorkEvent} from './work-event.ts';

export {type WebhookOutcomeName};

/** The states of a tool server (docs/connections.md, States). */
export type ServerStatus =
	| 'disabled'
	| 'lazy'
	| 'connecting'
	| 'connected'
	| 'needs-login'
	| 'waiting'
	| 'failed'
	| 'stopped';

/** The state of one tool server. `at` fields are milliseconds since the epoch. */
export type ServerState = {
	readonly type: 'server.state';
	readonly server: string;
	readonly state: ServerStatus;
	readonly reason?: string;
	/** Remedies for a person; outside of the dashboard they are the text `next_action`. */
	readonly nextActions?: readonly NextAction[];
	/** Remote servers only: with `auth: oauth`, or without; then the server may have refused a request that had no credentials. */
	readonly login?: 'configured' | 'possible' | 'asked-for';
	/** Number of registered tools. */
	readonly tools: number;
	/** The tokens that their definitions cost a model, counted when a list was asked for. */
	readonly tokens?: number;
	readonly transport: 'stdio' | 'http' | 'sse';
	readonly trust: 'full' | 'untrusted';
	/** Negotiated protocol era, once connected. */
	readonly era?: 'legacy' | 'stateless';
	/** The negotiated revision of MCP, a date. */
	readonly protocolVersion?: string;
	/** Round trip of the handshake. */
	readonly latencyMs?: number;
	/** When the next attempt starts, while waiting. */
	readonly retryAt?: number;
	/** While a stdio server does not run as it should: the last lines that it wrote, secrets masked, and the file with all of it. */
	readonly stderr?: readonly string[];
	readonly log?: string;
	/** Names of the variables in its `env_file`, as the last start read them. */
	readonly fileVariables?: readonly string[];
	/** Command line or address, secrets masked. */
	readonly address: string;
};

/**
The configuration in force while config.yaml or its rules are unusable: nothing, if unusable at the start; all but its rules, which allow no tool
call, if they were; all but its rules, which stay as before.
*/
export type ConfigInForce = 'nothing' | 'no-tool-calls' | 'former-rules';

/** Event without its stamp. JSON-able: no functions, no class instances, no types of libraries, times as numbers. */
export type GatewayEventBody =
	| {
			readonly type: 'gateway.started';
			readonly version: string;
			readonly pid: number;
			/** Base address of the webhook listener; null while there is none. */
			readonly webhookUrl: string | null;
			/** The configured servers and routes, for the first screen. */
			readonly configured: {readonly servers: number; readonly routes: number};
			readonly demo: boolean;
	  }
	/** A stop has begun; nothing is refused `until` then, in milliseconds since the epoch. */
	| {readonly type: 'gateway.draining'; readonly reason: string; readonly until: number}
	| {readonly type: 'gateway.stopped'; readonly reason: string}
	| {
			readonly type: 'config.state';
			/** The result of reading config.yaml last. An unusable file changes nothing. */
			readonly state: 'read' | 'absent' | 'unusable';
			/** The reason that it is unusable, its place in the file first. */
			readonly reason?: string;
			/** Absent: all as it was before. */
			readonly inForce?: ConfigInForce;
	  }
	| ServerState
	| PersonEvent
	| StatusEvent
	| ViewEvent
	| WorkEvent
	| {readonly type: 'server.removed'; readonly server: string}
	| {
			readonly type: 'webhook.state';
			readonly state: 'off' | 'listening' | 'failed';
			readonly url?: string;
			readonly routes: number;
			readonly reason?: string;
			readonly nextActions?: readonly NextAction[];
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
			/** Another gateway of a shared journal that answered it. */
			readonly node?: string;
	  }
	| {
			/** A message is being sent to a platform; `delivery.settled` says how that ended. */
			readonly type: 'delivery.started';
			readonly delivery: string;
			readonly messageId?: string;
			readonly runId?: string;
			readonly route?: string;
			readonly job?: string;
			readonly target: string;
	  }
	| {
			readonly type: 'delivery.settled';
			/** The delivery id of the event whose answer was delivered. */
			readonly delivery: string;
			/** The run that wrote the message. */
			readonly runId?: string;
			/** The message in the journal. */
			readonly messageId?: string;
			/** The route, or the job, that led to the message; absent when there is none. */
			readonly route?: string;
			readonly job?: string;
			readonly target: string;
			readonly outcome: 'delivered' | 'failed' | 'outcome_uncertain' | 'retrying';
			readonly code?: ProblemCode;
			/** When a message is sent again, in milliseconds since the epoch. */
			readonly nextAt?: number;
	  }
	| {
			/** Events of a route, or calls of a server, in the hour before this start (docs/dashboard.md, Overview). */
			readonly type: 'rates.restored';
			readonly of: 'route' | 'server';
			readonly name: string;
			readonly series: RateSeries;
	  }
	| {
			readonly type: 'log';
			readonly level: 'debug' | 'info' | 'warning' | 'error';
			/** The part of the gateway it comes from: config, mcp, webhooks, … */
			readonly area: string;
			readonly text: string;
	  };

/** Event with its stamp: a number that only grows, milliseconds since the epoch, and the profile. */
export type GatewayEvent = GatewayEventBody & {
	readonly seq: number;
	readonly time: number;
	readonly profile: string;
};

const eventTypes = {
	'gateway.started': true,
	'gateway.draining': true,
	'gateway.stopped': true,
	'config.state': true,
	'fault.state': true,
	'hold.state': true,
	'limits.state': true,
	'server.state': true,
	'server.removed': true,
	'webhook.state': true,
	'approval.requested': true,
	'approval.deadline': true,
	'approval.settled': true,
	'login.state': true,
	'proposal.asked': true,
	'proposal.settled': true,
	'question.asked': true,
	'question.deadline': true,
	'question.finished': true,
	'question.settled': true,
	'remote.sent': true,
	'call.uncertain': true,
	'call.resolved': true,
	'view.console': true,
	'view.tools': true,
	'view.server-calls': true,
	'view.rules': true,
	'view.askers': true,
	'view.rehearsal': true,
	'view.rule-proposal': true,
	'view.page': true,
	'view.trace': true,
	'view.older-events': true,
	'view.call': true,
	'tool.started': true,
	'tool.progress': true,
	'tool.finished': true,
	'webhook.settled': true,
	'run.state': true,
	'run.text': true,
	'run.step': true,
	'run.note': true,
	'cron.job': true,
	'cron.removed': true,
	'cron.fired': true,
	'cron.dropped': true,
	'route.state': true,
	'route.removed': true,
	'platform.state': true,
	'delivery.failing': true,
	'delivery.cleared': true,
	'model.state': true,
	'endpoint.state': true,
	'delivery.started': true,
	'delivery.settled': true,
	'rates.restored': true,
	log: true,
} satisfies Readonly<Record<GatewayEvent['type'], true>>;

/** True if there are events of that type. */
export function isEventType(type: string): type is GatewayEvent['type'] {
	return Object.hasOwn(eventTypes, type);
}

/** Publishes an event. Modules receive it as an argument. */
export type Publish = (event: GatewayEventBody) => void;
