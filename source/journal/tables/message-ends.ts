import {type AnsweredRun, type OutgoingMessageEnd, type FailedDeliveryChange, type RunEnd} from '../rows/records.ts';
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
		await endAnsweredRun(tables, run, end.now);
	}

	return write === 'taken' ? [] : noteEnd(tables, {id, ...end}, write);
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
	const {runId} = (isCancelled && (await messages.find(id))) || {};
	if (runId !== undefined) {
		await runs.endLater(runId, {state: 'failed', reason: change.detail, result: {}}, change.now);
	}

	return isCancelled;
}

/** Withdraws a message that was reported as not written. */
export async function undoMessage(
	tables: Tables,
	id: string,
	change: {readonly detail: string; readonly now: number},
): Promise<readonly FailedDeliveryChange[]> {
	const isFailed = await tables.messages.withdraw(id, {from: 'pending', ...change});
	return isFailed ? noteEnd(tables, {id, state: 'failed', ...change}, 'changed') : [];
}
