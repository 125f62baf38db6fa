import {
	type AcceptRequest,
	type AnswerRecord,
	type AttendedJournal,
	type CallRecord,
	type RunRecord,
} from './journal.ts';
import {type JobClaim} from './records.ts';
import {type WrittenRequest} from './rows/request-rows.ts';

/** Undoes a write that was reported as failed, though it may be on disk; without effect when it is not. */
type Undo = (journal: AttendedJournal) => Promise<unknown>;

const reason = 'the journal could not be written';

/** An event whose sender got 503: its run is not begun, its message not sent, and its delivery id is free for the sender's retry. */
export function undoAccept({event, message, run}: AcceptRequest): Undo {
	const {id, route, deliveryId, ms} = event;
	const end = {id, route, deliveryId, ms, status: 503, outcome: 'unavailable', reason} as const;
	return journal =>
		Promise.all([
			run && undoRun(run)(journal),
			journal.dropWindow(id),
			journal.endDelivery(end, {id: message?.id ?? '', state: 'failed', detail: reason}),
		]);
}

/** A run that was reported as not queued. */
export function undoRun({id}: Pick<RunRecord, 'id'>): Undo {
	return journal => journal.moveQueuedRuns([id], {state: 'cancelled', reason});
}

/** A job that did not fire. */
export function undoClaim({jobId, runId}: JobClaim, run: RunRecord): Undo {
	return journal => Promise.all([undoRun(run)(journal), journal.releaseJob({jobId, runId})]);
}

/** An answer that was not sent, and whose run failed for it. */
export function undoAnswer({id}: AnswerRecord): Undo {
	return journal => journal.setAnswerState(id, 'failed', reason);
}

/** A request that nobody is asked about. */
export function undoRequest({request}: WrittenRequest): Undo {
	return journal => journal.requests.end(request.id, {kind: 'cancelled'});
}

/** A call that was not sent; one of a read-only tool was. */
export function undoCall({id, readOnly}: CallRecord): Undo | undefined {
	return readOnly
		? undefined
		: journal => journal.finishCall(id, {outcome: 'failed', code: 'storage_unavailable', ms: 0});
}
