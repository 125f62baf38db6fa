import {type MessageAttempts, type OutgoingMessageState, type StoredMessage} from './message-records.ts';
import {
	type ApprovalOutcomeName,
	type ApprovalScope,
	type CallOutcome,
	type RuleMark,
} from '../../state/approval-event.ts';
import {type EventCaller} from '../../state/event-caller.ts';
import {type RateSeries} from '../../state/rate-series.ts';
import {type RunSpending, type RunStatus, type UncertainResolution} from '../../state/work-event.ts';
import {type WebhookOutcomeName} from '../../state/event.ts';
import {type EventFile} from './file-rows.ts';
import {type Asker, type Origin} from '../../state/origin.ts';
import {type Destination} from '../../util/destinations.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';

export {type UncertainResolution};

/** One webhook request without its content: a row of `events list`. Times are milliseconds since the epoch. */
export type EventRow = {
	readonly id: string;
	readonly time: number;
	readonly profile: string;
	readonly route: string;
	readonly event: string;
	readonly deliveryId: string;
	readonly status: number;
	readonly outcome: WebhookOutcomeName;
	readonly reason?: string;
	readonly ms: number;
	/** The gateway that answered it, where several share the journal; so it is with the other rows. */
	readonly node?: string;
};

/** Why a request was accepted or refused and what it led to, for later inspection. Texts are bounded, otherwise as received. */
export type EventTrace = {
	/** The scheme that authenticated the sender. */
	readonly signature?: string;
	/** The filter that rejected it. */
	readonly filter?: string;
	/** Output of the route's script, or the reason of its failure. */
	readonly script?: string;
	/** The text of a direct delivery, and its target. */
	readonly text?: string;
	readonly target?: string;
};

/** One webhook request with its content. A refused one has no body (docs/journal.md, Accepted means kept). */
export type EventRecord = EventRow & {
	/** Secrets are masked before they get here. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | undefined;
	/** Written with the event, and left out where it is read: `listEventFiles` has them. */
	readonly files?: readonly EventFile[];
	readonly trace?: EventTrace;
};

/** The end of a request that was accepted. */
export type EventEnd = Pick<EventRecord, 'status' | 'outcome' | 'reason' | 'ms'>;

/** One agent run as it was accepted. `createdAt` is milliseconds since the epoch. */
export type RunRecord = {
	readonly id: string;
	/** The event of the run; empty when it has none. */
	readonly eventId: string;
	/** The event that the conversation began with, which this run continues. */
	readonly firstEventId?: string;
	readonly profile: string;
	readonly route: string;
	readonly event: string;
	readonly deliveryId: string;
	/** The scheme that authenticated the sender of the event. */
	readonly signature?: string;
	/** The name of the cron job. */
	readonly job?: string;
	/** Rendered from the payload, so untrusted. */
	readonly prompt: string;
	/** Where its answer goes; empty: it is only shown. */
	readonly deliver: readonly Destination[];
	/** The sender of the event, if it gets the answer, too. Its address is a secret. */
	readonly caller?: EventCaller;
	/** Where a message goes when it fails. Absent: where its profile says. */
	readonly onFailure?: readonly Destination[];
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
	/** The ranges of the prompt written by outsiders: start and end in UTF-16 units, in order. */
	readonly foreign?: ReadonlyArray<readonly [start: number, end: number]>;
	/** The run whose conversation this one continues. */
	readonly conversation?: string;
	readonly createdAt: number;
};

/** The request to run a job. `slot` is the time it was due, or the current time for a manual start; milliseconds since the epoch. */
export type JobClaim = {readonly jobId: string; readonly slot: number; readonly runId: string};

/** A claim that was reported as not written; `event` is the one that asked the job. */
export type UndoneClaim = Pick<JobClaim, 'jobId' | 'runId'> & {
	readonly event?: {readonly eventId: string; readonly route: string; readonly deliveryId: string};
};

/** The outcome of a claim: claimed, the job is still running since an earlier slot, this slot or a later one was claimed before, or the delivery id of the event is free for the sender's retry. */
export type ClaimOutcome = 'claimed' | 'running' | 'late' | 'released';

/** The result of a run. */
export type RunResult = RunSpending & {
	readonly model?: string;
	/** The final answer, as the model or the person wrote it. */
	readonly answer?: string;
	/** When it left the queue, in milliseconds since the epoch. */
	readonly startedAt?: number;
};

/** The end of a run. `conversation` is the text with which a follow-up can continue. */
export type RunEnd = {
	readonly state: RunStatus;
	readonly reason?: string;
	readonly result: RunResult;
	readonly conversation?: string;
};

/** The next state of a run, and the current time in milliseconds since the epoch. */
export type RunChange = {readonly state: RunStatus; readonly reason?: string; readonly now: number};

/** A run with its state. */
export type RunRow = RunRecord & {
	readonly state: RunStatus;
	readonly reason?: string;
	readonly changedAt: number;
	readonly result?: RunResult;
	/** The gateway that began it. */
	readonly node?: string;
};

/** A coalescing window: the route, and the rendered key of the entity. */
export type WindowName = {readonly route: string; readonly key: string};

/** An open window; `firstAt` and `lastAt` are the times of its first and its latest event, in milliseconds since the epoch. */
export type WindowRow = WindowName & {readonly firstAt: number; readonly lastAt: number};

/** Requests of a route, or calls of a server; the profile of routes is empty. */
export type StoredRate = {
	readonly of: 'route' | 'server';
	readonly profile: string;
	readonly name: string;
	readonly series: RateSeries;
};

/** Where deliveries fail, and what is known of the last one (docs/delivery.md, Failed deliveries). Times are milliseconds since the epoch. */
export type FailedDelivery = {
	readonly id: string;
	/** Empty: the profile the gateway was started for. */
	readonly profile: string;
	/** The route, or the job, that led to the messages; both may be empty. */
	readonly route: string;
	readonly job: string;
	readonly target: string;
	/** Number of messages that failed since the last one that arrived. */
	readonly failures: number;
	readonly firstAt: number;
	readonly lastAt: number;
	/** Why the last one failed, without secrets. */
	readonly reason: string;
	/** The event of the last one; empty when it has none. */
	readonly eventId: string;
};

/** A change of the failed deliveries of one place. `by`: why they are no longer on the list. */
export type FailedDeliveryChange =
	| {readonly kind: 'failing'; readonly delivery: FailedDelivery}
	| {readonly kind: 'cleared'; readonly delivery: FailedDelivery; readonly by: 'delivery' | 'person'};

/** The outcome of sending a message, and the end of its run. */
export type OutgoingMessageEnd = {
	readonly id: string;
	readonly state: OutgoingMessageState;
	readonly detail?: string;
	readonly run?: AnsweredRun | undefined;
	readonly attempts?: MessageAttempts | undefined;
};

/**
The end of a run whose answer was sent. An inbox item stays open, for this reason, unless it is `finished`. An answer with several messages has the target
of this one and the ids of the others, which have a part in that end.
*/
export type AnsweredRun = RunEnd & {
	readonly id: string;
	readonly part?: {readonly target: string; readonly others: readonly string[]} | undefined;
};

/** A message with its state; `detail` is the platform's response, without secrets. Times are milliseconds since the epoch. */
export type OutgoingMessageRow = StoredMessage & {
	readonly state: OutgoingMessageState;
	readonly detail?: string;
	readonly changedAt: number;
	/** When it is sent again. */
	readonly nextAt?: number | undefined;
	/** The gateway that sends it. */
	readonly node?: string;
};

/** One webhook request, and what became of the run and the messages it led to. */
export type EventResultRow = EventRow & {
	/** The newest one, if there are several. */
	readonly run?: Pick<RunRow, 'id' | 'state'>;
	/** Newest first. */
	readonly deliveries: ReadonlyArray<Pick<OutgoingMessageRow, 'target' | 'state'>>;
};

/** The decision about a call, and the facts that rules can ask for besides its arguments and its origin (docs/rules.md, What is recorded). */
export type CallEvaluation = {
	/** Hash of the definition that the tool had. */
	readonly fingerprint: string;
	/** Reason for which it was sent or not: at once, by a remembered approval or a rule, or by a person. */
	readonly decision: 'free' | 'remembered' | 'allowed' | 'denied' | 'asked';
	/** The rule that allowed, denied or asked. */
	readonly rule?: RuleMark;
	/** The top-level arguments with a value that stood in untrusted text. */
	readonly untrusted?: readonly string[];
};

/** One tool call before it is sent. `time` is milliseconds since the epoch. */
export type CallRecord = {
	readonly id: string;
	readonly time: number;
	readonly profile: string;
	readonly server: string;
	readonly tool: string;
	/** The unmasked arguments, so that an uncertain call can be checked (docs/approvals.md, Uncertain calls). */
	readonly arguments: JsonObject;
	readonly origin: Origin;
	/** The tool is annotated as read-only: a lost outcome changed nothing. */
	readonly readOnly?: true;
	/** Facts that rules are tried on later; absent where nothing was decided about the call. */
	readonly judged?: CallEvaluation;
};

/** The result that the caller of a tool got, or the message of the error. Untrusted, and its secrets are not masked. */
export type CallResult = {readonly text: string; readonly structuredContent?: JsonObject};

/** The end of a call. Lists of calls leave `result` out. */
export type CallEnd = {
	readonly outcome: CallOutcome;
	readonly code?: ProblemCode;
	readonly ms: number;
	readonly result?: CallResult;
};

/** Uncertain calls of a profile, started before `begunBefore` (milliseconds since the epoch); later ones may still be running. */
export type UncertainQuery = {readonly profile: string; readonly begunBefore: number; readonly limit: number};

/** The calls that a rule decided about: how many, and when the last one was, in milliseconds since the epoch. */
export type RuleUse = {
	readonly rule: string;
	readonly uses: number;
	readonly lastUsedAt: number;
	/** The askers of these calls, most first; those of calls that an earlier version recorded are not known. */
	readonly askers: ReadonlyArray<{readonly asker: Asker; readonly uses: number}>;
};

/** A person's decision about an uncertain call; `by`: `console:N` or `cli`. */
export type CallResolution = {readonly resolution: UncertainResolution; readonly by: string};

/** A call with its end, if one was recorded, and what a person decided about it, if it was uncertain. */
export type CallRow = CallRecord & {
	readonly end?: CallEnd;
	readonly resolved?: CallResolution;
	/** The gateway that made it. */
	readonly node?: string;
};

/** One decision of the approval check. Times are milliseconds since the epoch. */
export type DecisionRecord = {
	/** That of the request a person was asked; where nobody was asked, that of the call. */
	readonly id: string;
	/** The call that was decided about; absent for a request to the model. */
	readonly callId?: string;
	readonly time: number;
	readonly profile: string;
	readonly server: string;
	readonly tool: string;
	readonly argumentsHash: string;
	readonly outcome: ApprovalOutcomeName;
	readonly scope?: ApprovalScope;
	readonly by?: string;
	readonly message?: string;
	/** When a person was asked. */
	readonly requestedAt?: number;
	readonly origin?: Origin;
	/** Content of a request to the model, secrets masked; the arguments of a call are in its own row. */
	readonly arguments?: JsonObject;
};

/** A decision, and the gateway that recorded it. */
export type DecisionRow = DecisionRecord & {readonly node?: string};
