import {type DatabaseSync} from 'node:sqlite';
import {Problem, toProblem} from '../../util/problem.ts';
import {
	type OperationName,
	type ReadOperations,
	type StorageReply,
	type StorageRequest,
	type WriteOperations,
} from '../operations.ts';
import {EmptyFile, inTransaction, missingTables, openDatabase, type OpenOptions, readIdentity} from './database.ts';
import {OtherLog, isDamage} from './database-file.ts';
import {readTraceRows} from './trace-rows.ts';
import {createRetention, type Retention} from './retention.ts';
import {finishAnswer, finishRun, undoAnswer} from './answer-ends.ts';
import {
	acceptEvent,
	claimJob,
	createTables,
	doubtBegun,
	endDelivery,
	releaseOpen,
	settleEvent,
	type Tables,
	takeWindow,
	undoAccept,
	undoClaim,
} from './transactions.ts';

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
function createWrites(tables: Tables, retention: Retention): WriteOperations {
	const {events, runs, queue, answers, failedDeliveries, jobClaims, calls, decisions, nodes} = tables;
	return {
		acceptEvent: (now, rows, body) => acceptEvent(tables, rows, {body, now}),
		undoAccept: (now, undone) => undoAccept(tables, undone, now),
		recordEvent: (_, columns, body) => events.insert(columns, body),
		settleEvent: (_, id, end) => settleEvent(tables, id, end),
		// No other gateway can have released it.
		confirmEvent(_, id, end) {
			settleEvent(tables, id, end);
			return 'settled';
		},
		releaseOpenDeliveries: (_, before) => releaseOpen(tables, before),
		endDelivery: (now, event, message) => endDelivery(tables, {event, message, now}),
		takeWindow: (_, window) => takeWindow(tables, window),
		// No other gateway can have extended it.
		takeDueWindow: (_, window) => void takeWindow(tables, window),
		queueRun: (_, columns) => queue.insert(columns),
		moveQueuedRuns: (now, ids, change) => new Set(ids.filter(id => queue.leave(id, {...change, now}))),
		requeueRun: (now, id, reason) => queue.comeBack(id, {reason, now}),
		setRunState: (now, id, state, reason) => runs.setState(id, {state, reason, now}),
		finishRun: (now, id, end) => finishRun(tables, id, {...end, now}),
		claimInboxItem: (_, id) => runs.claimItem(id),
		releaseInboxItem: (_, id) => runs.releaseItem(id),
		interruptBegunRuns: now =>
			runs.moveAbandoned('running', {state: 'interrupted', reason: 'the gateway stopped', now}),
		persistAnswer(now, answer, state, detail) {
			answers.insert(answer, {state, detail, now});
			// No other gateway shares the file.
			return true;
		},
		finishAnswer: (now, end) => finishAnswer(tables, {...end, now}),
		doubtBegunAnswers: (now, detail) => doubtBegun(tables, {detail, now}),
		undoAnswer: (now, id, detail) => undoAnswer(tables, id, {detail, now}),
		beginAnswer: (now, id, from) => answers.begin(id, {from, now}),
		takePendingAnswers: (_, limit) => answers.takePending(limit),
		dismissFailedDeliveries: (_, ids) => failedDeliveries.dismiss(ids),
		claimJob: (_, claim, run) => claimJob(tables, claim, run),
		undoClaim: (now, undone, reason) => undoClaim(tables, undone, {reason, now}),
		releaseJob: (_, claim) => jobClaims.release(claim),
		startCall(_, call) {
			calls.start(call);
			return true;
		},
		recordCall: (_, call, end) => calls.insertEnded(call, end),
		finishCall: (_, id, end) => calls.finish(id, end),
		resolveCall: (_, id, resolved) => calls.resolve(id, resolved),
		recordDecision: (_, columns) => decisions.insert(columns),
		enterNode: (now, incarnation) => nodes.enter(incarnation, now),
		renewNode: (now, facts) => nodes.renew(facts, now),
		judgeNodes: () => [],
		leaveNode: now => nodes.leave(now),
		removeSlice: (now, limits) => retention.removeSlice(now, limits),
	};
}

/** The operations that only read. The first parameter is the current time. */
function createReads(database: DatabaseSync, tables: Tables): ReadOperations {
	const {events, runs, queue, windows, answers, failedDeliveries, jobClaims, calls, decisions, nodes} = tables;
	const {eventResults, lookUpIds, readRates} = tables;
	return {
		listWindows: () => windows.list(),
		listRuns: (_, query) => runs.list(query),
		findRun: (_, id) => runs.find(id),
		countWaitingRuns: () => queue.count(),
		listAnswers: (_, query) => answers.list(query),
		findAnswer: (_, id) => answers.find(id),
		listFailedDeliveries: (_, query) => failedDeliveries.list(query),
		listEventRuns: (_, eventId) => runs.ofEvent(eventId),
		listJobClaims: () => jobClaims.list(),
		findConversation: (_, id) => runs.findConversation(id),
		listQueuedRuns: (_, query) => queue.behind(query),
		nextQueuedRuns: (_, limit, without) => queue.next(limit, without),
		listCalls: (_, query) => calls.list(query),
		listCallPage: (_, query) => calls.page(query),
		listUncertainCalls: (_, query) => calls.listUncertain(query),
		listDecisions: (_, query) => decisions.list(query),
		findCall: (_, id) => calls.find(id),
		listRunCalls: (_, runId, limit) => calls.ofRun(runId, limit),
		listRuleUses: () => calls.ruleUses(),
		findDecision: (_, id) => decisions.find(id),
		findCallDecision: (_, callId) => decisions.ofCall(callId),
		listRunDecisions: (_, runId, limit) => decisions.ofRun(runId, limit),
		listEvents: (_, query) => events.list(query),
		listEventResults: (_, query) => eventResults(events.list(query)),
		findEvent: (_, id) => events.find(id),
		findTrace: (_, query) => readTraceRows(tables, query),
		findIds: (_, query) => lookUpIds(query),
		listNodes: now => nodes.list(now),
		listRefusingTables: () => missingTables(database),
		listUnreadableRows: () => tables.unreadable.list(),
		findIdentity: () => readIdentity(database),
		listRates: (_, query) => readRates(query),
	};
}

/** An operation as a request reaches it: its arguments were checked where it was called. */
type UncheckedOperation = (now: number, ...args: readonly unknown[]) => unknown;

/** Opens or creates the file at `path` in this thread. Throws `storage_unavailable`. Once the file turns out to be damaged, nothing touches it any more. */
export function openStorage(path: string, options?: OpenOptions): Storage {
	const {file, groups} = openDatabase(path, opened => ({file: opened, groups: createGroups(opened.database)}), options);
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
	const reads = createReads(database, tables);
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
	const {code, message, detail, remedy, cause} = toProblem(caught, 'storage_unavailable');
	const why = {kind: 'problem', message, ...(detail !== undefined && {detail})} as const;
	if (code === 'schema_newer') {
		return {...why, code, fault: 'refused'};
	}

	const isOther = cause instanceof OtherLog || cause instanceof EmptyFile;
	const isDamagedFile = isDamage(caught) || cause instanceof Problem;
	return {...why, ...(isOther && {remedy}), fault: isDamagedFile ? 'damaged' : 'refused'};
}
