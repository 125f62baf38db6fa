import {toProblem} from '../util/problem.ts';
import {type AttendedJournal, type Journal, type JournalOptions, type Reads} from './journal.ts';
import {type FailedDeliveryChange} from './records.ts';
import {
	createRequestBatches,
	reportWrites,
	type RequestBatches,
	type RunRequests,
	takenOver,
} from './request-batches.ts';
import {acceptRows} from './rows/accept-rows.ts';
import {createJournalRequests} from './request-journal.ts';
import {callColumns, callEndColumns, decisionColumns, eventColumns, queuedColumns} from './rows/columns.ts';

/** What carries out the requests of a journal (docs/architecture.md, Modules). */
type Storage = {
	readonly run: RunRequests;
	/** Absent: it goes by the clock of this machine. */
	readonly clockAhead?: () => number;
	readonly close: () => Promise<void>;
};

/** The journal of a storage that is open; closing it closes the storage. */
export function createJournal(storage: Storage, options: JournalOptions): AttendedJournal {
	const {clock, limits, report, onWrite = () => undefined, onFailedDelivery = () => undefined} = options;
	const batches = createRequestBatches(reportRefusals(storage.run, options), clock);
	const {write, writeBehind} = reportWrites(batches, onWrite);
	let closed: Promise<void> | undefined;
	const refused = (caught: unknown) => onWrite(toProblem(caught, 'storage_unavailable'));
	const lost = (caught: unknown) => report?.(toProblem(caught, 'storage_unavailable'));
	const unattended = (written: Promise<unknown>) => void written.catch(lost);
	const publish = (changes: readonly FailedDeliveryChange[]) => changes.forEach(onFailedDelivery);
	return {
		...createReaders(batches),
		acceptEvent: request => write('acceptEvent', acceptRows(request), request.event.body),
		undoAccept: async undone => publish(await write('undoAccept', undone)),
		recordEvent: event => unattended(writeBehind('recordEvent', eventColumns(event), event.body)),
		settleEvent: (id, end) => write('settleEvent', id, end),
		confirmEvent: (id, end) => write('confirmEvent', id, end),
		releaseOpenDeliveries: before => write('releaseOpenDeliveries', before),
		endDelivery: async (event, message) => publish(await write('endDelivery', event, message)),
		takeWindow: window => write('takeWindow', window),
		takeDueWindow: window => write('takeDueWindow', window),
		queueRun: run => write('queueRun', queuedColumns(run)),
		moveQueuedRuns: (ids, change) => write('moveQueuedRuns', ids, change),
		requeueRun: (id, reason) => write('requeueRun', id, reason),
		setRunState: (id, state, reason) => write('setRunState', id, state, reason),
		finishRun: (id, end) => write('finishRun', id, end),
		claimInboxItem: id => write('claimInboxItem', id),
		releaseInboxItem: id => write('releaseInboxItem', id),
		interruptBegunRuns: () => write('interruptBegunRuns'),
		persistAnswer: (answer, state, detail) => unlessTakenOver(write('persistAnswer', answer, state, detail)),
		undoAnswer: async (id, reason) => publish(await write('undoAnswer', id, reason)),
		beginAnswer: (id, from) => write('beginAnswer', id, from),
		takePendingAnswers: limit => write('takePendingAnswers', limit),
		finishAnswer: async (id, state, detail, run) => publish(await write('finishAnswer', {id, state, detail, run})),
		async doubtBegunAnswers(detail) {
			const {doubted, changes} = await write('doubtBegunAnswers', detail);
			publish(changes);
			return doubted;
		},
		dismissFailedDeliveries: async ids => publish(await write('dismissFailedDeliveries', ids)),
		claimJob: (claim, run) => write('claimJob', claim, queuedColumns(run)),
		undoClaim: (undone, reason) => write('undoClaim', undone, reason),
		releaseJob: claim => write('releaseJob', claim),
		startCall: call => unlessTakenOver(write('startCall', callColumns(call))),
		recordCall: (call, end) => unattended(writeBehind('recordCall', callColumns(call), callEndColumns(end))),
		finishCall: (id, end) => write('finishCall', id, callEndColumns(end)),
		resolveCall: (id, resolved) => write('resolveCall', id, resolved),
		recordDecision: decision => unattended(writeBehind('recordDecision', decisionColumns(decision))),
		requests: createJournalRequests(batches, write),
		documents: {
			list: known => batches.ask('listDocuments', known),
			replace: change => write('replaceDocument', change),
			announce: () => batches.ask('announce', 'documents'),
		},
		takeQuotaBlock: (...query) => write('takeQuotaBlock', ...query),
		...createNodeWrites(write, batches),
		clockAhead: () => storage.clockAhead?.() ?? 0,
		prune() {
			const removeNext = () => {
				if (closed === undefined) {
					batches.ask('removeSlice', limits()).then(isMore => isMore && removeNext(), refused);
				}
			};

			removeNext();
		},
		close: () => (closed ??= batches.close().then(storage.close)),
	};
}

/** Rejects when nothing was written, because another gateway has taken over. */
async function unlessTakenOver(written: Promise<boolean>): Promise<void> {
	if (!(await written)) {
		throw takenOver();
	}
}

function reportRefusals(
	run: RunRequests,
	{clock, onRefusal}: Pick<JournalOptions, 'clock' | 'onRefusal'>,
): RunRequests {
	return onRefusal
		? async requests => {
				const replies = await run(requests);
				if (replies.some(({kind}) => kind === 'problem')) {
					clock.soon(onRefusal);
				}

				return replies;
			}
		: run;
}

/** The signs of the gateways of a journal. */
function createNodeWrites(
	write: ReturnType<typeof reportWrites>['write'],
	{ask}: RequestBatches,
): Pick<AttendedJournal, 'enterNode' | 'renewNode' | 'judgeNodes' | 'leaveNode'> {
	return {
		// Whoever opens the journal reports it.
		enterNode: incarnation => ask('enterNode', incarnation),
		renewNode: facts => write('renewNode', facts),
		judgeNodes: () => write('judgeNodes'),
		leaveNode: () => write('leaveNode'),
	};
}

function createReaders({ask}: RequestBatches): Pick<Journal, Reads> {
	return {
		listWindows: () => ask('listWindows'),
		listRuns: query => ask('listRuns', query),
		findRun: id => ask('findRun', id),
		countWaitingRuns: () => ask('countWaitingRuns'),
		listAnswers: query => ask('listAnswers', query),
		findAnswer: id => ask('findAnswer', id),
		listFailedDeliveries: query => ask('listFailedDeliveries', query),
		listEventRuns: eventId => ask('listEventRuns', eventId),
		listJobClaims: () => ask('listJobClaims'),
		findConversation: runId => ask('findConversation', runId),
		nextQueuedRuns: (...query) => ask('nextQueuedRuns', ...query),
		listQueuedRuns: query => ask('listQueuedRuns', query),
		listCalls: query => ask('listCalls', query),
		listCallPage: query => ask('listCallPage', query),
		findCall: id => ask('findCall', id),
		listRunCalls: (runId, limit) => ask('listRunCalls', runId, limit),
		listRuleUses: () => ask('listRuleUses'),
		listUncertainCalls: query => ask('listUncertainCalls', query),
		listDecisions: query => ask('listDecisions', query),
		findDecision: id => ask('findDecision', id),
		findCallDecision: callId => ask('findCallDecision', callId),
		listRunDecisions: (runId, limit) => ask('listRunDecisions', runId, limit),
		listEvents: query => ask('listEvents', query),
		listEventResults: query => ask('listEventResults', query),
		findEvent: id => ask('findEvent', id),
		findTrace: query => ask('findTrace', query),
		findIds: query => ask('findIds', query),
		listNodes: () => ask('listNodes'),
		listRefusingTables: () => ask('listRefusingTables'),
		listUnreadableRows: () => ask('listUnreadableRows'),
		findIdentity: () => ask('findIdentity'),
		listOtherWork: query => ask('listOtherWork', query),
		listRates: query => ask('listRates', query),
	};
}
