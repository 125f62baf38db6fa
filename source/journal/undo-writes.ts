import {
	type AcceptRequest,
	type AnswerRecord,
	type AttendedJournal,
	type CallRecord,
	type RunRecord,
} from './journal.ts';
import {type JobClaim} from './records.ts';
import {undoneEvent} from './rows/accept-rows.ts';
import {type WrittenRequest} from './rows/request-rows.ts';

/** Undoes a write that was reported as failed, though it may be on disk; without effect when it is not. */
type Undo = (journal: AttendedJournal) => Promise<unknown>;

const reason = 'the journal could not be written';

/** An event whose sender got 503: unless another gateway has acted on it, its run is not begun, its message not sent, and its delivery id is free for the sender's retry. */
export function undoAccept(request: AcceptRequest): Undo {
	return journal => journal.undoAccept(undoneEvent(request, reason));
}

/** A run that was reported as not queued. */
export function undoRun({id}: Pick<RunRecord, 'id'>): Undo {
	return journal => journal.moveQueuedRuns([id], {state: 'cancelled', reason});
}

/** A job that did not fire. */
export function undoClaim({jobId, runId}: JobClaim, {eventId, route, deliveryId}: RunRecord): Undo {
	const undone = {jobId, runId, ...(eventId !== '' && {event: {eventId, route, deliveryId}})};
	return journal => journal.undoClaim(undone, reason);
}

/** An inbox item that nobody answers here. */
export function undoInboxClaim(id: string): Undo {
	return journal => journal.releaseInboxItem(id);
}

/** An answer that was not sent, and whose run failed for it. */
export function undoAnswer({id}: AnswerRecord): Undo {
	return journal => journal.undoAnswer(id, reason);
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
