import {z} from 'zod';
import {
	type OutgoingMessageEnd,
	type ClaimOutcome,
	type EventEnd,
	type FailedDeliveryChange,
	type JobClaim,
	type RunRecord,
	type WindowName,
	type UndoneClaim,
} from '../rows/records.ts';
import {type InterruptedSends} from '../operations/operation-values.ts';
import {type DeliveredEvent, type SettleOutcome, type UndoneEvent, type WrittenWork} from '../rows/accept-rows.ts';
import {queuedColumns, type QueuedColumns} from '../rows/columns.ts';
import {answeredBefore, type MessageFinish, runIds} from '../rows/message-rows.ts';
import {createUnreadableRows, type UnreadableRows} from '../rows/read-rows.ts';
import {withNote} from '../rows/run-rows.ts';
import {noteEnd, noteFailed, withdrawAll} from './message-ends.ts';
import {createFailureNoticeTable, type FailureNoticeTable} from './failure-notices.ts';
import {type MessageTable, createMessageTable} from './messages.ts';
import {type CallTable, createCallTable} from './calls.ts';
import {createDecisionTable, type DecisionTable} from './decisions.ts';
import {createEventResults, type ReadEventResults} from './event-results.ts';
import {createEventFileTable, type EventFileTable} from './event-files.ts';
import {createDeliveryTable, createEventTable, type DeliveryTable, type EventTable} from './events.ts';
import {createFailedDeliveryTable, type FailedDeliveryTable} from './failed-deliveries.ts';
import {createIdLookup, type LookUpIds} from './id-lookup.ts';
import {createJobClaimTable, type JobClaimTable} from './job-claims.ts';
import {createNodeTable, type NodeTable} from './nodes.ts';
import {readRows, type TableAccess} from './query.ts';
import {createOlderRows} from './older-rows.ts';
import {createRateReader, type ReadRates} from './rates.ts';
import {createRemoteMessageTable, type RemoteMessageTable} from './remote-messages.ts';
import {createRunProgressTable, type RunProgressTable} from './run-progress.ts';
import {createRunTable, type RunTable} from './runs.ts';
import {createRunTurns, type RunTurns} from './run-turns.ts';
import {createSpendingTable, type SpendingTable} from './spending.ts';
import {createTaskTable, type TaskTable} from './tasks.ts';
import {createQueuedRuns, createWindowTable, type QueuedRuns, type WindowTable} from './waiting-runs.ts';

/** Every table of the journal. */
export type Tables = {
	readonly events: EventTable;
	readonly eventFiles: EventFileTable;
	readonly deliveries: DeliveryTable;
	readonly runs: RunTable;
	readonly runProgress: RunProgressTable;
	readonly queue: QueuedRuns;
	readonly turns: RunTurns;
	readonly windows: WindowTable;
	readonly messages: MessageTable;
	readonly failedDeliveries: FailedDeliveryTable;
	readonly failureNotices: FailureNoticeTable;
	readonly calls: CallTable;
	readonly jobClaims: JobClaimTable;
	readonly decisions: DecisionTable;
	readonly nodes: NodeTable;
	readonly spending: SpendingTable;
	readonly tasks: TaskTable;
	readonly remoteMessages: RemoteMessageTable;
	readonly eventResults: ReadEventResults;
	readonly lookUpIds: LookUpIds;
	readonly readRates: ReadRates;
	readonly readOlder: ReturnType<typeof createOlderRows>;
	/** The id that the journal got when it was made. */
	readonly readIdentity: () => Promise<string | undefined>;
	readonly unreadable: UnreadableRows;
};

const identityRow = z.object({id: z.string()});

/** The statements of all tables. */
export function createTables(access: TableAccess): Tables {
	const {query} = access;
	const unreadable = createUnreadableRows();
	return {
		unreadable,
		readIdentity: async () => (await readRows(identityRow, query('SELECT id FROM journal_identity')))[0]?.id,
		events: createEventTable(access, unreadable),
		eventFiles: createEventFileTable(access),
		deliveries: createDeliveryTable(access),
		runs: createRunTable(access),
		runProgress: createRunProgressTable(access),
		queue: createQueuedRuns(access),
		turns: createRunTurns(access),
		windows: createWindowTable(access),
		messages: createMessageTable(access),
		failedDeliveries: createFailedDeliveryTable(query),
		failureNotices: createFailureNoticeTable(query),
		calls: createCallTable(access, unreadable),
		jobClaims: createJobClaimTable(query),
		decisions: createDecisionTable(access, unreadable),
		nodes: createNodeTable(access),
		spending: createSpendingTable(access),
		tasks: createTaskTable(access),
		remoteMessages: createRemoteMessageTable(access),
		eventResults: createEventResults(query),
		lookUpIds: createIdLookup(query),
		readRates: createRateReader(access),
		readOlder: createOlderRows(access, unreadable),
	};
}

/**
Settles an event whose job was asked. Its delivery id stays claimed, unless nothing came of it. Like all functions below it runs inside one transaction, so
all of it is written or nothing.
*/
export async function settleEvent({events, deliveries, runs}: Tables, id: string, end: EventEnd): Promise<void> {
	if (end.outcome !== 'unavailable') {
		await events.settle(id, end);
		await deliveries.confirm(id);
	} else if ((await runs.ofEvent(id)).every(({state}) => state === 'cancelled')) {
		await events.settle(id, end);
		await deliveries.releaseUnsettled(id);
	}
}

/** The same for one that fired nothing; `released`: another gateway has released its delivery id before, and nothing was written. */
export async function confirmEvent(tables: Tables, id: string, end: EventEnd): Promise<SettleOutcome> {
	if (await tables.deliveries.wasReleased(id)) {
		return 'released';
	}

	await settleEvent(tables, id, end);
	return 'settled';
}

/** Settles an event and its messages. One that failed releases the delivery id, so that the sender may retry; those that arrived, or may have, retain it. Without effect when another gateway has decided about the messages. */
export async function endDelivery(
	tables: Tables,
	{
		event,
		messages,
		now,
	}: {readonly event: DeliveredEvent; readonly messages: readonly OutgoingMessageEnd[]; readonly now: number},
): Promise<readonly FailedDeliveryChange[]> {
	const {id, route, deliveryId} = event;
	const changes: FailedDeliveryChange[] = [];
	const writes = new Set<MessageFinish>();
	for (const message of messages) {
		const write = await tables.messages.finish(message.id, {...message, now});
		writes.add(write);
		changes.push(...(write === 'taken' ? [] : await noteEnd(tables, {...message, now}, write)));
	}

	if (writes.has('changed')) {
		const isFailed = messages.some(({state}) => state === 'failed');
		await tables.events.settle(id, event);
		await (isFailed ? tables.deliveries.release({route, deliveryId}) : tables.deliveries.confirm(id));
	}

	return changes;
}

/**
Withdraws an event that was reported as not accepted, and frees its delivery id for the sender's retry. An event that another gateway has acted on,
or answered as a duplicate, stays accepted, as does a window that stands for earlier events too: the retry is a duplicate then.
*/
export async function undoAccept(
	tables: Tables,
	{event, wrote}: UndoneEvent,
	now: number,
): Promise<readonly FailedDeliveryChange[]> {
	const {events, deliveries} = tables;
	const {id, route, deliveryId, reason} = event;
	if (wrote.kind === 'nothing') {
		await events.settle(id, event);
		await deliveries.releaseUnsettled(id);
		return [];
	}

	const change = {detail: reason, now};
	if (
		!(await deliveries.isOwn({...event, eventId: id})) ||
		!(await isWithdrawn(tables, wrote, {...change, eventId: id}))
	) {
		return [];
	}

	await events.settle(id, event);
	await deliveries.release({route, deliveryId});
	return wrote.kind === 'messages' ? noteFailed(tables, wrote.ids, change) : [];
}

async function isWithdrawn(
	{queue, windows, messages}: Tables,
	wrote: Exclude<WrittenWork, {readonly kind: 'nothing'}>,
	{eventId, detail, now}: {readonly eventId: string; readonly detail: string; readonly now: number},
): Promise<boolean> {
	switch (wrote.kind) {
		case 'run':
			return (await queue.leave([wrote.id], {state: 'cancelled', reason: detail, now})).size > 0;
		case 'messages':
			return withdrawAll(messages, wrote.ids, {from: 'sending', detail, now});
		case 'window':
			return windows.drop(eventId);
	}
}

/** Cancels the run of a job that was reported as not fired, and releases the job and the delivery id of its event; one whose run another gateway has taken, or whose event it has answered as a duplicate, stays claimed. */
export async function undoClaim(
	{queue, jobClaims, deliveries}: Tables,
	{event, ...claim}: UndoneClaim,
	{reason, now}: {readonly reason: string; readonly now: number},
): Promise<void> {
	const isOwn = event === undefined || (await deliveries.isOwn(event));
	if (isOwn && (await queue.leave([claim.runId], {state: 'cancelled', reason, now})).size > 0) {
		await jobClaims.withdraw(claim);
		await (event && deliveries.release(event));
	}
}

/** Messages that were being sent become uncertain, and so does the event of a message without a run, whose delivery id stays claimed; a run has an outcome of its own, and an inbox item says so. */
export async function markInterruptedSendsUncertain(
	{events, deliveries, messages, failedDeliveries, runs}: Tables,
	change: {readonly detail: string; readonly now: number},
): Promise<InterruptedSends> {
	const uncertain = await messages.markInterruptedSendsUncertain(change);
	const withoutRun = uncertain.flatMap(({runId, eventId}) => (runId === undefined && eventId !== '' ? [eventId] : []));
	await events.markUncertain(withoutRun, change.detail);
	for (const eventId of withoutRun) {
		await deliveries.confirm(eventId);
	}

	await runs.noteItems(runIds(uncertain), answeredBefore(change.detail));
	const changes: FailedDeliveryChange[] = [];
	for (const message of uncertain) {
		const noted = await failedDeliveries.note(message, {...change, state: 'outcome_uncertain'});
		changes.push(...(noted ? [noted] : []));
	}

	return {uncertain, changes};
}

/** Claims a job and queues its run; any result but `claimed` means nothing was written. The retry of an event fires the job when this gateway was declared dead before. */
export async function claimJob(
	{deliveries, jobClaims, queue}: Tables,
	claim: JobClaim,
	run: QueuedColumns,
): Promise<ClaimOutcome> {
	const [, eventId] = run;
	if (eventId !== null && (await deliveries.wasReleased(eventId))) {
		return 'released';
	}

	const outcome = await jobClaims.claim(claim);
	if (outcome === 'claimed') {
		await queue.insert(run);
		await (eventId !== null && deliveries.confirm(eventId));
	}

	return outcome;
}

/** Closes a window that is due and queues its run; the milliseconds until then when another event has extended it. */
export async function takeDueWindow(tables: Tables, window: WindowName, now: number): Promise<number | undefined> {
	const dueIn = await tables.windows.dueIn(window, now);
	if (dueIn === undefined || dueIn > 0) {
		return dueIn;
	}

	await takeWindow(tables, window);
	return undefined;
}

/** Closes a window and queues its run; undefined when the window is already closed. */
export async function takeWindow({windows, queue}: Tables, window: WindowName): Promise<RunRecord | undefined> {
	const taken = await windows.take(window);
	const run = taken && withNote(taken.run, taken.superseded);
	if (run) {
		await queue.insert(queuedColumns(run));
	}

	return run;
}
