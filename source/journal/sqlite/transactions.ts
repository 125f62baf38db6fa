import {type DatabaseSync} from 'node:sqlite';
import {noteEnd} from './answer-ends.ts';
import {type AnswerTable, createAnswerTable} from './answers.ts';
import {type CallTable, createCallTable} from './calls.ts';
import {createDecisionTable, type DecisionTable} from './decisions.ts';
import {createIdLookup, type LookUpIds} from './id-lookup.ts';
import {
	createDeliveryTable,
	createEventResults,
	createEventTable,
	type DeliveryTable,
	type EventTable,
	type ReadEventResults,
} from './events.ts';
import {createJobClaimTable, type JobClaimTable} from './job-claims.ts';
import {createFailedDeliveryTable, type FailedDeliveryTable} from './failed-deliveries.ts';
import {
	type AnswerEnd,
	type AnswerRecord,
	type ClaimOutcome,
	type EventEnd,
	type FailedDeliveryChange,
	type JobClaim,
	type RunRecord,
	type WindowName,
	type UndoneClaim,
} from '../records.ts';
import {createNodeTable, type NodeTable} from './nodes.ts';
import {createRateReader, type ReadRates} from './rates.ts';
import {answeredBefore, runIds} from '../rows/answer-rows.ts';
import {type Writer} from '../rows/node-rows.ts';
import {
	type AcceptOutcome,
	type AcceptRows,
	type DeliveredEvent,
	type UndoneEvent,
	type WrittenWork,
} from '../rows/accept-rows.ts';
import {queuedColumns, type QueuedColumns} from '../rows/columns.ts';
import {createUnreadableRows, type UnreadableRows} from '../rows/read-rows.ts';
import {withNote} from '../rows/run-rows.ts';
import {createRunTable, type RunTable} from './runs.ts';
import {createQueuedRuns, createWindowTable, type QueuedRuns, type WindowTable} from './waiting-runs.ts';

/** Every table of the journal. */
export type Tables = {
	readonly events: EventTable;
	readonly deliveries: DeliveryTable;
	readonly runs: RunTable;
	readonly queue: QueuedRuns;
	readonly windows: WindowTable;
	readonly answers: AnswerTable;
	readonly failedDeliveries: FailedDeliveryTable;
	readonly calls: CallTable;
	readonly jobClaims: JobClaimTable;
	readonly decisions: DecisionTable;
	readonly nodes: NodeTable;
	readonly eventResults: ReadEventResults;
	readonly lookUpIds: LookUpIds;
	readonly readRates: ReadRates;
	readonly unreadable: UnreadableRows;
};

/** Prepares the statements of all tables. */
export function createTables(database: DatabaseSync): Tables {
	const writer: Writer = {incarnation: null, clockAhead: 0};
	const unreadable = createUnreadableRows();
	return {
		unreadable,
		events: createEventTable(database, unreadable),
		deliveries: createDeliveryTable(database, writer),
		runs: createRunTable(database, writer),
		queue: createQueuedRuns(database, writer),
		windows: createWindowTable(database),
		answers: createAnswerTable(database, writer),
		failedDeliveries: createFailedDeliveryTable(database),
		calls: createCallTable(database, writer, unreadable),
		jobClaims: createJobClaimTable(database),
		decisions: createDecisionTable(database, unreadable),
		nodes: createNodeTable(database, writer),
		eventResults: createEventResults(database),
		lookUpIds: createIdLookup(database),
		readRates: createRateReader(database),
	};
}

/**
Claims the delivery id and writes event, run and message. Like all functions below it runs inside one transaction, so all of it is written or nothing.
A full queue leaves the delivery id unclaimed, so that the sender's retry is no duplicate (docs/webhooks.md, Accepted means kept).
*/
export function acceptEvent(
	{events, answers, deliveries, queue, windows}: Tables,
	{event, claim, message, run, window, queueLimit}: AcceptRows,
	{body, now}: {readonly body: Uint8Array | undefined; readonly now: number},
): AcceptOutcome {
	const state = claim ? deliveries.state({...claim, now}) : 'free';
	if (state !== 'free') {
		return state === 'open' ? 'open' : 'duplicate';
	}

	const needsPlace = run && queueLimit !== undefined && !(window && windows.has(window));
	if (needsPlace && queue.count() >= queueLimit) {
		return 'queue-full';
	}

	if (claim) {
		deliveries.claim(claim);
	}

	if (message) {
		answers.insert(message, {state: 'sending', now});
	}

	events.insert(event, body);
	if (run && window) {
		windows.put(window, run);
	} else if (run) {
		queue.insert(run);
	}

	return 'accepted';
}

/** Settles an event whose job was asked. Its delivery id stays claimed, unless nothing came of it. */
export function settleEvent({events, deliveries, runs}: Tables, id: string, end: EventEnd): void {
	if (end.outcome !== 'unavailable') {
		events.settle(id, end);
		deliveries.confirm(id);
	} else if (runs.ofEvent(id).every(({state}) => state === 'cancelled')) {
		events.settle(id, end);
		deliveries.releaseUnsettled(id);
	}
}

/** Releases the delivery ids of events that led to nothing. A job whose run was queued did start, even if its sender got no response. */
export function releaseOpen({events, deliveries, runs, answers}: Tables, before: number): void {
	const wasActedOn = (eventId: string) =>
		runs.ofEvent(eventId).length > 0 || answers.list({eventId, limit: 1}).length > 0;
	deliveries.releaseOpen(before, wasActedOn).forEach(events.markStopped);
}

/** Settles an event and its message. A failed message releases the delivery id, so that the sender may retry; one that may have arrived retains it. Without effect when another gateway has decided about the message. */
export function endDelivery(
	tables: Tables,
	{event, message, now}: {readonly event: DeliveredEvent; readonly message: AnswerEnd; readonly now: number},
): readonly FailedDeliveryChange[] {
	const {id, route, deliveryId} = event;
	const write = tables.answers.finish(message.id, {...message, now});
	if (write === 'changed') {
		tables.events.settle(id, event);
		if (message.state === 'failed') {
			tables.deliveries.release({route, deliveryId});
		} else {
			tables.deliveries.confirm(id);
		}
	}

	return write === 'taken' ? [] : noteEnd(tables, {...message, now}, write);
}

/**
Withdraws an event that was reported as not accepted, and frees its delivery id for the sender's retry. What another gateway has acted on stays accepted,
as does a window that stands for earlier events too: the retry is a duplicate then.
*/
export function undoAccept(tables: Tables, {event, wrote}: UndoneEvent, now: number): readonly FailedDeliveryChange[] {
	const {events, deliveries} = tables;
	const {id, route, deliveryId, reason} = event;
	if (wrote.kind === 'nothing') {
		events.settle(id, event);
		deliveries.releaseUnsettled(id);
		return [];
	}

	const change = {detail: reason, now};
	if (!isWithdrawn(tables, wrote, {...change, eventId: id})) {
		return [];
	}

	events.settle(id, event);
	deliveries.release({route, deliveryId});
	return wrote.kind === 'message' ? noteEnd(tables, {id: wrote.id, state: 'failed', ...change}, 'changed') : [];
}

function isWithdrawn(
	{queue, windows, answers}: Tables,
	wrote: Exclude<WrittenWork, {readonly kind: 'nothing'}>,
	{eventId, detail, now}: {readonly eventId: string; readonly detail: string; readonly now: number},
): boolean {
	switch (wrote.kind) {
		case 'run':
			return queue.leave(wrote.id, {state: 'cancelled', reason: detail, now});
		case 'message':
			return answers.withdraw(wrote.id, {from: 'sending', detail, now});
		case 'window':
			return windows.drop(eventId);
	}
}

/** Cancels the run of a job that was reported as not fired, and releases the job and the delivery id of its event; one whose run another gateway has taken stays claimed. */
export function undoClaim(
	{queue, jobClaims, deliveries}: Tables,
	{event, ...claim}: UndoneClaim,
	{reason, now}: {readonly reason: string; readonly now: number},
): void {
	if (queue.leave(claim.runId, {state: 'cancelled', reason, now})) {
		jobClaims.withdraw(claim);
		if (event) {
			deliveries.release(event);
		}
	}
}

/** Answers that were being sent become uncertain, and so does the event of a message without a run; a run has an outcome of its own, and an inbox item says so. */
export function doubtBegun(
	{events, deliveries, answers, failedDeliveries, runs}: Tables,
	change: {readonly detail: string; readonly now: number},
): {readonly doubted: readonly AnswerRecord[]; readonly changes: readonly FailedDeliveryChange[]} {
	const doubted = answers.doubtBegun(change);
	for (const {runId, eventId} of doubted) {
		if (runId === undefined && eventId !== '') {
			events.markUncertain(eventId, change.detail);
			deliveries.confirm(eventId);
		}
	}

	runs.noteItems(runIds(doubted), answeredBefore(change.detail));
	const changes = doubted.map(answer => failedDeliveries.note(answer, {...change, state: 'outcome_uncertain'}));
	return {doubted, changes: changes.filter(one => one !== undefined)};
}

/** Claims a job and queues its run; any result but `claimed` means nothing was written. */
export function claimJob(tables: Tables, claim: JobClaim, run: QueuedColumns): ClaimOutcome {
	const outcome = tables.jobClaims.claim(claim);
	if (outcome === 'claimed') {
		tables.queue.insert(run);
	}

	return outcome;
}

/** Closes a window and queues its run; undefined when the window is already closed. */
export function takeWindow({windows, queue}: Tables, window: WindowName): RunRecord | undefined {
	const taken = windows.take(window);
	const run = taken && withNote(taken.run, taken.superseded);
	if (run) {
		queue.insert(queuedColumns(run));
	}

	return run;
}
