import {type Clock} from '../util/clock.ts';
import {type Problem, toProblem} from '../util/problem.ts';
import {createGroupCommit} from './group-commit.ts';
import {openDatabase} from './database.ts';
import {
	type AnswerEnd,
	type AnswerRecord,
	type AnswerRow,
	type AnswerState,
	type CallAnswer,
	type CallEnd,
	type CallRecord,
	type CallRow,
	type ClaimOutcome,
	type DecisionRecord,
	type EventEnd,
	type EventRecord,
	type EventResultRow,
	type EventRow,
	type EventTrace,
	type FailedDelivery,
	type FailedDeliveryChange,
	type JobClaim,
	type RunEnd,
	type RunRecord,
	type RunResult,
	type RunRow,
	type UncertainQuery,
	type UncertainResolution,
	type WindowName,
	type WindowRow,
} from './records.ts';
import {type JournalLimits, createRetention} from './retention.ts';
import {
	type AcceptOutcome,
	type AcceptRequest,
	acceptEvent,
	claimJob,
	createTables,
	type DeliveredEvent,
	doubtBegun,
	endDelivery,
	queueRun,
	releaseOpen,
	setAnswerState,
	settleEvent,
	type Tables,
	takeWindow,
} from './transactions.ts';

export {
	type AcceptOutcome,
	type AcceptRequest,
	type AnswerEnd,
	type AnswerRecord,
	type AnswerRow,
	type AnswerState,
	type CallAnswer,
	type CallEnd,
	type CallRecord,
	type CallRow,
	type DecisionRecord,
	type EventRecord,
	type EventResultRow,
	type EventRow,
	type EventTrace,
	type FailedDelivery,
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
	readonly settleEvent: (id: string, end: EventEnd) => void;
	/** At start: releases the delivery ids of events whose job an earlier process did not start, and records that in their rows. */
	readonly releaseOpenDeliveries: () => void;
	/** Settles an event whose sender waits, and its message, in one transaction; a failed message releases the delivery id. */
	readonly endDelivery: (event: DeliveredEvent, message: AnswerEnd) => Promise<void>;
	/** Closes a coalescing window and queues its run, whose prompt says how many events it replaces; undefined when the window is already closed. */
	readonly takeWindow: (window: WindowName) => Promise<RunRecord | undefined>;
	/** All open windows. */
	readonly listWindows: () => Promise<readonly WindowRow[]>;
	/** Queues a run that has no event. */
	readonly queueRun: (run: RunRecord) => Promise<void>;
	/** The next runs to take, oldest first. */
	readonly nextQueuedRuns: (limit: number) => Promise<readonly RunRecord[]>;
	/** Moves those of the runs that are still queued; returns their ids. Each leaves the queue once, unless it is put back. */
	readonly moveQueuedRuns: (
		ids: readonly string[],
		change: Pick<RunRow, 'state' | 'reason'>,
	) => Promise<ReadonlySet<string>>;
	/** Returns a run that was taken but has done nothing yet to its position in the queue; false when it is not running. */
	readonly requeueRun: (id: string, reason: string) => Promise<boolean>;
	readonly setRunState: (id: string, state: RunRow['state'], reason?: string) => Promise<void>;
	/** Stores the end of a run and its result. */
	readonly finishRun: (id: string, end: RunEnd) => Promise<void>;
	/** At start: runs that an earlier process began become `interrupted`. Returns them, oldest first. */
	readonly interruptBegunRuns: () => Promise<readonly RunRecord[]>;
	readonly listRuns: (query: {
		readonly states?: ReadonlyArray<RunRow['state']>;
		readonly limit: number;
	}) => Promise<readonly RunRow[]>;
	readonly findRun: (id: string) => Promise<RunRow | undefined>;
	/** The number of runs in the queue. */
	readonly countWaitingRuns: () => Promise<number>;
	/** Resolves before the answer may be sent. */
	readonly persistAnswer: (answer: AnswerRecord, state: AnswerState, detail?: string) => Promise<void>;
	readonly setAnswerState: (id: string, state: AnswerState, detail?: string) => Promise<void>;
	/** At start: answers that an earlier process began to send become `outcome_uncertain`, as do the events they belong to. Returns them, oldest first. */
	readonly doubtBegunAnswers: (detail: string) => Promise<readonly AnswerRecord[]>;
	readonly listAnswers: Asynchronous<Tables['answers']['list']>;
	readonly findAnswer: Asynchronous<Tables['answers']['find']>;
	/** Where deliveries fail, oldest failure first (docs/delivery.md, Failed deliveries). */
	readonly listFailedDeliveries: Asynchronous<Tables['failedDeliveries']['list']>;
	/** A person has seen them; they count again when the next one fails. */
	readonly dismissFailedDeliveries: (ids: readonly string[]) => Promise<void>;
	/** The runs of an event; at most ten. */
	readonly listEventRuns: (eventId: string) => Promise<readonly RunRow[]>;
	/** Claims a job and queues its run in one transaction (docs/agents.md, Scheduled jobs). */
	readonly claimJob: (claim: JobClaim, run: RunRecord) => Promise<ClaimOutcome>;
	readonly releaseJob: Tables['jobClaims']['release'];
	readonly listJobClaims: Asynchronous<Tables['jobClaims']['list']>;
	/** The conversation of a finished run, as `finishRun` stored it. */
	readonly findConversation: (runId: string) => Promise<string | undefined>;
	/** Resolves before the call may be sent. */
	readonly startCall: (call: CallRecord) => Promise<void>;
	readonly finishCall: (id: string, end: CallEnd) => void;
	/** Writes a call that was refused before it was sent. */
	readonly recordCall: Tables['calls']['insertEnded'];
	/** A call with what its caller got. */
	readonly findCall: Asynchronous<Tables['calls']['find']>;
	/** The calls of a run, oldest first, without answers. */
	readonly listRunCalls: Asynchronous<Tables['calls']['ofRun']>;
	/** The newest unresolved uncertain calls, oldest first (docs/approvals.md, Uncertain calls). */
	readonly listUncertainCalls: (query: UncertainQuery) => Promise<readonly CallRow[]>;
	/** Stores how a person resolved an uncertain call; false when it is already resolved. */
	readonly resolveCall: (id: string, resolution: UncertainResolution) => Promise<boolean>;
	readonly listCalls: (query: {readonly limit: number}) => Promise<readonly CallRow[]>;
	readonly recordDecision: (decision: DecisionRecord) => void;
	readonly listDecisions: (query: {readonly limit: number}) => Promise<readonly DecisionRecord[]>;
	readonly findDecision: Asynchronous<Tables['decisions']['find']>;
	readonly findCallDecision: Asynchronous<Tables['decisions']['ofCall']>;
	/** The decisions about calls and requests of a run, oldest first. */
	readonly listRunDecisions: Asynchronous<Tables['decisions']['ofRun']>;
	readonly listEvents: (query: EventQuery) => Promise<readonly EventRow[]>;
	/** The same with what became of runs and deliveries. */
	readonly listEventResults: (query: EventQuery) => Promise<readonly EventResultRow[]>;
	readonly findEvent: (id: string) => Promise<EventRecord | undefined>;
	/** Starts to remove rows over the limits of age and size, in slices, one per turn. Call it at start and then every hour. */
	readonly prune: (now: number) => void;
	/** Commits pending writes and closes the file. */
	readonly close: () => Promise<void>;
};

/** A function that reads, as callers see it. */
type Asynchronous<Read extends (...args: never) => unknown> = (...args: Parameters<Read>) => Promise<ReturnType<Read>>;

type EventQuery = {readonly limit: number; readonly route?: string};

export type JournalOptions = {
	readonly path: string;
	readonly clock: Clock;
	/** Read at every prune. */
	readonly limits: () => JournalLimits;
	/** Called with the problem of a failed write that no caller awaits. */
	readonly report?: (problem: Problem) => void;
	/** Called once a change of the failed deliveries is on disk. */
	readonly onFailedDelivery?: (change: FailedDeliveryChange) => void;
};

/** Opens or creates the journal at `path`. Throws `storage_unavailable`. */
export function openJournal(options: JournalOptions): Journal {
	const {clock, limits, report, onFailedDelivery = () => undefined} = options;
	const {database, tables, retention} = openDatabase(options.path, database => ({
		database,
		tables: createTables(database, clock.now),
		retention: createRetention(database, limits),
	}));
	const {events, runs, queue, answers, failedDeliveries, jobClaims, calls, decisions, waiting} = tables;
	const {write, close} = createGroupCommit({transaction: waiting.transaction, clock});
	const lost = (caught: unknown) => report?.(toProblem(caught, 'storage_unavailable'));
	const writeUnattended = (work: () => void) => void write(work).catch(lost);
	const writeDeliveries = async (work: () => readonly FailedDeliveryChange[]) =>
		(await write(work)).forEach(onFailedDelivery);

	return {
		...readers(tables),
		acceptEvent: request => write(() => acceptEvent(tables, request, clock.now())),
		recordEvent: event => writeUnattended(() => events.insert(event)),
		settleEvent: (id, end) => writeUnattended(() => settleEvent(tables, id, end)),
		releaseOpenDeliveries: () => writeUnattended(() => releaseOpen(tables)),
		endDelivery: (event, message) => writeDeliveries(() => endDelivery(tables, {event, message, now: clock.now()})),
		takeWindow: window => write(() => takeWindow(tables, window)),
		queueRun: run => write(() => queueRun(tables, run)),
		moveQueuedRuns: (ids, change) =>
			write(() => new Set(ids.filter(id => queue.leave(id, {...change, now: clock.now()})))),
		requeueRun: (id, reason) => write(() => queue.comeBack(id, {reason, now: clock.now()})),
		setRunState: (id, state, reason) => write(() => runs.setState(id, {state, reason, now: clock.now()})),
		finishRun: (id, end) => write(() => runs.finish(id, end, clock.now())),
		interruptBegunRuns: () =>
			write(() => runs.moveAll('running', {state: 'interrupted', reason: 'the gateway stopped', now: clock.now()})),
		persistAnswer: (answer, state, detail) => write(() => answers.insert(answer, {state, detail, now: clock.now()})),
		setAnswerState: (id, state, detail) =>
			writeDeliveries(() => setAnswerState(tables, {id, state, detail, now: clock.now()})),
		async doubtBegunAnswers(detail) {
			const {doubted, changes} = await write(() => doubtBegun(tables, {detail, now: clock.now()}));
			changes.forEach(onFailedDelivery);
			return doubted;
		},
		dismissFailedDeliveries: ids => writeDeliveries(() => failedDeliveries.dismiss(ids)),
		claimJob: (claim, run) => write(() => claimJob(tables, claim, run)),
		releaseJob: claim => writeUnattended(() => jobClaims.release(claim)),
		startCall: call => write(() => calls.start(call)),
		finishCall: (id, end) => writeUnattended(() => calls.finish(id, end)),
		recordCall: (call, end) => writeUnattended(() => calls.insertEnded(call, end)),
		resolveCall: (id, resolution) => write(() => calls.resolve(id, resolution)),
		recordDecision: decision => writeUnattended(() => decisions.insert(decision)),
		prune(now) {
			const removeNext = () => {
				if (database.isOpen) {
					write(() => retention.removeSlice(now)).then(isMore => isMore && removeNext(), lost);
				}
			};

			removeNext();
		},
		async close() {
			if (database.isOpen) {
				close();
				database.close();
			}
		},
	};
}

/** The read-only part. */
function readers(tables: Tables) {
	const {events, runs, queue, windows, answers, failedDeliveries, jobClaims, calls, decisions, waiting} = tables;
	const {eventResults} = tables;
	return {
		listWindows: asynchronous(windows.list),
		listRuns: asynchronous(runs.list),
		findRun: asynchronous(runs.find),
		countWaitingRuns: asynchronous(waiting.value),
		listAnswers: asynchronous(answers.list),
		findAnswer: asynchronous(answers.find),
		listFailedDeliveries: asynchronous(failedDeliveries.list),
		async listEventRuns(eventId: string) {
			const place = events.place(eventId);
			return place === undefined ? [] : runs.ofEvent(place);
		},
		listJobClaims: asynchronous(jobClaims.list),
		findConversation: asynchronous(runs.findConversation),
		nextQueuedRuns: asynchronous(queue.next),
		listCalls: asynchronous(calls.list),
		listUncertainCalls: asynchronous(calls.listUncertain),
		findCall: asynchronous(calls.find),
		listRunCalls: asynchronous(calls.ofRun),
		listDecisions: asynchronous(decisions.list),
		findDecision: asynchronous(decisions.find),
		findCallDecision: asynchronous(decisions.ofCall),
		listRunDecisions: asynchronous(decisions.ofRun),
		listEvents: async (query: EventQuery) => events.list(query).map(({event}) => event),
		listEventResults: async (query: EventQuery) => eventResults(events.list(query)),
		findEvent: asynchronous(events.find),
	};
}

function asynchronous<Arguments extends readonly unknown[], Value>(read: (...args: Arguments) => Value) {
	return async (...args: Arguments): Promise<Value> => read(...args);
}
