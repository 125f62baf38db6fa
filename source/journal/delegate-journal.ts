import {Problem} from '../util/problem.ts';
import {type AttendedJournal, type Journal, type Reads} from './journal.ts';
import {type RetriedWrites} from './retried-writes.ts';
import {isRefused} from './request-batches.ts';
import {undoAccept, undoAnswer, undoCall, undoClaim, undoInboxClaim, undoRequest, undoRun} from './undo-writes.ts';

type Access = {
	readonly current: () => AttendedJournal | undefined;
	/** The problem of a write while nothing is open. */
	readonly refusal: () => Problem | undefined;
	/** Called with every error of the open journal. */
	readonly failed: (caught: unknown) => void;
	readonly retried: Pick<RetriedWrites, 'write' | 'claim'>;
};

/** The journal that is open at each call, if any. */
export function delegateJournal(access: Access, close: Journal['close']): Journal {
	return {...delegateReads(access), ...delegateWrites(access), close};
}

/**
Without a journal there is nothing to find, but pages, where one without a next would say that there are no more calls, gateways, where none would say
that all are gone, a run, where none would say that it is over, and what a run begins with: its conversation, and the payload of its event.
*/
function delegateReads({current, refusal, failed}: Access): Pick<Journal, Reads> {
	const readFrom = async <Value>(journal: Journal, find: (journal: Journal) => Promise<Value>): Promise<Value> => {
		try {
			return await find(journal);
		} catch (caught) {
			failed(caught);
			throw caught;
		}
	};

	const read = async <Value>(absent: Value, find: (journal: Journal) => Promise<Value>): Promise<Value> => {
		const journal = current();
		return journal ? readFrom(journal, find) : absent;
	};

	const readOrRefuse = async <Value>(find: (journal: Journal) => Promise<Value>): Promise<Value> => {
		const journal = current();
		if (!journal) {
			throw refusal() ?? new Problem('storage_unavailable');
		}

		return readFrom(journal, find);
	};

	return {
		listWindows: () => read([], journal => journal.listWindows()),
		nextQueuedRuns: (...query) => read([], journal => journal.nextQueuedRuns(...query)),
		listQueuedRuns: query => read({runs: [], last: query.after}, journal => journal.listQueuedRuns(query)),
		listRuns: query => read([], journal => journal.listRuns(query)),
		findRun: id => readOrRefuse(journal => journal.findRun(id)),
		countWaitingRuns: () => read(0, journal => journal.countWaitingRuns()),
		listAnswers: query => read([], journal => journal.listAnswers(query)),
		findAnswer: id => read(undefined, journal => journal.findAnswer(id)),
		listFailedDeliveries: query => read([], journal => journal.listFailedDeliveries(query)),
		listEventRuns: eventId => read([], journal => journal.listEventRuns(eventId)),
		listJobClaims: () => read([], journal => journal.listJobClaims()),
		findConversation: runId => readOrRefuse(journal => journal.findConversation(runId)),
		findCall: id => read(undefined, journal => journal.findCall(id)),
		listRuleUses: () => read([], journal => journal.listRuleUses()),
		listRunCalls: (...query) => read([], journal => journal.listRunCalls(...query)),
		findDecision: id => read(undefined, journal => journal.findDecision(id)),
		findCallDecision: id => read(undefined, journal => journal.findCallDecision(id)),
		listRunDecisions: (...query) => read([], journal => journal.listRunDecisions(...query)),
		listEventResults: query => read([], journal => journal.listEventResults(query)),
		listUncertainCalls: query => read([], journal => journal.listUncertainCalls(query)),
		listCallPage: query => readOrRefuse(journal => journal.listCallPage(query)),
		listNodes: () => readOrRefuse(journal => journal.listNodes()),
		listRefusingTables: () => read([], journal => journal.listRefusingTables()),
		listUnreadableRows: () => read([], journal => journal.listUnreadableRows()),
		findIdentity: () => readOrRefuse(journal => journal.findIdentity()),
		listOtherWork: query => readOrRefuse(journal => journal.listOtherWork(query)),
		listCalls: query => read([], journal => journal.listCalls(query)),
		listDecisions: query => read([], journal => journal.listDecisions(query)),
		listEvents: query => read([], journal => journal.listEvents(query)),
		findEvent: id => readOrRefuse(journal => journal.findEvent(id)),
		listRates: query => read([], journal => journal.listRates(query)),
		findTrace: query => read(undefined, journal => journal.findTrace(query)),
		findIds: query => read({ids: []}, journal => journal.findIds(query)),
	};
}

/**
Without a journal, what somebody waits for is refused, ends and claims wait for it, and the rest is dropped: the fault is reported once, not for every row.
A write that was refused, though it may be on disk, is undone before anything else is written.
*/
function delegateWrites({current, refusal, failed, retried}: Access): Omit<Journal, Reads | 'close'> {
	const write = async <Value>(
		work: (journal: AttendedJournal) => Promise<Value>,
		undo?: (journal: AttendedJournal) => Promise<unknown>,
	): Promise<Value> => {
		const journal = current();
		if (!journal) {
			throw refusal() ?? new Problem('storage_unavailable');
		}

		try {
			return await work(journal);
		} catch (caught) {
			failed(caught);
			if (undo && !isRefused(caught)) {
				unattended(retried.write(undo));
			}

			throw caught;
		}
	};

	return {
		acceptEvent: request => write(journal => journal.acceptEvent(request), undoAccept(request)),
		recordEvent: event => current()?.recordEvent(event),
		settleEvent: (id, end) => unattended(retried.write(journal => journal.settleEvent(id, end))),
		confirmEvent: (id, end) => write(journal => journal.confirmEvent(id, end)),
		releaseOpenDeliveries: before =>
			unattended(retried.write(journal => journal.releaseOpenDeliveries(before), 'recovery')),
		endDelivery: (event, message) => retried.write(journal => journal.endDelivery(event, message)),
		takeDueWindow: window => write(journal => journal.takeDueWindow(window)),
		takeWindow: window => write(journal => journal.takeWindow(window)),
		queueRun: run => write(journal => journal.queueRun(run), undoRun(run)),
		moveQueuedRuns: (ids, change) => write(journal => journal.moveQueuedRuns(ids, change)),
		requeueRun: (id, reason) => retried.write(journal => journal.requeueRun(id, reason)),
		setRunState: (id, state, reason) => retried.write(journal => journal.setRunState(id, state, reason)),
		finishRun: (id, end) => retried.write(journal => journal.finishRun(id, end)),
		claimInboxItem: id => write(journal => journal.claimInboxItem(id), undoInboxClaim(id)),
		releaseInboxItem: id => unattended(retried.write(journal => journal.releaseInboxItem(id))),
		interruptBegunRuns: () => write(journal => journal.interruptBegunRuns()),
		takePendingAnswers: limit => write(journal => journal.takePendingAnswers(limit)),
		finishAnswer: (...change) => retried.write(journal => journal.finishAnswer(...change)),
		doubtBegunAnswers: detail => write(journal => journal.doubtBegunAnswers(detail)),
		dismissFailedDeliveries: ids => write(journal => journal.dismissFailedDeliveries(ids)),
		claimJob: (claim, run) => write(journal => journal.claimJob(claim, run), undoClaim(claim, run)),
		releaseJob: claim => unattended(retried.write(journal => journal.releaseJob(claim))),
		finishCall: (id, end) => unattended(retried.write(journal => journal.finishCall(id, end))),
		recordCall: (...row) => current()?.recordCall(...row),
		resolveCall: (id, resolved) => write(journal => journal.resolveCall(id, resolved)),
		recordDecision: decision => current()?.recordDecision(decision),
		documents: {
			// None that are found would say that there is no rule.
			list: known => write(journal => journal.documents.list(known)),
			replace: change => write(journal => journal.documents.replace(change)),
			announce: () => write(journal => journal.documents.announce()),
		},
		...delegateClaims(write, retried),
		requests: delegateRequests(write, retried),
		takeQuotaBlock: (...query) => write(journal => journal.takeQuotaBlock(...query)),
		renewNode: facts => write(journal => journal.renewNode(facts)),
		judgeNodes: () => write(journal => journal.judgeNodes()),
		prune: () => current()?.prune(),
	};
}

type DelegatedWrite = <Value>(
	work: (journal: AttendedJournal) => Promise<Value>,
	undo?: (journal: AttendedJournal) => Promise<unknown>,
) => Promise<Value>;

/** The claims that wait for a journal that is away before anything is sent. */
function delegateClaims(
	write: DelegatedWrite,
	retried: Access['retried'],
): Pick<Journal, 'persistAnswer' | 'beginAnswer' | 'startCall'> {
	return {
		persistAnswer: (answer, state, detail, {signal} = {}) =>
			retried.claim(journal => journal.persistAnswer(answer, state, detail), {
				signal,
				wait: 'unbounded',
				undo: undoAnswer(answer),
			}),
		beginAnswer: (...answer) => retried.claim(journal => journal.beginAnswer(...answer), {wait: 'unbounded'}),
		startCall(call, {signal} = {}) {
			const start = (journal: AttendedJournal) => journal.startCall(call);
			// One that changes nothing waits for no row.
			return call.readOnly
				? write(start, undoCall(call))
				: retried.claim(start, {signal, wait: 'patience', undo: undoCall(call)});
		},
	};
}

function delegateRequests(write: DelegatedWrite, retried: Access['retried']): Journal['requests'] {
	return {
		ask: (request, {signal} = {}) =>
			retried.claim(journal => journal.requests.ask(request), {
				signal,
				wait: 'patience',
				undo: undoRequest(request),
			}),
		answer: answer => write(journal => journal.requests.answer(answer)),
		end: (id, end) => unattended(retried.write(journal => journal.requests.end(id, end))),
		cancelAbandoned: () => write(journal => journal.requests.cancelAbandoned()),
		claim(claim, waiting) {
			const work = (journal: AttendedJournal) => journal.requests.claim(claim);
			return waiting ? retried.claim(work, {...waiting, wait: 'patience'}) : write(work);
		},
		list: query => write(journal => journal.requests.list(query)),
		findWhole: id => write(journal => journal.requests.findWhole(id)),
	};
}

/** Those that are given up are reported together. */
function unattended(written: Promise<unknown>): void {
	void written.catch(() => undefined);
}
