import {createBackOff} from '../util/back-off.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type Journal, type JournalOptions, openJournalInThread} from './journal.ts';
import {isDamaged} from './request-batches.ts';

/** A journal whose file may be unusable, at the start or later. The file is tried again, and never moved or overwritten (docs/webhooks.md, When the journal cannot be used). */
export type RecoverableJournal = {
	/** While the file is unusable, reads find nothing and writes reject with `storage_unavailable`. */
	readonly journal: Journal;
	readonly isOpen: () => boolean;
	/** Calls `recover` now, or as soon as the file can be used; an error of the journal in it counts as an unusable file. */
	readonly take: (recover: () => Promise<void>) => Promise<void>;
	/** Tries an unusable file at once. */
	readonly tryAgain: () => void;
};

const pauses = {firstMilliseconds: 5000, longestMilliseconds: 60_000};

/**
Opens or creates the journal in a thread; resolves after the first try and never rejects. `onState` gets the problem when the file becomes unusable
or its thread is lost, and undefined when it can be used again.
*/
export async function openRecoverableJournal(
	options: JournalOptions & {readonly onState: (fault: Problem | undefined) => void},
): Promise<RecoverableJournal> {
	const {clock, report, onState} = options;
	const again = createBackOff(clock, pauses);
	const recoveries = createRecoveries();
	let open: Journal | undefined;
	let fault: Problem | undefined;
	const ending = new AbortController();

	const lose = (caught: unknown) => {
		const lost = open;
		open = undefined;
		void lost?.close().catch(() => undefined);
		const problem = toProblem(caught, 'storage_unavailable');
		if (!ending.signal.aborted) {
			again.schedule(attempt);
			if (!isSame(fault, problem)) {
				onState(problem);
			}

			fault = problem;
		}
	};

	const loseIfDamaged = (caught: unknown) => {
		if (open && isDamaged(caught)) {
			lose(caught);
		}
	};

	const onUnattended = (problem: Problem) => {
		loseIfDamaged(problem);
		report?.(problem);
	};

	const recoverAll = async () => {
		const hadFault = fault !== undefined;
		await recoveries.run().catch(lose);
		if (open && hadFault) {
			fault = undefined;
			again.reset();
			onState(undefined);
		}
	};

	const opening = createSingleFlight(async () => {
		try {
			open ??= await openUnlessAborted({...options, report: onUnattended, onLost: lose}, ending.signal);
			await (open && recoverAll());
		} catch (caught) {
			lose(caught);
		}
	});
	const attempt = () => void opening();

	const close = async () => {
		ending.abort();
		again.reset();
		await opening();
		await open?.close();
	};

	await opening();
	return {
		isOpen: () => open !== undefined,
		async take(recover) {
			recoveries.add(recover);
			if (open) {
				await recoverAll();
			}
		},
		tryAgain: attempt,
		journal: delegate({current: () => open, refusal: () => fault, failed: loseIfDamaged}, close),
	};
}

/** Undefined when the signal aborted: nothing is open then. Rejects with `storage_unavailable`. */
async function openUnlessAborted(
	options: Parameters<typeof openJournalInThread>[0],
	signal: AbortSignal,
): Promise<Journal | undefined> {
	const journal = signal.aborted ? undefined : await openJournalInThread(options);
	if (signal.aborted) {
		await journal?.close();
		return undefined;
	}

	return journal;
}

/** Starts `work`, unless it is under way; resolves when it is over. */
function createSingleFlight(work: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | undefined;
	return () => {
		running ??= work().finally(() => {
			running = undefined;
		});
		return running;
	};
}

/** What is done once, as soon as the journal can be read. */
function createRecoveries() {
	const due: Array<() => Promise<void>> = [];
	return {
		add: (recover: () => Promise<void>) => void due.push(recover),
		/** All begin before anything else can be written; when one fails, all are due again. */
		async run() {
			const begun = due.splice(0);
			try {
				await Promise.all(begun.map(recover => recover()));
			} catch (caught) {
				due.push(...begun);
				throw caught;
			}
		},
	};
}

function isSame(first: Problem | undefined, second: Problem): boolean {
	return first?.message === second.message && first.detail === second.detail;
}

function delegate(access: Access, close: Journal['close']): Journal {
	return {...delegateReads(access), ...delegateWrites(access), close};
}

type Access = {
	readonly current: () => Journal | undefined;
	/** The problem of a write while nothing is open. */
	readonly refusal: () => Problem | undefined;
	/** Called with every error of the open journal. */
	readonly failed: (caught: unknown) => void;
};

type Reads =
	| 'listWindows'
	| 'nextQueuedRuns'
	| 'listRuns'
	| 'findRun'
	| 'countWaitingRuns'
	| 'listAnswers'
	| 'findAnswer'
	| 'listFailedDeliveries'
	| 'listEventRuns'
	| 'listJobClaims'
	| 'findConversation'
	| 'listUncertainCalls'
	| 'findCall'
	| 'listRunCalls'
	| 'findDecision'
	| 'findCallDecision'
	| 'listRunDecisions'
	| 'listEventResults'
	| 'listCalls'
	| 'listDecisions'
	| 'listEvents'
	| 'findEvent';

/** Without a journal there is nothing to find. */
function delegateReads({current, failed}: Access): Pick<Journal, Reads> {
	const read = async <Value>(absent: Value, find: (journal: Journal) => Promise<Value>): Promise<Value> => {
		const journal = current();
		try {
			return journal ? await find(journal) : absent;
		} catch (caught) {
			failed(caught);
			throw caught;
		}
	};

	return {
		listWindows: () => read([], journal => journal.listWindows()),
		nextQueuedRuns: limit => read([], journal => journal.nextQueuedRuns(limit)),
		listRuns: query => read([], journal => journal.listRuns(query)),
		findRun: id => read(undefined, journal => journal.findRun(id)),
		countWaitingRuns: () => read(0, journal => journal.countWaitingRuns()),
		listAnswers: query => read([], journal => journal.listAnswers(query)),
		findAnswer: id => read(undefined, journal => journal.findAnswer(id)),
		listFailedDeliveries: query => read([], journal => journal.listFailedDeliveries(query)),
		listEventRuns: eventId => read([], journal => journal.listEventRuns(eventId)),
		listJobClaims: () => read([], journal => journal.listJobClaims()),
		findConversation: runId => read(undefined, journal => journal.findConversation(runId)),
		findCall: id => read(undefined, journal => journal.findCall(id)),
		listRunCalls: (...query) => read([], journal => journal.listRunCalls(...query)),
		findDecision: id => read(undefined, journal => journal.findDecision(id)),
		findCallDecision: id => read(undefined, journal => journal.findCallDecision(id)),
		listRunDecisions: (...query) => read([], journal => journal.listRunDecisions(...query)),
		listEventResults: query => read([], journal => journal.listEventResults(query)),
		listUncertainCalls: query => read([], journal => journal.listUncertainCalls(query)),
		listCalls: query => read([], journal => journal.listCalls(query)),
		listDecisions: query => read([], journal => journal.listDecisions(query)),
		listEvents: query => read([], journal => journal.listEvents(query)),
		findEvent: id => read(undefined, journal => journal.findEvent(id)),
	};
}

/** Without a journal, what somebody waits for is refused, and the rest is dropped: the fault is reported once, not for every row. */
function delegateWrites({current, refusal, failed}: Access): Omit<Journal, Reads | 'close'> {
	const write = async <Value>(work: (journal: Journal) => Promise<Value>): Promise<Value> => {
		const journal = current();
		if (!journal) {
			throw refusal() ?? new Problem('storage_unavailable');
		}

		try {
			return await work(journal);
		} catch (caught) {
			failed(caught);
			throw caught;
		}
	};

	return {
		acceptEvent: request => write(journal => journal.acceptEvent(request)),
		recordEvent: event => current()?.recordEvent(event),
		settleEvent: (id, end) => current()?.settleEvent(id, end),
		releaseOpenDeliveries: () => current()?.releaseOpenDeliveries(),
		endDelivery: (event, message) => write(journal => journal.endDelivery(event, message)),
		takeWindow: window => write(journal => journal.takeWindow(window)),
		queueRun: run => write(journal => journal.queueRun(run)),
		moveQueuedRuns: (ids, change) => write(journal => journal.moveQueuedRuns(ids, change)),
		requeueRun: (id, reason) => write(journal => journal.requeueRun(id, reason)),
		setRunState: (id, state, reason) => write(journal => journal.setRunState(id, state, reason)),
		finishRun: (id, end) => write(journal => journal.finishRun(id, end)),
		interruptBegunRuns: () => write(journal => journal.interruptBegunRuns()),
		persistAnswer: (answer, state, detail) => write(journal => journal.persistAnswer(answer, state, detail)),
		setAnswerState: (id, state, detail) => write(journal => journal.setAnswerState(id, state, detail)),
		doubtBegunAnswers: detail => write(journal => journal.doubtBegunAnswers(detail)),
		dismissFailedDeliveries: ids => write(journal => journal.dismissFailedDeliveries(ids)),
		claimJob: (claim, run) => write(journal => journal.claimJob(claim, run)),
		releaseJob: claim => current()?.releaseJob(claim),
		startCall: call => write(journal => journal.startCall(call)),
		finishCall: (id, end) => current()?.finishCall(id, end),
		recordCall: (...row) => current()?.recordCall(...row),
		resolveCall: (id, resolution) => write(journal => journal.resolveCall(id, resolution)),
		recordDecision: decision => current()?.recordDecision(decision),
		prune: () => current()?.prune(),
	};
}
