import {type JsonObject} from '../util/json-text.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {type CallOutcome, type RuleMark} from './approval-event.ts';
import {type NextAction} from './next-action.ts';
import {type Origin} from './origin.ts';

/** Work that takes a while: calls, runs, jobs. */
export type WorkEvent = CallEvent | CronEvent | RunEvent;

/** A call whose connection was lost: it may have taken effect. Arguments are frozen and masked as on a card. */
export type UncertainCall = {
	readonly callId: string;
	readonly server: string;
	readonly tool: string;
	readonly registeredName: string;
	readonly arguments: JsonObject;
	readonly origin: Origin;
	/** When the call ended, milliseconds since the epoch. */
	readonly at: number;
	readonly reason: string;
};

/** A person's decision about an uncertain call (docs/approvals.md, Uncertain calls). */
export type UncertainResolution = 'done' | 'not_done' | 'repeated';

/** The life of a tool call behind the approval check. */
type CallEvent =
	| {
			readonly type: 'tool.started';
			readonly callId: string;
			readonly server: string;
			readonly tool: string;
			readonly registeredName: string;
			readonly origin: Origin;
			/** The request by which a person was asked about it. */
			readonly approvalId?: string;
			/** Another gateway of a shared journal that makes it. */
			readonly node?: string;
	  }
	| {
			readonly type: 'tool.progress';
			readonly callId: string;
			readonly progress: number;
			readonly total?: number;
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
			/** The request by which a person was asked about it. */
			readonly approvalId?: string;
			/** The rule that allowed or denied it, or had a person asked. */
			readonly rule?: RuleMark;
			/** The beginning of the result or of the error, safe to show. */
			readonly summary?: string;
			/** Another gateway of a shared journal that made it. */
			readonly node?: string;
	  }
	| ({readonly type: 'call.uncertain'} & UncertainCall)
	| {
			readonly type: 'call.resolved';
			readonly callId: string;
			readonly resolution: UncertainResolution;
			readonly by?: string;
	  };

/** The end of a webhook request (docs/webhooks.md, Answers). */
export const webhookOutcomes = [
	'accepted',
	'coalesced',
	'duplicate',
	'ignored',
	'delivered',
	'rejected',
	'delivery_failed',
	'outcome_uncertain',
	'unavailable',
] as const;

/** One of the ends of a webhook request. */
export type WebhookOutcomeName = (typeof webhookOutcomes)[number];

/** The statuses by which events are selected. `failed`: the delivery or the run failed, nothing of it is in doubt, and no replay followed. */
export const eventStatuses = [...webhookOutcomes, 'failed'] as const;

/** One of these statuses. */
export type EventStatus = (typeof eventStatuses)[number];

export type RunStatus =
	| 'queued'
	| 'running'
	| 'inbox'
	| 'finished'
	| 'failed'
	| 'cancelled'
	| 'interrupted'
	| 'unreadable';

/** True for a run that is not over: it waits, runs, or is in the inbox. */
export function isOpenRun({state}: {readonly state: RunStatus}): boolean {
	return state === 'queued' || state === 'running' || state === 'inbox';
}

/** The size of a model's request and reply, in tokens. */
export type TokenUsage = {readonly inputTokens: number; readonly outputTokens: number};

/** One request of a run to its model, and the answer. */
export type ModelTurn = {
	/** From 1. */
	readonly number: number;
	/** When it was made, in milliseconds since the epoch. */
	readonly at: number;
	readonly model: string;
	/** Absent while the model has not answered. Without `usage` the provider does not report it, without `microUsd` the model has no price. */
	readonly end?: {readonly ms: number; readonly usage?: TokenUsage; readonly microUsd?: number};
};

/** The requests to the model of a run so far, and their cost. `microUsd`: millionths of a dollar; absent where the model has no price. */
export type RunSpending = {readonly turns?: number; readonly usage?: TokenUsage; readonly microUsd?: number};

/** The spending of a run after one more turn of its model. */
export function spentAfter({turns = 0, usage, microUsd}: RunSpending, {end}: Pick<ModelTurn, 'end'>): RunSpending {
	const usd = end?.microUsd === undefined ? microUsd : (microUsd ?? 0) + end.microUsd;
	const tokens = end?.usage && {
		inputTokens: (usage?.inputTokens ?? 0) + end.usage.inputTokens,
		outputTokens: (usage?.outputTokens ?? 0) + end.usage.outputTokens,
	};
	return {
		turns: turns + 1,
		...((tokens ?? usage) && {usage: tokens ?? usage}),
		...(usd !== undefined && {microUsd: usd}),
	};
}

/** A note of a person to a run at work. Times are milliseconds since the epoch. */
export type RunNote = {
	readonly id: string;
	readonly at: number;
	/** `console:N` or `cli`. */
	readonly by: string;
	/** Safe to show: the model gets it as it is shown. */
	readonly text: string;
	/** The turn of the model that got it; absent while none did. */
	readonly read?: {readonly at: number; readonly turn: number};
};

/** A note steers a run. A longer text is data, which may be somebody else's. */
export const maxNoteCharacters = 20_000;

/** `unread`: the run ended before a turn of its model got it. */
export type RunNoteState = 'waiting' | 'read' | 'unread';

/** One tool call of a run as its detail view shows it. Texts are safe to show. */
export type RunStep = {
	/** The model's own number of the call; unique within the run. */
	readonly id: string;
	readonly tool: string;
	/** The arguments in one line, masked. */
	readonly arguments: string;
	readonly state: 'waiting' | 'running' | 'done';
	readonly outcome?: CallOutcome;
	readonly summary?: string;
};

/** The life of a run. */
type RunEvent =
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
			/** When it came into this state, where that was before the event: it was read from the journal. */
			readonly since?: number;
			readonly model?: string;
			readonly turns?: number;
			readonly usage?: TokenUsage;
			readonly microUsd?: number;
			/** The thing that a running run waits for. */
			readonly waitingFor?: 'approval' | 'answer' | 'release' | 'slot';
			/** The run this one goes on with. */
			readonly conversation?: string;
			/** Names of the tools it may call, for an inbox item. */
			readonly allowedTools?: readonly string[];
			/** Target of its answer. */
			readonly deliver?: string;
			/** The final answer, safe to show. */
			readonly answer?: string;
			/** Another gateway of a shared journal that has it. */
			readonly node?: string;
	  }
	/** More of what the model says; a bounded piece, a few times a second at most. */
	| {readonly type: 'run.text'; readonly runId: string; readonly text: string}
	| {readonly type: 'run.step'; readonly runId: string; readonly step: RunStep}
	| {
			readonly type: 'run.note';
			readonly runId: string;
			readonly noteId: string;
			readonly by: string;
			/** Its beginning. */
			readonly text: string;
			readonly state: RunNoteState;
	  };

/** The state of one cron job (docs/jobs.md, Scheduled jobs). Times are milliseconds since the epoch. */
export type CronJobState = {
	readonly type: 'cron.job';
	readonly id: string;
	readonly name: string;
	/** Repetition: a cron expression, an interval, or once. */
	readonly kind: 'cron' | 'interval' | 'once';
	/** The schedule in words: `0 9 * * 1 Europe/Berlin`, `every 5m`, `at 2026-12-01 09:00`. */
	readonly schedule: string;
	readonly state: 'scheduled' | 'running' | 'paused' | 'disabled' | 'finished';
	readonly nextRunAt?: number;
	readonly lastRunAt?: number;
	readonly lastStatus?: string;
	readonly nextActions?: readonly NextAction[];
	readonly deliver: string;
};

/** The life of cron jobs. `job` is the name. */
type CronEvent =
	| CronJobState
	| {readonly type: 'cron.removed'; readonly id: string}
	| {readonly type: 'cron.fired'; readonly job: string; readonly by: string; readonly runId?: string}
	| {readonly type: 'cron.dropped'; readonly job: string; readonly by: string; readonly reason: string};
