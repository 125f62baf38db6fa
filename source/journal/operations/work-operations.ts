import {
	awaited,
	behind,
	claimed,
	end,
	own,
	read,
	recovery,
	retried,
	undoReason as reason,
	type Waiting,
} from './operation.ts';
import {type ModelTurn, type RunNote} from '../../state/work-event.ts';
import {type InterruptedSends} from './operation-values.ts';
import {
	type OutgoingMessageEnd,
	type OutgoingMessageRow,
	type ClaimOutcome,
	type EventEnd,
	type EventRecord,
	type EventResultRow,
	type EventRow,
	type FailedDelivery,
	type FailedDeliveryChange,
	type JobClaim,
	type RunEnd,
	type RunRecord,
	type RunRow,
	type UndoneClaim,
	type WindowName,
	type WindowRow,
} from '../rows/records.ts';
import {
	type OutgoingMessage,
	type OutgoingMessageState,
	type DueMessages,
	type FailureNotice,
	type SendProgress,
	type StoredMessage,
} from '../rows/message-records.ts';
import {
	type AcceptOutcome,
	type AcceptRequest,
	acceptRows,
	type AcceptRows,
	type DeliveredEvent,
	type SettleOutcome,
	undoneEvent,
	type UndoneEvent,
} from '../rows/accept-rows.ts';
import {type OutgoingMessageQuery, type RepeatedDelivery} from '../rows/message-rows.ts';
import {type EventColumns, eventColumns, queuedColumns, type QueuedColumns} from '../rows/columns.ts';
import {type EventQuery} from '../rows/event-rows.ts';
import {type EventFile, type EventFileRow, fileColumns, type FileColumns, fileContents} from '../rows/file-rows.ts';
import {type QueuePart, type QueueQuery, type RunQuery} from '../rows/run-rows.ts';
import {type AddedNote, type RunProgressRows} from '../rows/run-progress.ts';
import {type MaxRuns, type RouteLimit, type TurnQuery} from '../rows/run-turns.ts';

/** The body of an event goes beside its row, and the contents of its files behind it. */
type Body = Uint8Array | undefined;
type Contents = readonly Uint8Array[];
type Limit = {readonly limit: number};
type Changes = readonly FailedDeliveryChange[];

/** Events, windows, runs and jobs. A read of a run, or of what one begins with, rejects while no journal is open: none would say that it is over. */
const runOperations = {
	/** Claims the delivery id and writes event and run in one transaction; any result but `accepted` means nothing was written (docs/journal.md, Accepted means kept). */
	acceptEvent: awaited<
		(request: AcceptRequest) => AcceptOutcome,
		(rows: AcceptRows, body: Body, ...contents: Contents) => AcceptOutcome
	>({
		encode: request => [acceptRows(request), request.event.body, ...fileContents(request.event)],
		undo: request => ['undoAccept', undoneEvent(request, reason)],
	}),
	/** Withdraws an event that was reported as not accepted, and frees its delivery id; without effect when another gateway has acted on it. */
	undoAccept: own<(undone: UndoneEvent) => void, (undone: UndoneEvent) => Changes>({returns: 'changes'}),
	/** Writes a request that was not accepted. */
	recordEvent: behind<
		(event: EventRecord) => void,
		(columns: EventColumns, body: Body, files?: readonly FileColumns[], ...contents: Contents) => void
	>({
		encode: event => [eventColumns(event), event.body, fileColumns(event), ...fileContents(event)],
	}),
	/** Stores how an event ended whose job was asked. The delivery id stays claimed, unless the event is `unavailable`: nothing came of it. */
	settleEvent: end<(id: string, end: EventEnd) => void>(),
	/** The same for one that fired nothing, before its sender is answered: nothing was written when its delivery id was released. */
	confirmEvent: awaited<(id: string, end: EventEnd) => SettleOutcome>(),
	/** Releases the delivery ids of events up to this time whose job a gateway that is gone did not start, and records that in their rows. */
	releaseOpenDeliveries: recovery<(before: number) => void>(),
	/** Settles an event whose sender waits, and its messages, in one transaction; a failed one releases the delivery id. */
	endDelivery: retried<
		(event: DeliveredEvent, ends: readonly OutgoingMessageEnd[]) => void,
		(event: DeliveredEvent, ends: readonly OutgoingMessageEnd[]) => Changes
	>({returns: 'changes'}),
	/** Closes a coalescing window and queues its run, whose prompt says how many events it replaces; undefined when the window is already closed. */
	takeWindow: awaited<(window: WindowName) => RunRecord | undefined>(),
	/** The same for one that is due; the milliseconds until then when an event of another gateway has extended it. */
	takeDueWindow: awaited<(window: WindowName) => number | undefined>(),
	/** All open windows. */
	listWindows: read<() => readonly WindowRow[]>({whenClosed: []}),
	/** Queues a run that has no event. */
	queueRun: awaited<(run: RunRecord) => void, (columns: QueuedColumns) => void>({
		encode: run => [queuedColumns(run)],
		undo: ({id}) => ['moveQueuedRuns', [id], {state: 'cancelled', reason}],
	}),
	/** The next runs to take: origins take turns, and runs of one origin come oldest first. */
	nextQueuedRuns: read<(limit: number, asked?: TurnQuery) => readonly RunRecord[]>({whenClosed: []}),
	/** Scans the queue from a position on: each run is read once, whatever waits before it. Of a shared journal, runs may come to lie shortly before it later: they are read twice. */
	listQueuedRuns: read<(query: QueueQuery) => QueuePart>({whenClosed: ({after}) => ({runs: [], last: after})}),
	/** Moves those of the runs that are still queued, and whose route has a slot left where `maxRuns` limits it; returns their ids. Each leaves the queue once, unless it is put back. */
	moveQueuedRuns:
		awaited<
			(ids: readonly string[], change: Pick<RunRow, 'state' | 'reason'>, maxRuns?: MaxRuns) => ReadonlySet<string>
		>(),
	/** Returns a run that was taken but has done nothing yet to its position in the queue; false when it is not running. True again when the write is repeated. */
	requeueRun: retried<(id: string, reason: string) => boolean>(),
	/** A run under way waits for a person: another one of its route may begin. */
	giveRunSlotBack: end<(id: string) => void>(),
	/** Gives the run a slot again; false while its route has none left. */
	takeRunSlotBack: retried<(id: string, limit?: RouteLimit) => boolean>(),
	setRunState: retried<(id: string, state: RunRow['state'], reason?: string) => void>(),
	/** Stores the end of a run of this gateway, or of an inbox item, and its result; false when another one has decided about it. Of a cancelled run nothing is sent any more. */
	finishRun: retried<(id: string, end: RunEnd) => boolean>(),
	/** Writes a request of a run to its model when it is made, and when it was answered. */
	putModelTurn: retried<(runId: string, turn: ModelTurn) => void>(),
	/** Adds the note of a person to a run that is queued or under way. */
	addRunNote: awaited<(runId: string, note: RunNote) => AddedNote>({undo: (_runId, {id}) => ['removeRunNote', id]}),
	/** Removes a note that was reported as not written; without effect when the run has got it. */
	removeRunNote: own<(id: string) => void>(),
	/** The model of a run has got these notes. */
	markNotesRead: retried<(ids: readonly string[], read: NonNullable<RunNote['read']>) => void>(),
	/** The notes that no turn of a run has got, oldest first. */
	listUnreadNotes: read<(runId: string) => readonly RunNote[]>({whenClosed: []}),
	findRunProgress: read<(runId: string) => RunProgressRows>({whenClosed: {turns: [], notes: []}}),
	/** Retains an inbox item for a person who answers or closes it here; false when it is open no more, another gateway has it, or an answer to it is not sent yet. */
	claimInboxItem: awaited<(id: string) => boolean>({undo: id => ['releaseInboxItem', id]}),
	releaseInboxItem: end<(id: string) => void>(),
	/** Runs that a gateway began which is gone become `interrupted`. Returns them, oldest first. */
	interruptBegunRuns: awaited<() => readonly RunRecord[]>(),
	listRuns: read<(query: RunQuery) => readonly RunRow[]>({whenClosed: []}),
	findRun: read<(id: string) => RunRow | undefined>(),
	/** The number of runs in the queue. */
	countWaitingRuns: read<() => number>({whenClosed: 0}),
	/** The runs of an event; at most ten. */
	listEventRuns: read<(eventId: string) => readonly RunRow[]>({whenClosed: []}),
	/** The conversation of a finished run, as `finishRun` stored it. */
	findConversation: read<(runId: string) => string | undefined>(),
	/** Claims a job and queues its run in one transaction (docs/jobs.md, Scheduled jobs). */
	claimJob: awaited<
		(claim: JobClaim, run: RunRecord) => ClaimOutcome,
		(claim: JobClaim, run: QueuedColumns) => ClaimOutcome
	>({
		encode: (claim, run) => [claim, queuedColumns(run)],
		undo: ({jobId, runId}, {eventId, route, deliveryId}) => [
			'undoClaim',
			{jobId, runId, ...(eventId !== '' && {event: {eventId, route, deliveryId}})},
			reason,
		],
	}),
	/** Cancels the run of a job that was reported as not fired, and releases the job and the delivery id of its event; without effect when another gateway has taken the run. */
	undoClaim: own<(undone: UndoneClaim, reason: string) => void>(),
	releaseJob: end<(claim: Pick<JobClaim, 'jobId' | 'runId'>) => void>(),
	listJobClaims: read<() => readonly JobClaim[]>({whenClosed: []}),
	listEvents: read<(query: EventQuery) => readonly EventRow[]>({whenClosed: []}),
	/** The same with what became of runs and deliveries. */
	listEventResults: read<(query: EventQuery) => readonly EventResultRow[]>({whenClosed: []}),
	findEvent: read<(id: string) => EventRecord | undefined>(),
	/** The files that came with an event, without their contents. */
	listEventFiles: read<(eventId: string) => readonly EventFileRow[]>(),
	findEventFile: read<(eventId: string, number: number) => EventFile | undefined>(),
};

/** Messages and where they fail. */
const messageOperations = {
	/** Writes all messages of an answer; resolves before one of them may be sent. Waits for a journal that is away, however long. */
	persistMessages: claimed<
		(messages: readonly OutgoingMessage[], state: OutgoingMessageState, detail?: string, waiting?: Waiting) => void,
		(messages: readonly OutgoingMessage[], state: OutgoingMessageState, detail?: string) => boolean
	>({
		encode: (messages, state, detail) => [messages, state, detail],
		returns: 'written',
		claim: (_messages, _state, _detail, {signal} = {}) => ({signal, wait: 'unbounded'}),
		undo: messages => ['undoMessages', messages.map(({id}) => id), reason],
	}),
	/** Fails messages that were reported as not written; without effect when another gateway has begun to send them. */
	undoMessages: own<
		(ids: readonly string[], reason: string) => void,
		(ids: readonly string[], reason: string) => Changes
	>({returns: 'changes'}),
	/** Writes messages about a failure, to be sent; none when there was one with the same key within five minutes, and the next one has the number of those left out. */
	persistNotice: retried<(notice: FailureNotice) => readonly OutgoingMessage[]>(),
	/** Moves a message from this state to `sending`; false when another gateway, or this one, was quicker, and with `due` when it is not due any more. */
	beginMessage: claimed<(id: string, from: OutgoingMessageState, when?: 'due') => boolean>({
		claim: () => ({wait: 'unbounded'}),
	}),
	/** Records the parts that arrived of a message which this gateway is sending, before the next one is sent. */
	recordProgress: retried<(id: string, progress: SendProgress) => void>(),
	/** Messages of this gateway, and of those that are gone, that are to be sent again now; at most `limit`, oldest first. */
	takeDueMessages: awaited<(limit: number) => DueMessages>(),
	/** Fails a message that was to be sent again, and its run; false when it is in another state. */
	cancelMessage: awaited<(id: string, detail: string) => boolean>(),
	/** Pending messages of this gateway, and those of gateways that are gone, which are this one's from now on; at most `limit`, oldest first. */
	takePendingMessages: awaited<(limit: number) => readonly StoredMessage[]>(),
	/** Stores how the sending ended that `beginMessage` began, and in the same transaction the end of its run; without effect when another gateway has decided about the message. */
	finishMessage: retried<
		(
			id: string,
			state: OutgoingMessageState,
			detail?: string,
			end?: Pick<OutgoingMessageEnd, 'run' | 'attempts'>,
		) => void,
		(end: OutgoingMessageEnd) => Changes
	>({encode: (id, state, detail, end) => [{id, state, detail, ...end}], returns: 'changes'}),
	/** Messages that a gateway began to send which is gone become `outcome_uncertain`, as do the events they belong to; an inbox item stays open and says so. Returns them, oldest first. */
	markInterruptedSendsUncertain: awaited<
		(detail: string) => readonly OutgoingMessage[],
		(detail: string) => InterruptedSends
	>({
		returns: 'uncertain',
	}),
	listMessages: read<(query: OutgoingMessageQuery) => readonly OutgoingMessageRow[]>({whenClosed: []}),
	/** The messages of a delivery without a run that arrived, or may have, or are still sent, newest first: its sender repeats it. */
	listDeliveryMessages: read<(delivery: RepeatedDelivery) => readonly OutgoingMessageRow[]>(),
	findMessage: read<(id: string) => OutgoingMessageRow | undefined>({whenClosed: undefined}),
	/** Where deliveries fail, oldest failure first (docs/delivery.md, Failed deliveries). */
	listFailedDeliveries: read<(query: Limit) => readonly FailedDelivery[]>({whenClosed: []}),
	/** A person has seen them; they count again when the next one fails. */
	dismissFailedDeliveries: awaited<(ids: readonly string[]) => void, (ids: readonly string[]) => Changes>({
		returns: 'changes',
	}),
};

/** Operations on what comes in, runs and goes out. */
export const workOperations = {...runOperations, ...messageOperations};
