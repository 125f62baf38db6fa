import {
	type AnswerEnd,
	type AnswerRecord,
	type AnswerRow,
	type AnswerState,
	type CallResolution,
	type CallRow,
	type ClaimOutcome,
	type DecisionRow,
	type EventEnd,
	type EventRecord,
	type EventResultRow,
	type EventRow,
	type FailedDelivery,
	type FailedDeliveryChange,
	type JobClaim,
	type RuleUse,
	type RunEnd,
	type RunRecord,
	type RunRow,
	type StoredRate,
	type UncertainQuery,
	type WindowName,
	type WindowRow,
	type UndoneClaim,
} from './records.ts';
import {
	type AcceptOutcome,
	type AcceptRows,
	type DeliveredEvent,
	type SettleOutcome,
	type UndoneEvent,
} from './rows/accept-rows.ts';
import {
	type CallColumns,
	type CallEndColumns,
	type DecisionColumns,
	type EventColumns,
	type QueuedColumns,
} from './rows/columns.ts';
import {type AnswerQuery} from './rows/answer-rows.ts';
import {type CallPage, type CallPageQuery, type CallQuery} from './rows/call-rows.ts';
import {type DocumentChange, type DocumentRow, type KnownDocument, type ReplaceOutcome} from './rows/document-rows.ts';
import {type EventQuery} from './rows/event-rows.ts';
import {type IdQuery, type IdSlice} from './rows/id-slices.ts';
import {type NodeFacts, type NodeList, type NodeIncarnation} from './rows/node-rows.ts';
import {type RateQuery} from './rows/rates.ts';
import {type UnreadableRow} from './rows/read-rows.ts';
import {
	type AnswerOutcome,
	type CallClaim,
	type CallClaimOutcome,
	type RequestAnswer,
	type RequestEnd,
	type RequestQuery,
	type RequestRow,
	type WrittenRequest,
} from './rows/request-rows.ts';
import {type QueuePart, type QueueQuery, type RunQuery} from './rows/run-rows.ts';
import {type WholeRequest} from '../state/approval-event.ts';
import {type TraceQuery, type TraceRows} from './rows/trace.ts';

/** The retention limits of the journal (docs/configuration.md, How values are read). */
export type JournalLimits = {readonly maxAgeDays: number; readonly maxBytes: number};

/** The body of an event goes beside its row. */
type Body = Uint8Array | undefined;
type Limit = {readonly limit: number};

/** The operations that change something; the first parameter is the current time, in milliseconds since the epoch. */
export type WriteOperations = {
	readonly acceptEvent: (now: number, rows: AcceptRows, body: Body) => AcceptOutcome;
	readonly undoAccept: (now: number, undone: UndoneEvent) => readonly FailedDeliveryChange[];
	readonly recordEvent: (now: number, columns: EventColumns, body: Body) => void;
	readonly settleEvent: (now: number, id: string, end: EventEnd) => void;
	readonly confirmEvent: (now: number, id: string, end: EventEnd) => SettleOutcome;
	readonly releaseOpenDeliveries: (now: number, before: number) => void;
	readonly endDelivery: (now: number, event: DeliveredEvent, message: AnswerEnd) => readonly FailedDeliveryChange[];
	readonly takeWindow: (now: number, window: WindowName) => RunRecord | undefined;
	readonly takeDueWindow: (now: number, window: WindowName) => number | undefined;
	readonly queueRun: (now: number, columns: QueuedColumns) => void;
	readonly moveQueuedRuns: (
		now: number,
		ids: readonly string[],
		change: Pick<RunRow, 'state' | 'reason'>,
	) => ReadonlySet<string>;
	readonly requeueRun: (now: number, id: string, reason: string) => boolean;
	readonly setRunState: (now: number, id: string, state: RunRow['state'], reason?: string) => void;
	readonly finishRun: (now: number, id: string, end: RunEnd) => boolean;
	readonly claimInboxItem: (now: number, id: string) => boolean;
	readonly releaseInboxItem: (now: number, id: string) => void;
	readonly interruptBegunRuns: (now: number) => readonly RunRecord[];
	/** False when another gateway has taken over the inbox item that it answers. */
	readonly persistAnswer: (now: number, answer: AnswerRecord, state: AnswerState, detail?: string) => boolean;
	readonly finishAnswer: (now: number, end: AnswerEnd) => readonly FailedDeliveryChange[];
	readonly undoAnswer: (now: number, id: string, reason: string) => readonly FailedDeliveryChange[];
	readonly beginAnswer: (now: number, id: string, from: AnswerState) => boolean;
	readonly takePendingAnswers: (now: number, limit: number) => readonly AnswerRecord[];
	readonly doubtBegunAnswers: (now: number, detail: string) => DoubtedAnswers;
	readonly dismissFailedDeliveries: (now: number, ids: readonly string[]) => readonly FailedDeliveryChange[];
	readonly claimJob: (now: number, claim: JobClaim, run: QueuedColumns) => ClaimOutcome;
	readonly undoClaim: (now: number, undone: UndoneClaim, reason: string) => void;
	readonly releaseJob: (now: number, claim: Pick<JobClaim, 'jobId' | 'runId'>) => void;
	/** False when another gateway has declared this one dead. */
	readonly startCall: (now: number, call: CallColumns) => boolean;
	readonly recordCall: (now: number, call: CallColumns, end: CallEndColumns) => void;
	readonly finishCall: (now: number, id: string, end: CallEndColumns) => void;
	readonly resolveCall: (now: number, id: string, resolved: CallResolution) => boolean;
	readonly recordDecision: (now: number, columns: DecisionColumns) => void;
	readonly enterNode: (now: number, incarnation: NodeIncarnation) => 'entered' | 'dead';
	readonly renewNode: (now: number, facts: NodeFacts) => 'alive' | 'dead';
	readonly judgeNodes: (now: number) => readonly string[];
	readonly leaveNode: (now: number) => void;
	/** Removes one slice of old rows; true when another may be needed. */
	readonly removeSlice: (now: number, limits: JournalLimits) => boolean;
};

/** Answers that were being sent when a process ended, and where deliveries fail since. */
export type DoubtedAnswers = {
	readonly doubted: readonly AnswerRecord[];
	readonly changes: readonly FailedDeliveryChange[];
};

/** The operations that only read; the first parameter is the current time. */
export type ReadOperations = {
	readonly listWindows: (now: number) => readonly WindowRow[];
	readonly listRuns: (now: number, query: RunQuery) => readonly RunRow[];
	readonly findRun: (now: number, id: string) => RunRow | undefined;
	readonly countWaitingRuns: (now: number) => number;
	readonly listAnswers: (now: number, query: AnswerQuery) => readonly AnswerRow[];
	readonly findAnswer: (now: number, id: string) => AnswerRow | undefined;
	readonly listFailedDeliveries: (now: number, query: Limit) => readonly FailedDelivery[];
	readonly listEventRuns: (now: number, eventId: string) => readonly RunRow[];
	readonly listJobClaims: (now: number) => readonly JobClaim[];
	readonly findConversation: (now: number, id: string) => string | undefined;
	readonly nextQueuedRuns: (now: number, limit: number, without?: readonly string[]) => readonly RunRecord[];
	readonly listQueuedRuns: (now: number, query: QueueQuery) => QueuePart;
	readonly listCalls: (now: number, query: CallQuery) => readonly CallRow[];
	readonly listCallPage: (now: number, query: CallPageQuery) => CallPage;
	readonly listUncertainCalls: (now: number, query: UncertainQuery) => readonly CallRow[];
	readonly listDecisions: (now: number, query: Limit) => readonly DecisionRow[];
	readonly findCall: (now: number, id: string) => CallRow | undefined;
	readonly listRunCalls: (now: number, runId: string, limit: number) => readonly CallRow[];
	readonly listRuleUses: (now: number) => readonly RuleUse[];
	readonly findDecision: (now: number, id: string) => DecisionRow | undefined;
	readonly findCallDecision: (now: number, callId: string) => DecisionRow | undefined;
	readonly listRunDecisions: (now: number, runId: string, limit: number) => readonly DecisionRow[];
	readonly listEvents: (now: number, query: EventQuery) => readonly EventRow[];
	readonly listEventResults: (now: number, query: EventQuery) => readonly EventResultRow[];
	readonly findEvent: (now: number, id: string) => EventRecord | undefined;
	readonly findTrace: (now: number, query: TraceQuery) => TraceRows | undefined;
	readonly findIds: (now: number, query: IdQuery) => IdSlice;
	readonly listNodes: (now: number) => NodeList;
	readonly listRefusingTables: (now: number) => readonly RefusingTable[];
	readonly listUnreadableRows: (now: number) => readonly UnreadableRow[];
	readonly findIdentity: (now: number) => string | undefined;
	readonly listRates: (now: number, query: RateQuery) => readonly StoredRate[];
};

/** The operations that only a database has: what other gateways share with this one is in files beside a journal that is a file. */
export type DatabaseOperations = {
	readonly listDocuments: (now: number, known: readonly KnownDocument[]) => readonly DocumentRow[];
	readonly replaceDocument: (now: number, change: DocumentChange) => ReplaceOutcome;
	readonly askRequest: (now: number, request: WrittenRequest) => void;
	readonly answerRequest: (now: number, answer: RequestAnswer) => AnswerOutcome;
	readonly endRequest: (now: number, id: string, end: RequestEnd) => void;
	readonly cancelAbandonedRequests: (now: number) => void;
	readonly claimCall: (now: number, claim: CallClaim) => CallClaimOutcome;
	readonly listRequests: (now: number, query: RequestQuery) => readonly RequestRow[];
	readonly findWholeRequest: (now: number, id: string) => WholeRequest | undefined;
	readonly listOtherWork: (now: number, query: OtherWorkQuery) => OtherWork;
	readonly takeQuotaBlock: (now: number, route: string, query: QuotaQuery) => QuotaBlock;
	/** Tells every gateway on this journal that something of this kind changed. */
	readonly announce: (now: number, hint: Hint) => void;
};

/** Up to where events, runs and calls were looked at. */
type LastLook = {readonly event: number; readonly run: number; readonly call: number};

/** What is asked of the work of other gateways: what came `after` the last look, without what is known, and what was open then. `openRuns` are shown as waiting or running. */
export type OtherWorkQuery = {
	readonly after?: LastLook;
	/** Calls under way: those that began since the last look, or all of them, since that was long ago. */
	readonly underWay: 'new' | 'all';
	readonly knownCalls: readonly string[];
	readonly openCalls: readonly string[];
	readonly knownEvents: readonly string[];
	readonly openEvents: readonly string[];
	readonly knownRuns: ReadonlyArray<Pick<RunRow, 'id' | 'state' | 'reason'>>;
	readonly openRuns: readonly string[];
};

/** Oldest first, each with its gateway. An open event or call is not over. Runs are also those that another gateway had and has no more; then they have no `node`. */
export type OtherWork = {
	readonly last: LastLook;
	/** One that is not open and has no end was left by a gateway that is gone. Large arguments are left out. */
	readonly calls: ReadonlyArray<CallRow & {readonly isOpen: boolean}>;
	/** Where deliveries fail now, at all gateways. */
	readonly failedDeliveries: readonly FailedDelivery[];
	readonly events: ReadonlyArray<EventRow & {readonly isOpen: boolean}>;
	readonly runs: readonly RunRow[];
};

/** A part of the requests that a route may have in a window, for one gateway alone. `wanted`: so many wait for it there. */
export type QuotaQuery = {readonly limit: number; readonly wanted: number; readonly windowMilliseconds: number};

/** `granted`: 0 when nothing is left. The window ends so many milliseconds after it was granted, by the clock of the database. */
export type QuotaBlock = {readonly granted: number; readonly leftMilliseconds: number};

/** A table of the journal that is missing, or that this role may not read and write. Absent `remedy`: what is to be done is about the file. */
export type RefusingTable = {
	readonly table: string;
	readonly why: 'missing' | 'rights';
	readonly remedy?: string | undefined;
};

/** The choice where there is no journal: `create` makes one; `refuse`: there was one. */
export type WhenEmpty = 'create' | 'refuse';

/** What every gateway on a database hears of at once, and would find by its next look. */
export type Hint = 'documents' | 'requests';

/** Every operation of a storage by its name. */
type Operations = ReadOperations & WriteOperations & DatabaseOperations;

export type OperationName = keyof Operations;

/** What the caller of an operation gives, without the time. */
export type ArgumentsOf<Name extends OperationName> = Operations[Name] extends (
	now: number,
	...args: infer Arguments
) => unknown
	? Arguments
	: never;

/** What an operation answers. */
export type AnswerOf<Name extends OperationName> = ReturnType<Operations[Name]>;

/** What may be asked of the storage: the name of an operation, its arguments, and the current time in milliseconds since the epoch. Cloneable. */
export type StorageRequest = {readonly name: OperationName; readonly args: readonly unknown[]; readonly now: number};

/** What became of a request. Cloneable. */
export type StorageReply =
	| {readonly kind: 'value'; readonly value: unknown}
	| {
			readonly kind: 'problem';
			/** Absent: `storage_unavailable`. */
			readonly code?: 'schema_newer';
			readonly message: string;
			readonly detail?: string;
			/** What to do, where it is not about the file. */
			readonly remedy?: string;
			readonly fault: 'damaged' | 'refused';
	  };
