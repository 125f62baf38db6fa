import {type Clock} from '../util/clock.ts';
import {type Problem} from '../util/problem.ts';
import {type AnswerOf, type ArgumentsOf, type JournalLimits, type RefusingTable} from './operations.ts';
import {
	type AnsweredRun,
	type AnswerEnd,
	type AnswerRecord,
	type AnswerRow,
	type AnswerState,
	type CallEnd,
	type CallRecord,
	type CallResolution,
	type CallRow,
	type ClaimOutcome,
	type DecisionRecord,
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
	type RunResult,
	type RunRow,
	type UncertainQuery,
	type WindowName,
	type WindowRow,
	type UndoneClaim,
} from './records.ts';
import {type JournalRequests, type AttendedRequests, type Waiting} from './request-journal.ts';
import {type CallPage, type CallPageQuery, type CallQuery} from './rows/call-rows.ts';
import {type JournalDocuments} from './rows/document-rows.ts';
import {type EventQuery} from './rows/event-rows.ts';
import {
	type AcceptOutcome,
	type AcceptRequest,
	type DeliveredEvent,
	type SettleOutcome,
	type UndoneEvent,
} from './rows/accept-rows.ts';
import {type NodeFacts, type NodeList, type NodeIncarnation} from './rows/node-rows.ts';
import {type UnreadableRow} from './rows/read-rows.ts';
import {type RunQuery} from './rows/run-rows.ts';

export {
	type AcceptRequest,
	type AnsweredRun,
	type AnswerEnd,
	type AnswerRecord,
	type AnswerRow,
	type AnswerState,
	type CallEnd,
	type CallRecord,
	type CallRow,
	type ClaimOutcome,
	type DecisionRecord,
	type EventRecord,
	type EventRow,
	type FailedDelivery,
	type RuleUse,
	type FailedDeliveryChange,
	type RunEnd,
	type RunRecord,
	type RunResult,
	type RunRow,
	type WindowName,
	type WindowRow,
};

/**
The only durable storage. No other module knows its tables.
A promise resolves once its write is on disk, or rejects with `storage_unavailable`. Writes without a promise join the same transactions;
when one fails, `report` is called. Reads resolve with committed rows only, newest first, and at most `limit` of them; they reject with `storage_unavailable`.
*/
export type Journal = {
	/** Claims the delivery id and writes event and run in one transaction; any result but `accepted` means nothing was written (docs/webhooks.md, Accepted means kept). */
	readonly acceptEvent: (request: AcceptRequest) => Promise<AcceptOutcome>;
	/** Writes a request that was not accepted. */
	readonly recordEvent: (event: EventRecord) => void;
	/** Stores how an event ended whose job was asked. The delivery id stays claimed, unless the event is `unavailable`: nothing came of it. */
	readonly settleEvent: (id: string, end: EventEnd) => void;
	/** The same for one that fired nothing, before its sender is answered: nothing was written when its delivery id was released. */
	readonly confirmEvent: (id: string, end: EventEnd) => Promise<SettleOutcome>;
	/** Releases the delivery ids of events up to this time whose job a gateway that is gone did not start, and records that in their rows. */
	readonly releaseOpenDeliveries: (before: number) => void;
	/** Settles an event whose sender waits, and its message, in one transaction; a failed message releases the delivery id. */
	readonly endDelivery: (event: DeliveredEvent, message: AnswerEnd) => Promise<void>;
	/** Closes a coalescing window and queues its run, whose prompt says how many events it replaces; undefined when the window is already closed. */
	readonly takeWindow: (window: WindowName) => Promise<RunRecord | undefined>;
	/** The same for one that is due; the milliseconds until then when an event of another gateway has extended it. */
	readonly takeDueWindow: (window: WindowName) => Promise<number | undefined>;
	/** All open windows. */
	readonly listWindows: () => Promise<readonly WindowRow[]>;
	/** Queues a run that has no event. */
	readonly queueRun: (run: RunRecord) => Promise<void>;
	/** The next runs to take, oldest first, without those of these profiles. */
	readonly nextQueuedRuns: (...query: ArgumentsOf<'nextQueuedRuns'>) => Promise<readonly RunRecord[]>;
	/** Looks through the queue from a position on: each run is read once, whatever waits before it. Of a shared journal, runs may come to lie shortly before it later: they are read twice. */
	readonly listQueuedRuns: (...query: ArgumentsOf<'listQueuedRuns'>) => Promise<AnswerOf<'listQueuedRuns'>>;
	/** Moves those of the runs that are still queued; returns their ids. Each leaves the queue once, unless it is put back. */
	readonly moveQueuedRuns: (
		ids: readonly string[],
		change: Pick<RunRow, 'state' | 'reason'>,
	) => Promise<ReadonlySet<string>>;
	/** Returns a run that was taken but has done nothing yet to its position in the queue; false when it is not running. True again when the write is repeated. */
	readonly requeueRun: (id: string, reason: string) => Promise<boolean>;
	readonly setRunState: (id: string, state: RunRow['state'], reason?: string) => Promise<void>;
	/** Stores the end of a run of this gateway, or of an inbox item, and its result; false when another one has decided about it. Of a cancelled run nothing is sent any more. */
	readonly finishRun: (id: string, end: RunEnd) => Promise<boolean>;
	/** Retains an inbox item for whoever answers or closes it here; false when it is open no more, another gateway has it, or an answer to it is not sent yet. */
	readonly claimInboxItem: (id: string) => Promise<boolean>;
	readonly releaseInboxItem: (id: string) => void;
	/** Runs that a gateway began which is gone become `interrupted`. Returns them, oldest first. */
	readonly interruptBegunRuns: () => Promise<readonly RunRecord[]>;
	readonly listRuns: (query: RunQuery) => Promise<readonly RunRow[]>;
	readonly findRun: (id: string) => Promise<RunRow | undefined>;
	/** The number of runs in the queue. */
	readonly countWaitingRuns: () => Promise<number>;
	/** Resolves before the answer may be sent. Waits for a journal that is away, however long. */
	readonly persistAnswer: (
		answer: AnswerRecord,
		state: AnswerState,
		detail?: string,
		waiting?: Waiting,
	) => Promise<void>;
	/** Moves an answer from this state to `sending`; false when another gateway, or this one, was quicker. */
	readonly beginAnswer: (id: string, from: AnswerState) => Promise<boolean>;
	/** Pending answers of this gateway, and those of gateways that are gone, which are this one's from now on; at most `limit`, oldest first. */
	readonly takePendingAnswers: (limit: number) => Promise<readonly AnswerRecord[]>;
	/** Stores how the sending ended that `beginAnswer` began, and in the same transaction the end of its run; without effect when another gateway has decided about the answer. */
	readonly finishAnswer: (id: string, state: AnswerState, detail?: string, run?: AnsweredRun) => Promise<void>;
	/** Answers that a gateway began to send which is gone become `outcome_uncertain`, as do the events they belong to; an inbox item stays open and says so. Returns them, oldest first. */
	readonly doubtBegunAnswers: (detail: string) => Promise<readonly AnswerRecord[]>;
	readonly listAnswers: (...query: ArgumentsOf<'listAnswers'>) => Promise<readonly AnswerRow[]>;
	readonly findAnswer: (id: string) => Promise<AnswerRow | undefined>;
	/** Where deliveries fail, oldest failure first (docs/delivery.md, Failed deliveries). */
	readonly listFailedDeliveries: (query: {readonly limit: number}) => Promise<readonly FailedDelivery[]>;
	/** A person has seen them; they count again when the next one fails. */
	readonly dismissFailedDeliveries: (ids: readonly string[]) => Promise<void>;
	/** The runs of an event; at most ten. */
	readonly listEventRuns: (eventId: string) => Promise<readonly RunRow[]>;
	/** Claims a job and queues its run in one transaction (docs/agents.md, Scheduled jobs). */
	readonly claimJob: (claim: JobClaim, run: RunRecord) => Promise<ClaimOutcome>;
	readonly releaseJob: (claim: Pick<JobClaim, 'jobId' | 'runId'>) => void;
	readonly listJobClaims: () => Promise<readonly JobClaim[]>;
	/** The conversation of a finished run, as `finishRun` stored it. */
	readonly findConversation: (runId: string) => Promise<string | undefined>;
	/** Resolves before the call may be sent. One that is not read-only waits for a journal that is away, up to `journal.patience`. */
	readonly startCall: (call: CallRecord, waiting?: Waiting) => Promise<void>;
	readonly finishCall: (id: string, end: CallEnd) => void;
	/** Writes a call that was refused before it was sent. One that is there already gets its end, and what was decided about it in the end. */
	readonly recordCall: (call: CallRecord, end: CallEnd) => void;
	/** A call with what its caller got. */
	readonly findCall: (id: string) => Promise<CallRow | undefined>;
	/** The calls of a run, oldest first, without answers. */
	readonly listRunCalls: (runId: string, limit: number) => Promise<readonly CallRow[]>;
	/** The newest unresolved uncertain calls, oldest first (docs/approvals.md, Uncertain calls). */
	readonly listUncertainCalls: (query: UncertainQuery) => Promise<readonly CallRow[]>;
	/** Stores how a person resolved an uncertain call; false when it is already resolved. */
	readonly resolveCall: (id: string, resolved: CallResolution) => Promise<boolean>;
	readonly listCalls: (query: CallQuery) => Promise<readonly CallRow[]>;
	/** A page of all calls of a profile. */
	readonly listCallPage: (query: CallPageQuery) => Promise<CallPage>;
	/** How often each rule decided, and when it last did, as far as the journal goes back. */
	readonly listRuleUses: () => Promise<readonly RuleUse[]>;
	readonly recordDecision: (decision: DecisionRecord) => void;
	readonly listDecisions: (query: {readonly limit: number}) => Promise<readonly DecisionRow[]>;
	readonly findDecision: (id: string) => Promise<DecisionRow | undefined>;
	readonly findCallDecision: (callId: string) => Promise<DecisionRow | undefined>;
	/** The decisions about calls and requests of a run, oldest first. */
	readonly listRunDecisions: (runId: string, limit: number) => Promise<readonly DecisionRow[]>;
	readonly listEvents: (query: EventQuery) => Promise<readonly EventRow[]>;
	/** The same with what became of runs and deliveries. */
	readonly listEventResults: (query: EventQuery) => Promise<readonly EventResultRow[]>;
	readonly findEvent: (id: string) => Promise<EventRecord | undefined>;
	/** A request or run, and what came of it. */
	readonly findTrace: (...query: ArgumentsOf<'findTrace'>) => Promise<AnswerOf<'findTrace'>>;
	/** One slice of a search for ids by a part of them; `findNamedRow` looks through all. */
	readonly findIds: (...query: ArgumentsOf<'findIds'>) => Promise<AnswerOf<'findIds'>>;
	/** The gateways of the journal, also those that are gone (docs/deployment.md, Several machines). */
	readonly listNodes: () => Promise<NodeList>;
	/** The tables that cannot be used; usually none. It writes nothing and reads no row. */
	readonly listRefusingTables: () => Promise<readonly RefusingTable[]>;
	/** The rows of events, calls and decisions that were left out of lists since it was opened, because they cannot be read. */
	readonly listUnreadableRows: () => Promise<readonly UnreadableRow[]>;
	/** The id that it got when it was made. A copy or backup has the same. */
	readonly findIdentity: () => Promise<string | undefined>;
	/** What other gateways of a shared journal did since the last look. */
	readonly listOtherWork: (...query: ArgumentsOf<'listOtherWork'>) => Promise<AnswerOf<'listOtherWork'>>;
	/** A sign of this gateway. `dead`: another one has said so, and took over what this one did. */
	readonly renewNode: (facts: NodeFacts) => Promise<'alive' | 'dead'>;
	/** Whoever gave no sign within its lease is dead from now on; resolves with the names. */
	readonly judgeNodes: () => Promise<readonly string[]>;
	readonly listRates: (...query: ArgumentsOf<'listRates'>) => Promise<AnswerOf<'listRates'>>;
	/** Takes a part of the quota of a route for this gateway alone (docs/deployment.md, Several machines). Only a journal in a database has quotas. */
	readonly takeQuotaBlock: (...query: ArgumentsOf<'takeQuotaBlock'>) => Promise<AnswerOf<'takeQuotaBlock'>>;
	readonly documents: JournalDocuments;
	readonly requests: JournalRequests;
	/** Starts to remove rows over the limits of age and size, in slices, one per turn. Call it at start and then every hour. */
	readonly prune: () => void;
	/** Commits pending writes and closes the file. */
	readonly close: () => Promise<void>;
};

/** A journal that nothing is written to. */
export type JournalReader = Pick<
	Journal,
	'findEvent' | 'listEvents' | 'listFailedDeliveries' | 'findIdentity' | 'close'
>;

export type JournalOptions = {
	readonly clock: Clock;
	/** Read for every slice of rows that are pruned. */
	readonly limits: () => JournalLimits;
	/** Called with the problem of a failed write that no caller awaits. */
	readonly report?: (problem: Problem) => void;
	/** Called after each write, also one that is reported: with its problem, or with undefined once it is on disk. A removal of old rows only has problems. */
	readonly onWrite?: (problem: Problem | undefined) => void;
	/** Called when the storage refused a request, a read or a write, after it was rejected. */
	readonly onRefusal?: () => void;
	/** Called once a change of the failed deliveries is on disk. */
	readonly onFailedDelivery?: (change: FailedDeliveryChange) => void;
};

/** How something ended, written without making anybody wait. */
type Ends = 'settleEvent' | 'releaseOpenDeliveries' | 'releaseInboxItem' | 'releaseJob' | 'finishCall';

/** A journal whose caller attends to every end: the promise rejects with `storage_unavailable` when it was not written. */
export type AttendedJournal = Omit<Journal, Ends | 'requests'> & {
	readonly [Name in Ends]: (...args: Parameters<Journal[Name]>) => Promise<void>;
} & {
	/** From now on what is written belongs to this incarnation of a gateway. `dead`: another one has said so, and nothing was written. */
	readonly enterNode: (incarnation: NodeIncarnation) => Promise<'entered' | 'dead'>;
	/** How far the clock that it goes by is ahead of that of this process, in milliseconds, as it was when this incarnation gave a sign. */
	readonly clockAhead: () => number;
	/** This incarnation ends in an orderly way: others take over what it left. */
	readonly leaveNode: () => Promise<void>;
	/** Withdraws an event that was reported as not accepted, and frees its delivery id; without effect when another gateway has acted on it. */
	readonly undoAccept: (undone: UndoneEvent) => Promise<void>;
	/** Fails an answer that was reported as not written; without effect when another gateway has begun to send it. */
	readonly undoAnswer: (id: string, reason: string) => Promise<void>;
	/** Cancels the run of a job that was reported as not fired, and releases the job and the delivery id of its event; without effect when another gateway has taken the run. */
	readonly undoClaim: (undone: UndoneClaim, reason: string) => Promise<void>;
	readonly requests: AttendedRequests;
};

/** The functions that only read. */
export type Reads = keyof Journal & (`list${string}` | `find${string}` | 'nextQueuedRuns' | 'countWaitingRuns');
