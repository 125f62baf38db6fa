import {type AnsweredRun, type OutgoingMessageEnd, type FailedDeliveryChange, type RunEnd} from '../rows/records.ts';
import {type FailureNotice, type OutgoingMessage} from '../rows/message-records.ts';
import {endOfParts} from '../rows/answer-ends.ts';
import {type MessageChange, type WithdrawnMessage} from '../rows/message-rows.ts';
import {type FailureNoticeTable, withLeftOut} from './failure-notices.ts';
import {type MessageTable} from './messages.ts';
import {type FailedDeliveryTable} from './failed-deliveries.ts';
import {type RunTable} from './runs.ts';

/** The tables that the end of a message changes. Like those of `transactions.ts`, all functions below run inside one transaction. */
type Tables = {
	readonly messages: MessageTable;
	readonly failedDeliveries: FailedDeliveryTable;
	readonly runs: RunTable;
};

/** Ends the sending of a message, and its run with it, and notes whether its route still fails at its platform: the changes of that list. */
export async function finishMessage(
	tables: Tables,
	{id, run, ...end}: OutgoingMessageEnd & {readonly now: number},
): Promise<readonly FailedDeliveryChange[]> {
	const write = await tables.messages.finish(id, end);
	if (write === 'changed' && run) {
		await endPart(tables, run, end.now);
	}

	return write === 'taken' ? [] : noteEnd(tables, {id, ...end}, write);
}

/** Ends the run of an answer with the last of its messages; until then nothing is written of it. */
async function endPart(tables: Tables, {part, ...run}: AnsweredRun, now: number): Promise<void> {
	if (!part) {
		return endAnsweredRun(tables, run, now);
	}

	await tables.runs.lock(run.id);
	const others = await tables.messages.withIds(part.others);
	const item = (await tables.runs.find(run.id))?.state === 'inbox' ? 'inbox item' : 'run';
	const end = endOfParts(run, {target: part.target, others, of: item});
	await (end && endAnsweredRun(tables, {...end, id: run.id}, now));
}

/** Ends the run of an answer that was sent: a person cannot answer an inbox item again that has its answer. A run that another gateway interrupted, or whose answer was to be sent again, has another end after all. */
async function endAnsweredRun({runs}: Tables, {id, ...end}: AnsweredRun, now: number): Promise<void> {
	if ((await runs.find(id))?.state === 'inbox' && end.state !== 'finished') {
		await runs.leaveItem(id, end.reason ?? '');
	} else if (!(await runs.finish(id, end, now))) {
		await runs.endLater(id, end, now);
	}
}

/** Ends a run; what a cancelled one had not begun to send stays unsent. */
export async function finishRun(
	{runs, messages}: Tables,
	id: string,
	{now, ...end}: RunEnd & {readonly now: number},
): Promise<boolean> {
	const isFinished = await runs.finish(id, end, now);
	if (isFinished && end.state === 'cancelled') {
		await messages.withdrawOfRun(id, {detail: end.reason ?? '', now});
	}

	return isFinished;
}

/** Notes whether the route of a message fails at its platform, now that it has ended so. */
export async function noteEnd(
	{messages, failedDeliveries}: Omit<Tables, 'runs'>,
	{id, ...end}: OutgoingMessageEnd & {readonly now: number},
	write: 'changed' | 'unchanged',
): Promise<readonly FailedDeliveryChange[]> {
	const message = (await failedDeliveries.isChangedBy(end.state)) ? await messages.find(id) : undefined;
	const change = message && (await failedDeliveries.note(message, {...end, write}));
	return change ? [change] : [];
}

/** Ends a message that was to be sent again, because a person wants so, and its run with it; false when it is in another state. */
export async function cancelMessage(
	{messages, runs}: Tables,
	id: string,
	change: {readonly detail: string; readonly now: number},
): Promise<boolean> {
	const isCancelled = await messages.cancel(id, change);
	const message = isCancelled ? await messages.find(id) : undefined;
	if (message?.runId !== undefined) {
		const {target, others: ids = []} = message;
		const others = await messages.withIds(ids);
		const failed = {state: 'failed', reason: change.detail, result: {}} as const;
		const end = ids.length === 0 ? failed : endOfParts(failed, {target, others, of: 'run'});
		await (end && runs.endLater(message.runId, end, change.now));
	}

	return isCancelled;
}

/** Withdraws messages that were reported as not written. */
export async function undoMessages(
	tables: Tables,
	ids: readonly string[],
	change: {readonly detail: string; readonly now: number},
): Promise<readonly FailedDeliveryChange[]> {
	const isFailed = await withdrawAll(tables.messages, ids, {from: 'pending', ...change});
	return isFailed ? noteFailed(tables, ids, change) : [];
}

/** Fails messages that were written together; false when nobody knows that they were not begun. */
export async function withdrawAll(
	messages: Pick<MessageTable, 'withdraw'>,
	ids: readonly string[],
	change: WithdrawnMessage,
): Promise<boolean> {
	const withdrawn = new Set<boolean>();
	for (const id of ids) {
		withdrawn.add(await messages.withdraw(id, change));
	}

	return !withdrawn.has(false);
}

/** Notes that these messages have failed. */
export async function noteFailed(
	tables: Omit<Tables, 'runs'>,
	ids: readonly string[],
	change: {readonly detail: string; readonly now: number},
): Promise<readonly FailedDeliveryChange[]> {
	const changes: FailedDeliveryChange[] = [];
	for (const id of ids) {
		changes.push(...(await noteEnd(tables, {id, state: 'failed', ...change}, 'changed')));
	}

	return changes;
}

/** Writes messages before they are sent: all of them, or none where another gateway has decided about the inbox item that they answer. */
export async function insertMessages(
	messages: Pick<MessageTable, 'insert'>,
	written: readonly OutgoingMessage[],
	change: MessageChange,
): Promise<boolean> {
	const inserted = new Set<boolean>();
	for (const message of written) {
		inserted.add(await messages.insert(message, change));
	}

	return !inserted.has(false);
}

/** Writes the messages about a failure, with the number of those that were left out; none while there was one for the same reason lately. */
export async function persistNotice(
	{failureNotices, messages}: {readonly failureNotices: FailureNoticeTable; readonly messages: MessageTable},
	{key, messages: notices}: FailureNotice,
	now: number,
): Promise<readonly OutgoingMessage[]> {
	const [first] = notices;
	const leftOut = first && (await failureNotices.take({key, messageId: first.id, now}));
	if (leftOut === undefined) {
		return [];
	}

	const written = notices.map(notice => withLeftOut(notice, leftOut));
	await insertMessages(messages, written, {state: 'pending', now});
	return written;
}
