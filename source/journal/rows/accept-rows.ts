import {type EventEnd, type EventRecord, type RunRecord, type WindowName} from './records.ts';
import {type OutgoingMessage} from './message-records.ts';
import {type DeliveryClaim} from './event-rows.ts';
import {eventColumns, type EventColumns, queuedColumns, type QueuedColumns} from './columns.ts';
import {fileColumns, type FileColumns} from './file-rows.ts';

/** A webhook event that passed every check, with its run, if any. */
export type AcceptRequest = {
	readonly event: EventRecord;
	/** The delivery id of the route is refused until this time (milliseconds since the epoch). Absent: no deduplication. */
	readonly deduplicateUntil?: number;
	/** The delivery id is released at the next start unless `settleEvent` is called before. */
	readonly isOpen?: boolean;
	/** The messages to send while the sender waits: written as `sending`. */
	readonly messages?: readonly OutgoingMessage[];
	readonly run?: RunRecord;
	/** The key of the coalescing window in which the run waits for later events; absent: it is queued. */
	readonly windowKey?: string;
	/** Times that the window stays open after its latest event, and after its first. Default: it is due at once. */
	readonly windowTiming?: WindowTiming;
	/** The limit of waiting runs, including open windows; absent: unlimited. A run that replaces a waiting one does not count. */
	readonly queueLimit?: number;
};

/** Times after the latest and after the first event of a window, in seconds. */
type WindowTiming = {readonly windowSeconds: number; readonly maxWaitSeconds: number};

/** The window of an event. */
export type TimedWindow = WindowName & WindowTiming;

/** The same as rows, without the body of the event and the contents of its files. */
export type AcceptRows = {
	readonly event: EventColumns;
	readonly files: readonly FileColumns[] | undefined;
	readonly claim: DeliveryClaim | undefined;
	readonly messages: readonly OutgoingMessage[];
	readonly run: QueuedColumns | undefined;
	readonly window: TimedWindow | undefined;
	readonly queueLimit: number | undefined;
};

/** The rows of an accepted event. */
export function acceptRows(request: AcceptRequest): AcceptRows {
	const {event, deduplicateUntil: expiresAt, isOpen, messages = [], run, windowKey: key, queueLimit} = request;
	const {windowSeconds, maxWaitSeconds} = request.windowTiming ?? {windowSeconds: 0, maxWaitSeconds: 0};
	const {id, route, deliveryId} = event;
	const openEvent = isOpen || messages.length > 0 ? id : undefined;
	return {
		event: eventColumns(event),
		files: fileColumns(event),
		claim: expiresAt === undefined ? undefined : {route, deliveryId, expiresAt, openEvent},
		messages,
		run: run && queuedColumns(run),
		window: key === undefined ? undefined : {route, key, windowSeconds, maxWaitSeconds},
		queueLimit,
	};
}

/** Any value but `accepted` means that nothing was written. `open`: whether the delivery id stays claimed is decided when its event ends. */
export type AcceptOutcome = 'accepted' | 'duplicate' | 'open' | 'queue-full';

/** `released`: another gateway has released the delivery id of the event, as this one counted as gone. */
export type SettleOutcome = 'settled' | 'released';

/** A settled event that led to messages. */
export type DeliveredEvent = Pick<EventRecord, 'id' | 'route' | 'deliveryId'> & EventEnd;

/** The work written with an event: a queued run, one that waits in a window, messages, or nothing yet. */
export type WrittenWork =
	| {readonly kind: 'run'; readonly id: string}
	| {readonly kind: 'messages'; readonly ids: readonly string[]}
	| {readonly kind: 'window'}
	| {readonly kind: 'nothing'};

/** The end of an event that was reported as not accepted. */
export type UndoneEvent = {readonly event: DeliveredEvent & {readonly reason: string}; readonly wrote: WrittenWork};

/** The event and the work that undoing an accept withdraws. */
export function undoneEvent(request: AcceptRequest, reason: string): UndoneEvent {
	const {id, route, deliveryId, ms} = request.event;
	const end = {id, route, deliveryId, ms, status: 503, outcome: 'unavailable', reason} as const;
	return {event: end, wrote: writtenWork(request)};
}

function writtenWork({messages = [], run, windowKey}: AcceptRequest): WrittenWork {
	if (messages.length > 0) {
		return {kind: 'messages', ids: messages.map(({id}) => id)};
	}

	const queued = run && ({kind: 'run', id: run.id} as const);
	return (windowKey === undefined ? queued : {kind: 'window'}) ?? {kind: 'nothing'};
}
