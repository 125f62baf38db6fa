import {type CallOutcome} from '../../state/approval-event.ts';
import {type CallEnd, type CallRecord, type DecisionRecord, type EventRecord, type RunRecord} from './records.ts';
import {askerColumn} from './asker-rows.ts';
import {originName} from './run-turns.ts';

/*
Flat values of a record for the storage, made where the record is, since they cross to the journal's thread far sooner than the record
(docs/performance.md, Webhooks). Only the storage knows how rows are read again.
*/

/** The columns of an event but its body, in the order in which they are bound. */
export type EventColumns = ReadonlyArray<string | number | null>;

/** The columns of an event. */
export function eventColumns(event: EventRecord): EventColumns {
	return [
		event.id,
		event.time,
		event.profile,
		event.route,
		event.event,
		event.deliveryId,
		JSON.stringify(Object.entries(event.headers)),
		event.status,
		event.outcome,
		event.reason ?? null,
		event.ms,
		event.trace ? JSON.stringify(event.trace) : null,
	];
}

/** The columns of a run that waits, in the order in which they are bound. */
export type QueuedColumns = readonly [
	id: string,
	eventId: string | null,
	createdAt: number,
	profile: string,
	job: string | null,
	record: string,
	origin: string,
];

/** The columns of a run. */
export function queuedColumns(run: RunRecord): QueuedColumns {
	const {id, eventId, createdAt, profile, job = null} = run;
	return [id, eventId === '' ? null : eventId, createdAt, profile, job, JSON.stringify(run), originName(run)];
}

/** The columns of a call that starts, in the order in which they are bound. */
export type CallColumns = readonly [
	id: string,
	time: number,
	run: string | null,
	rule: string | null,
	profile: string,
	server: string,
	readOnly: 0 | 1,
	record: string,
	asker: string,
];

/** The columns of a call. */
export function callColumns(call: CallRecord): CallColumns {
	const {id, time, origin, judged, profile, server, readOnly} = call;
	const run = origin.kind === 'run' ? origin.runId : null;
	return [
		id,
		time,
		run,
		judged?.rule?.id ?? null,
		profile,
		server,
		readOnly ? 1 : 0,
		JSON.stringify(call),
		askerColumn(origin),
	];
}

/** The columns of a call that ended. The result is compressed where it is written. */
export type CallEndColumns = readonly [outcome: CallOutcome, code: string | null, ms: number, answer: string | null];

/** The columns of the end of a call. */
export function callEndColumns({outcome, code, ms, result}: CallEnd): CallEndColumns {
	return [outcome, code ?? null, ms, result ? JSON.stringify(result) : null];
}

/** The columns of a decision, in the order in which they are bound. */
export type DecisionColumns = readonly [
	id: string,
	time: number,
	callId: string | null,
	run: string | null,
	requestedAt: number | null,
	record: string,
	profile: string,
	server: string,
	tool: string,
	outcome: string,
	asker: string | null,
];

/** The columns of a decision. */
export function decisionColumns(decision: DecisionRecord): DecisionColumns {
	const {id, time, callId = null, origin, requestedAt = null, profile, server, tool, outcome} = decision;
	const run = origin?.kind === 'run' ? origin.runId : null;
	const asker = origin ? askerColumn(origin) : null;
	return [id, time, callId, run, requestedAt, JSON.stringify(decision), profile, server, tool, outcome, asker];
}
