import {type ApprovalRequest} from './approval-event.ts';
import {type ConfigInForce, type GatewayEvent, type ServerState} from './event.ts';
import {type LimitState} from './limit-state.ts';
import {type NextAction} from './next-action.ts';
import {type Rates} from './rate-series.ts';
import {type FaultyPart, type HeldState} from './status-event.ts';
import {type ConsoleState} from './console-state.ts';
import {type RunStatus, type RunStep, type TokenUsage} from './work-event.ts';

/** The part of an event that is kept as a row. */
type RowOf<Type extends GatewayEvent['type']> = Omit<Extract<GatewayEvent, {type: Type}>, 'type' | 'seq' | 'time'>;

/** One tool server. */
export type ServerRow = Omit<ServerState, 'type'> & {
	readonly profile: string;
	readonly changedAt: number;
};

/** One pending approval. */
export type ApprovalRow = ApprovalRequest & {readonly profile: string};

/** One login, under way or over; the newest of its server. */
export type LoginRow = RowOf<'login.state'> & {readonly changedAt: number};

/** One question that waits for an answer. */
export type QuestionRow = RowOf<'question.asked'>;

/** The messages in chats about a request. */
export type SentRow = Pick<RowOf<'remote.sent'>, 'id' | 'messages'>;

/** One server that waits for a person's consent before it is installed. */
export type ProposalRow = RowOf<'proposal.asked'>;

/** One tool call that is under way. */
export type CallRow = RowOf<'tool.started'> & {
	readonly startedAt: number;
	readonly progress?: number;
	readonly total?: number;
	readonly message?: string;
};

/** One call nobody knows the outcome of. */
export type UncertainRow = RowOf<'call.uncertain'>;

/** One cron job. */
export type JobRow = RowOf<'cron.job'>;

/** One webhook route. */
export type RouteRow = RowOf<'route.state'>;

/** One delivery platform. */
export type PlatformRow = RowOf<'platform.state'>;

/** A route or job and the platform to which its deliveries fail. */
export type FailedDeliveryRow = RowOf<'delivery.failing'>;

/** The model of one profile. */
export type ModelRow = RowOf<'model.state'>;

/** A part of the gateway that is in trouble. */
export type FaultRow = {readonly part: FaultyPart; readonly reason: string};

/** That everything is held, and how much waits for the release, besides runs. */
export type HoldRow = HeldState & {readonly waiting: number};

/** The aggregate endpoint. */
export type EndpointRow = RowOf<'endpoint.state'>;

/** The tools as they were when the dashboard asked. */
export type ToolList = RowOf<'view.tools'>;

/** The latest calls of a server as they were when the dashboard asked. */
export type ServerCalls = RowOf<'view.server-calls'>;

/** The rules and remembered approvals as they were when the dashboard asked. */
export type RuleList = RowOf<'view.rules'>;

/** The counted requests as they were when the dashboard asked. */
export type AskerList = RowOf<'view.askers'>;

/** The rehearsal the dashboard asked for last. */
export type RehearsalRow = RowOf<'view.rehearsal'>;

/** The rule that was proposed last. */
export type RuleProposalRow = RowOf<'view.rule-proposal'>;

/** The page the dashboard asked for last. */
export type PageRow = RowOf<'view.page'> & {readonly shownAt: number};

/** The trace the dashboard asked for last. */
export type TraceRow = RowOf<'view.trace'>;

/** The call by hand that ended last. */
export type ManualCallRow = RowOf<'view.call'>;

/** One settled approval, kept for the view of what needs a person. */
export type DecisionRow = Extract<GatewayEvent, {type: 'approval.settled'}>;

/** The end of a question or an uncertain call, for people who answer it later (docs/approvals.md, Uncertain calls). */
export type AnsweredRow =
	| (Extract<GatewayEvent, {type: 'question.settled'}> & {
			/** The server says that the page which was opened is finished with. */
			readonly page?: 'finished';
	  })
	| (Extract<GatewayEvent, {type: 'call.resolved'}> & Partial<Pick<UncertainRow, 'server' | 'tool'>>);

/** One row of the events view: everything that came in, was called or was delivered. */
export type EventRow = Extract<
	GatewayEvent,
	{type: 'webhook.settled' | 'tool.finished' | 'delivery.settled' | 'approval.settled'}
>;

/** The events from the journal that come before those of the gateway, oldest first, with nothing missing between the two. */
export type OlderEvents = {
	readonly rows: readonly EventRow[];
	/** Where the next page begins; null: the journal has no more, or more than are listed. */
	readonly next: number | null;
	readonly reach: 'journal' | 'bound';
};

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
	/** Empty while no model was asked. */
	readonly model: string;
	/** Requests to the model that were answered. */
	readonly turns: number;
	readonly usage: TokenUsage;
	/** Millionths of a dollar; undefined where the model has no price. */
	readonly microUsd: number | undefined;
	/** The newest notes of a person to it. */
	readonly notes: readonly RunNoteRow[];
	readonly waitingFor: 'nothing' | 'approval' | 'answer' | 'release' | 'slot';
	/** The run it goes on with; empty for a first one. */
	readonly conversation: string;
	readonly allowedTools: readonly string[];
	readonly deliver: string;
	readonly answer: string;
	/** The end of what the model said so far. */
	readonly text: string;
	readonly steps: readonly RunStep[];
	/** Target and start of the delivery of its answer; undefined if none is under way. */
	readonly delivering: {readonly target: string; readonly since: number} | undefined;
	readonly startedAt: number;
	/** When it came into its state. */
	readonly since: number;
	/** When something was last heard of it. */
	readonly changedAt: number;
	/** Another gateway of a shared journal that has it; empty: this one. */
	readonly node: string;
};

/** A note to a run. `at` is milliseconds since the epoch. */
export type RunNoteRow = Pick<RowOf<'run.note'>, 'noteId' | 'by' | 'text' | 'state'> & {
	readonly at: number;
};

/** The gateway itself. */
export type GatewayRow =
	| {readonly phase: 'starting'}
	| {
			readonly phase: 'running';
			readonly version: string;
			readonly pid: number;
			/** Milliseconds since the epoch. */
			readonly startedAt: number;
			readonly profile: string;
			readonly configured: {readonly servers: number; readonly routes: number};
			readonly demo: boolean;
			/** A stop has begun, and nothing is refused until then. */
			readonly drainingUntil?: number;
	  }
	| {readonly phase: 'stopped'; readonly reason: string};

/** The result of reading config.yaml last. */
export type ConfigRow =
	| {readonly state: 'read' | 'absent'}
	| {readonly state: 'unusable'; readonly reason: string; readonly inForce?: ConfigInForce};

/** The webhook listener. */
export type WebhookRow =
	| {readonly state: 'off'}
	| {readonly state: 'listening'; readonly url: string; readonly routes: number}
	| {readonly state: 'failed'; readonly reason: string; readonly nextActions?: readonly NextAction[]};

/** Totals since start; they go on growing when rows fall out of the rings. */
export type Counters = {
	readonly webhooks: number;
	readonly webhooksRejected: number;
};

/**
State of a dashboard. Core code never reads it to decide. Lists are bounded; the newest entry of `events`, `log`, `decisions` and `runs` is the last.
*/
export type Snapshot = {
	/** Of the console that draws this; `opening` in the gateway itself. */
	readonly console: ConsoleState;
	readonly gateway: GatewayRow;
	readonly config: ConfigRow;
	readonly webhook: WebhookRow;
	readonly servers: readonly ServerRow[];
	readonly approvals: readonly ApprovalRow[];
	readonly decisions: readonly DecisionRow[];
	readonly events: readonly EventRow[];
	readonly log: readonly LogRow[];
	readonly runs: readonly RunRow[];
	readonly calls: readonly CallRow[];
	readonly uncertain: readonly UncertainRow[];
	readonly questions: readonly QuestionRow[];
	/** The messages in chats about what waits, by the id of what they are about. */
	readonly sent: readonly SentRow[];
	/** The ends of the latest questions and uncertain calls; the newest is the last. */
	readonly answered: readonly AnsweredRow[];
	readonly logins: readonly LoginRow[];
	readonly proposals: readonly ProposalRow[];
	readonly jobs: readonly JobRow[];
	readonly routes: readonly RouteRow[];
	readonly platforms: readonly PlatformRow[];
	/** Oldest failure first. */
	readonly failedDeliveries: readonly FailedDeliveryRow[];
	readonly models: readonly ModelRow[];
	readonly endpoint: EndpointRow | undefined;
	/** Faulty parts, each with the remedies for a person. */
	readonly faults: readonly FaultRow[];
	readonly hold: HoldRow | undefined;
	/** The limits of the day. */
	readonly limits: readonly LimitState[];
	readonly toolList: ToolList | undefined;
	readonly serverCalls: ServerCalls | undefined;
	readonly ruleList: RuleList | undefined;
	readonly askerList: AskerList | undefined;
	readonly rehearsal: RehearsalRow | undefined;
	readonly ruleProposal: RuleProposalRow | undefined;
	readonly page: PageRow | undefined;
	readonly trace: TraceRow | undefined;
	readonly olderEvents: OlderEvents | undefined;
	readonly manualCall: ManualCallRow | undefined;
	readonly counters: Counters;
	readonly rates: Rates;
};

/** Nothing has happened yet. */
export const emptySnapshot: Snapshot = {
	console: {state: 'opening'},
	gateway: {phase: 'starting'},
	config: {state: 'absent'},
	webhook: {state: 'off'},
	servers: [],
	approvals: [],
	decisions: [],
	events: [],
	log: [],
	runs: [],
	calls: [],
	uncertain: [],
	questions: [],
	sent: [],
	answered: [],
	logins: [],
	proposals: [],
	jobs: [],
	routes: [],
	platforms: [],
	failedDeliveries: [],
	models: [],
	endpoint: undefined,
	faults: [],
	hold: undefined,
	limits: [],
	toolList: undefined,
	serverCalls: undefined,
	ruleList: undefined,
	askerList: undefined,
	rehearsal: undefined,
	ruleProposal: undefined,
	page: undefined,
	trace: undefined,
	olderEvents: undefined,
	manualCall: undefined,
	counters: {webhooks: 0, webhooksRejected: 0},
	rates: {routes: {}, servers: {}},
};
