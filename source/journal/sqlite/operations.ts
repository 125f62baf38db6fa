import {type DatabaseSync} from 'node:sqlite';
import {Problem, toProblem} from '../../util/problem.ts';
import {type FormerState, inTransaction, openDatabase} from './database.ts';
import {isDamage} from './database-file.ts';
import {type RateQuery} from './rates.ts';
import {
	type AnswerEnd,
	type AnswerRecord,
	type AnswerState,
	type CallResolution,
	type EventEnd,
	type JobClaim,
	type RunEnd,
	type RunRow,
	type TraceQuery,
	type WindowName,
} from '../records.ts';
import {type CallColumns, type CallEndColumns, type CallPageQuery, type CallQuery} from './calls.ts';
import {type DecisionColumns} from './decisions.ts';
import {type EventColumns, type EventQuery} from './events.ts';
import {type IdQuery} from './id-lookup.ts';
import {readTraceRows} from './trace-rows.ts';
import {createRetention, type JournalLimits, type Retention} from './retention.ts';
import {type QueuedColumns} from './waiting-runs.ts';
import {
	acceptEvent,
	type AcceptRows,
	claimJob,
	createTables,
	type DeliveredEvent,
	doubtBegun,
	endDelivery,
	releaseOpen,
	setAnswerState,
	settleEvent,
	type Tables,
	takeWindow,
} from './transactions.ts';

/** What may be asked of the storage: the name of an operation, its arguments, and the current time in milliseconds since the epoch. Cloneable. */
export type StorageRequest = {readonly name: OperationName; readonly args: readonly unknown[]; readonly now: number};

/** What became of a request. Cloneable. */
export type StorageReply =
	| {readonly kind: 'value'; readonly value: unknown}
	| {
			readonly kind: 'problem';
			readonly message: string;
			readonly detail?: string;
			readonly fault: 'damaged' | 'refused';
	  };

/** The open file and its operations. */
export type Storage = {
	/**
	Carries out requests in order. Consecutive writes share one transaction, and one wait for the disk: they are all on disk when this returns, or
	none of them is. A read sees the writes before it.
	*/
	readonly run: (requests: readonly StorageRequest[]) => readonly StorageReply[];
	readonly close: () => void;
};

/** The operations that change something. Each runs inside a transaction; the first parameter is the current time. */
function createWrites(tables: Tables, retention: Retention) {
	const {events, runs, queue, windows, answers, failedDeliveries, jobClaims, calls, decisions} = tables;
	return {
		acceptEvent: (now: number, rows: AcceptRows, body: Uint8Array | undefined) =>
			acceptEvent(tables, rows, {body, now}),
		recordEvent: (_: number, columns: EventColumns, body: Uint8Array | undefined) => events.insert(columns, body),
		settleEvent: (_: number, id: string, end: EventEnd) => settleEvent(tables, id, end),
		releaseOpenDeliveries: (_: number, before: number) => releaseOpen(tables, before),
		endDelivery: (now: number, event: DeliveredEvent, message: AnswerEnd) => endDelivery(tables, {event, message, now}),
		takeWindow: (_: number, window: WindowName) => takeWindow(tables, window),
		dropWindow: (_: number, eventId: string) => windows.drop(eventId),
		queueRun: (_: number, columns: QueuedColumns) => queue.insert(columns),
		moveQueuedRuns: (now: number, ids: readonly string[], change: Pick<RunRow, 'state' | 'reason'>) =>
			new Set(ids.filter(id => queue.leave(id, {...change, now}))),
		requeueRun: (now: number, id: string, reason: string) => queue.comeBack(id, {reason, now}),
		setRunState: (now: number, id: string, state: RunRow['state'], reason?: string) =>
			runs.setState(id, {state, reason, now}),
		finishRun: (now: number, id: string, end: RunEnd) => runs.finish(id, end, now),
		interruptBegunRuns: (now: number) =>
			runs.moveAll('running', {state: 'interrupted', reason: 'the gateway stopped', now}),
		persistAnswer: (now: number, answer: AnswerRecord, state: AnswerState, detail?: string) =>
			answers.insert(answer, {state, detail, now}),
		setAnswerState: (now: number, id: string, state: AnswerState, detail?: string) =>
			setAnswerState(tables, {id, state, detail, now}),
		doubtBegunAnswers: (now: number, detail: string) => doubtBegun(tables, {detail, now}),
		dismissFailedDeliveries: (_: number, ids: readonly string[]) => failedDeliveries.dismiss(ids),
		claimJob: (_: number, claim: JobClaim, run: QueuedColumns) => claimJob(tables, claim, run),
		releaseJob: (_: number, claim: Pick<JobClaim, 'jobId' | 'runId'>) => jobClaims.release(claim),
		startCall: (_: number, call: CallColumns) => calls.start(call),
		recordCall: (_: number, call: CallColumns, end: CallEndColumns) => calls.insertEnded(call, end),
		finishCall: (_: number, id: string, end: CallEndColumns) => calls.finish(id, end),
		resolveCall: (_: number, id: string, resolved: CallResolution) => calls.resolve(id, resolved),
		recordDecision: (_: number, columns: DecisionColumns) => decisions.insert(columns),
		/** Removes one slice of old rows; true when another may be needed. */
		removeSlice: (now: number, limits: JournalLimits) => retention.removeSlice(now, limits),
	};
}

/** The operations that only read. The first parameter is the current time. */
function createReads(tables: Tables) {
	const {events, runs, queue, windows, answers, failedDeliveries, jobClaims, calls, decisions} = tables;
	const {eventResults, lookUpIds, readRates} = tables;
	return {
		listWindows: () => windows.list(),
		listRuns: (_: number, query: Parameters<typeof runs.list>[0]) => runs.list(query),
		findRun: (_: number, id: string) => runs.find(id),
		countWaitingRuns: () => queue.count(),
		listAnswers: (_: number, query: Parameters<typeof answers.list>[0]) => answers.list(query),
		findAnswer: (_: number, id: string) => answers.find(id),
		listFailedDeliveries: (_: number, query: {readonly limit: number}) => failedDeliveries.list(query),
		listEventRuns: (_: number, eventId: string) => runs.ofEvent(eventId),
		listJobClaims: () => jobClaims.list(),
		findConversation: (_: number, id: string) => runs.findConversation(id),
		nextQueuedRuns: (_: number, limit: number) => queue.next(limit),
		listCalls: (_: number, query: CallQuery) => calls.list(query),
		listCallPage: (_: number, query: CallPageQuery) => calls.page(query),
		listUncertainCalls: (_: number, query: Parameters<typeof calls.listUncertain>[0]) => calls.listUncertain(query),
		listDecisions: (_: number, query: {readonly limit: number}) => decisions.list(query),
		findCall: (_: number, id: string) => calls.find(id),
		listRunCalls: (_: number, runId: string, limit: number) => calls.ofRun(runId, limit),
		listRuleUses: () => calls.ruleUses(),
		findDecision: (_: number, id: string) => decisions.find(id),
		findCallDecision: (_: number, callId: string) => decisions.ofCall(callId),
		listRunDecisions: (_: number, runId: string, limit: number) => decisions.ofRun(runId, limit),
		listEvents: (_: number, query: EventQuery) => events.list(query),
		listEventResults: (_: number, query: EventQuery) => eventResults(events.list(query)),
		findEvent: (_: number, id: string) => events.find(id),
		findTrace: (_: number, query: TraceQuery) => readTraceRows(tables, query),
		findIds: (_: number, query: IdQuery) => lookUpIds(query),
		listRates: (_: number, query: RateQuery) => readRates(query),
	};
}

type Reads = ReturnType<typeof createReads>;

/** Every operation by its name. */
export type Operations = Reads & ReturnType<typeof createWrites>;

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

/** An operation as a request reaches it: its arguments were checked where it was called. */
type UncheckedOperation = (now: number, ...args: readonly unknown[]) => unknown;

/** Opens or creates the file at `path` in this thread. Throws `storage_unavailable`. Once the file turns out to be damaged, nothing touches it any more. */
export function openStorage(path: string, former?: FormerState): Storage {
	const {file, groups} = openDatabase(path, opened => ({file: opened, groups: createGroups(opened.database)}), former);
	let damage: StorageReply | undefined;
	const unlessDamaged = (requests: readonly StorageRequest[], run: Storage['run']): readonly StorageReply[] => {
		const replies = damage === undefined ? run(requests) : toAll(requests, damage);
		damage ??= replies.find(reply => reply.kind === 'problem' && reply.fault === 'damaged');
		if (damage !== undefined) {
			file.closeAsIs();
		}

		return replies;
	};

	const runChecked = (requests: readonly StorageRequest[]): readonly StorageReply[] => {
		try {
			file.check();
		} catch (caught) {
			return toAll(requests, toRefusal(caught));
		}

		return groups.of(requests).flatMap(group => unlessDamaged(group.requests, group.run));
	};

	return {run: requests => unlessDamaged(requests, runChecked), close: file.close};
}

/** Divides requests into groups that are run together. */
function createGroups(database: DatabaseSync) {
	const tables = createTables(database);
	const reads = createReads(tables);
	const operations = {...reads, ...createWrites(tables, createRetention(database))} as Readonly<
		Record<OperationName, UncheckedOperation>
	>;
	const runOne = ({name, args, now}: StorageRequest): unknown => operations[name](now, ...args);

	const runWrites = (requests: readonly StorageRequest[]): readonly StorageReply[] => {
		try {
			return inTransaction(database, () => requests.map(runOne)).map(toReply);
		} catch (caught) {
			return toAll(requests, toRefusal(caught));
		}
	};

	const runRead = (request: StorageRequest): StorageReply => {
		try {
			return toReply(runOne(request));
		} catch (caught) {
			return toRefusal(caught);
		}
	};

	const runReads: Storage['run'] = requests => requests.map(runRead);
	return {
		of: (requests: readonly StorageRequest[]) =>
			inRuns(requests, ({name}) => Object.hasOwn(reads, name)).map(({isRead, requests: some}) => ({
				requests: some,
				run: isRead ? runReads : runWrites,
			})),
	};
}

function toAll(requests: readonly StorageRequest[], reply: StorageReply): readonly StorageReply[] {
	return requests.map(() => reply);
}

/** Divides requests into runs of reads and of writes, in their order. */
function inRuns(requests: readonly StorageRequest[], isReadOf: (request: StorageRequest) => boolean) {
	const runs: Array<{readonly isRead: boolean; readonly requests: StorageRequest[]}> = [];
	for (const request of requests) {
		const isRead = isReadOf(request);
		const last = runs.at(-1);
		if (last?.isRead === isRead) {
			last.requests.push(request);
		} else {
			runs.push({isRead, requests: [request]});
		}
	}

	return runs;
}

function toReply(value: unknown): StorageReply {
	return {kind: 'value', value};
}

/** A problem in a form that can be sent from one thread to another. `damaged`: the file is no journal, or not one that this version can read. */
export function toRefusal(caught: unknown): StorageReply & {readonly kind: 'problem'} {
	const {message, detail, cause} = toProblem(caught, 'storage_unavailable');
	const fault = isDamage(caught) || cause instanceof Problem ? 'damaged' : 'refused';
	return {kind: 'problem', message, ...(detail !== undefined && {detail}), fault};
}
