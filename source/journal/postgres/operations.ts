import {type DatabaseOperations, type ReadOperations, type WriteOperations} from '../operations.ts';
import {type Writer} from '../rows/node-rows.ts';
import {sendHint} from './connection.ts';
import {findRefusingTables} from './prepare-database.ts';
import {createRetention} from './retention.ts';
import {type Query} from './query.ts';
import {readIdentity} from './schema-version.ts';
import {type Clock} from '../../util/clock.ts';
import {createOtherWork} from './other-work.ts';
import {readTraceRows} from './trace-rows.ts';
import {finishAnswer, finishRun, undoAnswer} from './answer-ends.ts';
import {
	claimJob,
	confirmEvent,
	createTables,
	doubtBegun,
	endDelivery,
	settleEvent,
	takeDueWindow,
	takeWindow,
	undoAccept,
	undoClaim,
} from './transactions.ts';

/** The same operations, each with a promise of its answer. */
type Asynchronous<Table extends Record<keyof Table, (now: number, ...args: never) => unknown>> = {
	readonly [Name in keyof Table]: (...args: Parameters<Table[Name]>) => Promise<ReturnType<Table[Name]>>;
};

type DatabaseWrites =
	| 'replaceDocument'
	| 'askRequest'
	| 'answerRequest'
	| 'endRequest'
	| 'claimCall'
	| 'cancelAbandonedRequests';

/** The operations that run inside a transaction, but `acceptEvent`: the events of a transaction are accepted together. */
export function createWrites(
	query: Query,
	writer: Writer,
	clock: Pick<Clock, 'now'>,
): Asynchronous<Omit<WriteOperations, 'acceptEvent' | 'removeSlice'> & Pick<DatabaseOperations, DatabaseWrites>> {
	const tables = createTables(query, writer);
	const {events, deliveries, runs, queue, answers, failedDeliveries, jobClaims, calls, decisions} = tables;
	const {nodes, requests} = tables;
	return {
		undoAccept: (now, undone) => undoAccept(tables, undone, now),
		recordEvent: (_, columns, body) => events.insert(columns, body),
		settleEvent: (_, id, end) => settleEvent(tables, id, end),
		confirmEvent: (_, id, end) => confirmEvent(tables, id, end),
		releaseOpenDeliveries: (_, before) => deliveries.releaseOpen(before),
		endDelivery: (now, event, message) => endDelivery(tables, {event, message, now}),
		takeWindow: (_, window) => takeWindow(tables, window),
		takeDueWindow: (now, window) => takeDueWindow(tables, window, now),
		queueRun: (_, columns) => queue.insert(columns),
		moveQueuedRuns: (now, ids, change) => queue.leave(ids, {...change, now}),
		requeueRun: (now, id, reason) => queue.comeBack(id, {reason, now}),
		setRunState: (now, id, state, reason) => runs.setState(id, {state, reason, now}),
		finishRun: (now, id, end) => finishRun(tables, id, {...end, now}),
		claimInboxItem: (_, id) => runs.claimItem(id),
		releaseInboxItem: (_, id) => runs.releaseItem(id),
		interruptBegunRuns: now =>
			runs.moveAbandoned('running', {state: 'interrupted', reason: 'the gateway stopped', now}),
		persistAnswer: (now, answer, state, detail) => answers.insert(answer, {state, detail, now}),
		finishAnswer: (now, end) => finishAnswer(tables, {...end, now}),
		doubtBegunAnswers: (now, detail) => doubtBegun(tables, {detail, now}),
		undoAnswer: (now, id, detail) => undoAnswer(tables, id, {detail, now}),
		beginAnswer: (now, id, from) => answers.begin(id, {from, now}),
		takePendingAnswers: (_, limit) => answers.takePending(limit),
		dismissFailedDeliveries: (_, ids) => failedDeliveries.dismiss(ids),
		claimJob: (_, claim, run) => claimJob(tables, claim, run),
		undoClaim: (now, undone, reason) => undoClaim(tables, undone, {reason, now}),
		releaseJob: (_, claim) => jobClaims.release(claim),
		startCall: (_, call) => calls.start(call),
		recordCall: (_, call, end) => calls.insertEnded(call, end),
		finishCall: (_, id, end) => calls.finish(id, end),
		resolveCall: (_, id, resolved) => calls.resolve(id, resolved),
		recordDecision: (_, columns) => decisions.insert(columns),
		replaceDocument: (now, change) => tables.documents.replace(change, now),
		askRequest: (_, request) => requests.insert(request),
		answerRequest: (_, answer) => requests.answer(answer),
		endRequest: (_, id, end) => requests.end(id, end),
		cancelAbandonedRequests: () => requests.cancelAbandoned(),
		claimCall: (_, claim) => requests.claim(claim),
		enterNode: (_, incarnation) => nodes.enter(incarnation, clock),
		renewNode: (_, facts) => nodes.renew(facts, clock),
		judgeNodes: () => nodes.judge(),
		leaveNode: () => nodes.leave(),
	};
}

/** The operations that only read, and those whose only statement is a transaction of its own: no write waits for them. */
export function createReads(
	query: Query,
	writer: Writer,
): Asynchronous<ReadOperations & Omit<DatabaseOperations, DatabaseWrites> & Pick<WriteOperations, 'removeSlice'>> {
	const retention = createRetention(query);
	const readOtherWork = createOtherWork(query, writer);
	const tables = createTables(query, writer);
	const {events, runs, queue, windows, answers, failedDeliveries, jobClaims, calls, decisions, nodes, requests} =
		tables;
	const {eventResults, lookUpIds, readRates} = tables;
	return {
		listWindows: () => windows.list(),
		listRuns: (_, listed) => runs.list(listed),
		findRun: (_, id) => runs.find(id),
		countWaitingRuns: () => queue.count(),
		listAnswers: (_, listed) => answers.list(listed),
		findAnswer: (_, id) => answers.find(id),
		listFailedDeliveries: (_, listed) => failedDeliveries.list(listed),
		listEventRuns: (_, eventId) => runs.ofEvent(eventId),
		listJobClaims: () => jobClaims.list(),
		findConversation: (_, id) => runs.findConversation(id),
		listQueuedRuns: (_, asked) => queue.behind(asked),
		nextQueuedRuns: (_, limit, without) => queue.next(limit, without),
		listCalls: (_, listed) => calls.list(listed),
		listCallPage: (_, listed) => calls.page(listed),
		listUncertainCalls: (_, listed) => calls.listUncertain(listed),
		listDecisions: (_, listed) => decisions.list(listed),
		findCall: (_, id) => calls.find(id),
		listRunCalls: (_, runId, limit) => calls.ofRun(runId, limit),
		listRuleUses: () => calls.ruleUses(),
		findDecision: (_, id) => decisions.find(id),
		findCallDecision: (_, callId) => decisions.ofCall(callId),
		listRunDecisions: (_, runId, limit) => decisions.ofRun(runId, limit),
		listEvents: (_, listed) => events.list(listed),
		listEventResults: async (_, listed) => eventResults(await events.list(listed)),
		findEvent: (_, id) => events.find(id),
		findTrace: (_, traced) => readTraceRows(tables, traced),
		findIds: (_, searched) => lookUpIds(searched),
		listNodes: () => nodes.list(),
		listRefusingTables: () => findRefusingTables(query),
		listUnreadableRows: async () => tables.unreadable.list(),
		findIdentity: () => readIdentity(query),
		listRates: (_, range) => readRates(range),
		listRequests: (_, asked) => requests.list(asked),
		findWholeRequest: (_, id) => requests.findWhole(id),
		removeSlice: (now, limits) => retention.removeSlice(now + writer.clockAhead, limits),
		listOtherWork: (_, asked) => readOtherWork(asked),
		takeQuotaBlock: (_, route, asked) => tables.quotas.takeBlock(route, asked),
		listDocuments: (_, known) => tables.documents.list(known),
		announce: (_, hint) => sendHint(query, hint),
	};
}
