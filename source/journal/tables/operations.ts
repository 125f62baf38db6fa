import {type ReadName, type StorageOperations} from '../operations/operations.ts';
import {cancelMessage, finishMessage, finishRun, insertMessages, persistNotice, undoMessages} from './message-ends.ts';
import {readTraceRows} from './trace-rows.ts';
import {
	claimJob,
	confirmEvent,
	markInterruptedSendsUncertain,
	endDelivery,
	settleEvent,
	type Tables,
	takeDueWindow,
	takeWindow,
	undoAccept,
	undoClaim,
} from './transactions.ts';

/** The time by the clock of the journal, at this time by that of the process. */
export type JournalTime = (now: number) => Promise<number>;

/** Operations that an engine carries out in its own way. */
type EngineName = 'acceptEvent' | 'enterNode' | 'removeSlice' | 'listRefusingTables' | 'reserveSpending' | 'takeTasks';

/** Operations that only a database has: what other gateways share with this one is in files beside a journal that is a file. */
export type DatabaseName =
	| 'askRequest'
	| 'answerRequest'
	| 'endRequest'
	| 'setRequestTime'
	| 'cancelAbandonedRequests'
	| 'claimCall'
	| 'listRequests'
	| 'findFullRequest'
	| 'listDocuments'
	| 'replaceDocument'
	| 'announce'
	| 'takeQuotaBlock'
	| 'listOtherWork';

export type Reads = Pick<StorageOperations, Exclude<ReadName, EngineName | DatabaseName>>;
export type Writes = Omit<StorageOperations, ReadName | EngineName | DatabaseName>;

/** The operations that change something. Each runs inside a transaction; the first parameter is the current time of the process. */
export function createWrites(tables: Tables, time: JournalTime): Writes {
	const {events, deliveries, runs, queue, turns, messages, failedDeliveries, jobClaims, calls, decisions, nodes} =
		tables;
	const {eventFiles, runProgress, spending, tasks, remoteMessages} = tables;
	return {
		undoAccept: (now, undone) => undoAccept(tables, undone, now),
		async recordEvent(_, columns, body, ...[files, ...contents]) {
			await events.insert(columns, body);
			await (files && eventFiles.insert(files, contents));
		},
		settleEvent: (_, id, end) => settleEvent(tables, id, end),
		confirmEvent: (_, id, end) => confirmEvent(tables, id, end),
		releaseOpenDeliveries: (_, before) => deliveries.releaseOpen(before),
		endDelivery: (now, event, ends) => endDelivery(tables, {event, messages: ends, now}),
		takeWindow: (_, window) => takeWindow(tables, window),
		takeDueWindow: (now, window) => takeDueWindow(tables, window, now),
		queueRun: (_, columns) => queue.insert(columns),
		moveQueuedRuns: async (now, ids, change, maxRuns) =>
			queue.leave(maxRuns ? await turns.admit(ids, maxRuns) : ids, {...change, now}),
		requeueRun: (now, id, reason) => queue.comeBack(id, {reason, now}),
		giveRunSlotBack: (_, id) => turns.giveSlotBack(id),
		takeRunSlotBack: (_, id, limit) => turns.takeSlotBack(id, limit),
		setRunState: (now, id, state, reason) => runs.setState(id, {state, reason, now}),
		finishRun: (now, id, end) => finishRun(tables, id, {...end, now}),
		putModelTurn: (_, runId, turn) => runProgress.putTurn(runId, turn),
		addRunNote: (_, runId, note) => runProgress.addNote(runId, note),
		removeRunNote: (_, id) => runProgress.removeNote(id),
		markNotesRead: (_, ids, read) => runProgress.markRead(ids, read),
		claimInboxItem: (_, id) => runs.claimItem(id),
		releaseInboxItem: (_, id) => runs.releaseItem(id),
		interruptBegunRuns: now =>
			runs.moveAbandoned('running', {state: 'interrupted', reason: 'the gateway stopped', now}),
		persistMessages: (now, written, state, detail) => insertMessages(messages, written, {state, detail, now}),
		persistNotice: (now, notice) => persistNotice(tables, notice, now),
		finishMessage: (now, end) => finishMessage(tables, {...end, now}),
		recordProgress: (_, id, progress) => messages.recordProgress(id, progress),
		cancelMessage: (now, id, detail) => cancelMessage(tables, id, {detail, now}),
		takeDueMessages: (now, limit) => messages.takeDue({limit, now}),
		markInterruptedSendsUncertain: (now, detail) => markInterruptedSendsUncertain(tables, {detail, now}),
		undoMessages: (now, ids, detail) => undoMessages(tables, ids, {detail, now}),
		beginMessage: (now, id, from, when) => messages.begin(id, {from, now, when}),
		takePendingMessages: (_, limit) => messages.takePending(limit),
		dismissFailedDeliveries: (_, ids) => failedDeliveries.dismiss(ids),
		claimJob: (_, claim, run) => claimJob(tables, claim, run),
		undoClaim: (now, undone, reason) => undoClaim(tables, undone, {reason, now}),
		releaseJob: (_, claim) => jobClaims.release(claim),
		startCall: (_, call) => calls.start(call),
		recordCall: (_, call, end) => calls.insertEnded(call, end),
		finishCall: (_, id, end) => calls.finish(id, end),
		resolveCall: (_, id, resolved) => calls.resolve(id, resolved),
		recordDecision: (_, columns) => decisions.insert(columns),
		correctSpending: (_, correction) => spending.correct(correction),
		markLimit: (_, row) => spending.markLimit(row),
		claimLimit: (_, name) => spending.claimLimit(name),
		endLimit: (_, name, end) => spending.endLimit(name, end),
		...createTaskWrites(tasks, time),
		claimRemoteChannel: async (now, channel) => remoteMessages.claimChannel(channel, await time(now)),
		releaseRemoteChannel: (_, channel) => remoteMessages.releaseChannel(channel),
		takeRemoteMessages: (_, channel) => remoteMessages.take(channel),
		writeRemoteMessage: async (now, message) => remoteMessages.write(message, await time(now)),
		renewNode: async (now, facts) => nodes.renew(facts, await time(now)),
		expireNodes: async now => nodes.expire(await time(now)),
		leaveNode: async now => nodes.leave(await time(now)),
	};
}

type TaskName =
	| 'createTask'
	| 'beginTask'
	| 'releaseTask'
	| 'changeTask'
	| 'endTask'
	| 'setTaskTime'
	| 'removeTask'
	| 'cancelTask';

function createTaskWrites(tasks: Tables['tasks'], time: JournalTime): Pick<Writes, TaskName> {
	return {
		createTask: async (now, task) => tasks.insert(task, await time(now)),
		beginTask: async (now, id, callId) => tasks.begin(id, callId, await time(now)),
		releaseTask: async (now, id) => tasks.release(id, await time(now)),
		changeTask: async (now, id, change) => tasks.change(id, change, await time(now)),
		endTask: async (now, id, end) => tasks.end(id, end, await time(now)),
		setTaskTime: async (now, id, left) => tasks.setTime(id, left, await time(now)),
		removeTask: (_, id) => tasks.remove(id),
		cancelTask: async (now, name) => tasks.cancel(name, await time(now)),
	};
}

/** The operations that only read. The first parameter is the current time of the process. */
export function createReads(tables: Tables, time: JournalTime): Reads {
	const {events, runs, queue, turns, windows, messages, failedDeliveries, jobClaims, calls, decisions, nodes} = tables;
	const {
		eventFiles,
		eventResults,
		lookUpIds,
		readRates,
		readOlder,
		readIdentity,
		runProgress,
		spending,
		tasks,
		unreadable,
	} = tables;
	return {
		listWindows: () => windows.list(),
		listRuns: (_, listed) => runs.list(listed),
		findRun: (_, id) => runs.find(id),
		listUnreadNotes: (_, runId) => runProgress.unreadNotes(runId),
		findRunProgress: (_, runId) => runProgress.ofRun(runId),
		countWaitingRuns: () => queue.count(),
		listMessages: (_, listed) => messages.list(listed),
		findMessage: (_, id) => messages.find(id),
		listDeliveryMessages: (_, delivery) => messages.ofDelivery(delivery),
		listFailedDeliveries: (_, listed) => failedDeliveries.list(listed),
		listEventRuns: (_, eventId) => runs.ofEvent(eventId),
		listJobClaims: () => jobClaims.list(),
		findConversation: (_, id) => runs.findConversation(id),
		listQueuedRuns: (_, asked) => queue.behind(asked),
		nextQueuedRuns: (_, limit, asked) => turns.next(limit, asked),
		listCalls: (_, listed) => calls.list(listed),
		listCallPage: (_, listed) => calls.page(listed),
		listUncertainCalls: (_, listed) => calls.listUncertain(listed),
		listOlderRows: (_, asked) => readOlder(asked),
		countAsked: (_, asked) => decisions.countAsked(asked),
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
		listEventFiles: (_, eventId) => eventFiles.list(eventId),
		findEventFile: (_, eventId, number) => eventFiles.find(eventId, number),
		findTrace: (_, traced) => readTraceRows(tables, traced),
		findIds: (_, searched) => lookUpIds(searched),
		listNodes: async now => nodes.list(await time(now)),
		listUnreadableRows: async () => unreadable.list(),
		findIdentity: () => readIdentity(),
		listRates: (_, range) => readRates(range),
		listSpending: (_, date) => spending.ofDay(date),
		findTask: async (now, name) => tasks.find(name, await time(now)),
		listCancelledTasks: (_, profile) => tasks.listOwn(profile),
	};
}
