import {type Following, followOthers} from '../journal/follow-others.ts';
import {type Journal} from '../journal/journal.ts';
import {type RequestEnd, type RequestRow} from '../journal/rows/request-rows.ts';
import {type ApprovalRequest, type Masks, type FullRequest} from '../state/approval-event.ts';
import {type QuestionAnswer} from '../state/person-answers.ts';
import {type Publish} from '../state/event.ts';
import {type QuestionDetails} from '../state/person-event.ts';
import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type ApprovalDecision, type ApprovalQueue, decisionFlaw, type DecisionResult} from './approval-queue.ts';
import {type ApprovalOutcome, verdictOutcome} from './approval-state.ts';
import {approvalOutcome, createPeerRequests, questionOutcomeOf} from './peer-requests.ts';
import {type QuestionQueue, type QuestionResult, type ValuesCheck} from './question-queue.ts';
import {answerOutcome} from './question-state.ts';
import {approvalEnd, isShownInFull, type ProfileRows, questionEnd} from './request-rows.ts';

/**
The requests that wait for a person in a profile: at this gateway, and at all others that share its journal (docs/postgresql.md, Several gateways). With a journal
of its own a gateway has its two queues, and nothing else.
*/
export type SharedRequests = {
	/** Oldest first. */
	readonly approvals: () => readonly ApprovalRequest[];
	readonly questions: () => readonly QuestionDetails[];
	/** Resolves once the answer counts everywhere. Rejects with `storage_unavailable` when that cannot be known: another answer may count then. */
	readonly answerApproval: (answer: ApprovalDecision) => Promise<DecisionResult>;
	readonly answerQuestion: (answer: Parameters<QuestionQueue['answer']>[0]) => Promise<QuestionResult>;
	/** All of a request that waits; of another gateway only with its secrets masked. */
	readonly fullRequest: (id: string, masks: Masks) => Promise<FullRequest | undefined>;
	/** The ids of the approvals that were asked for in the last hour, settled ones included. */
	readonly recentIds: () => readonly string[];
	/** The outcome of such an approval. */
	readonly endOf: (id: string) => ApprovalOutcome | undefined;
	/** Begins to poll requests and answers of other gateways, if there may be any. Later calls change nothing. */
	readonly start: () => void;
	/** Another gateway says that it asked or answered something. */
	readonly poll: () => void;
	readonly close: () => void;
};

type SharedRequestsOptions = {
	readonly rows: ProfileRows;
	readonly approvals: ApprovalQueue;
	readonly questions: QuestionQueue;
	readonly journal: Pick<Journal, 'answerRequest' | 'listRequests' | 'findFullRequest'>;
	readonly profile: string;
	readonly clock: Clock;
	readonly publish: Publish;
	/** Checks the values of a form against the form that the person was shown. */
	readonly checkForm: (
		question: QuestionDetails,
		values: QuestionAnswer & {readonly kind: 'accept'},
	) => Promise<ValuesCheck>;
};

/** Creates the requests of a profile; nothing is polled before `start`. */
export function createSharedRequests(options: SharedRequestsOptions): SharedRequests {
	const {rows, approvals, questions, journal, checkForm} = options;
	const peers = createPeerRequests({...options, node: rows.node});
	const ends = createEnds(options, peers);
	const polls = createRequestPoller(options, {peers, settle: ends});
	const isOwn = (id: string) => approvals.pending().some(request => request.id === id);
	const allApprovals = () => byAge([...approvals.pending(), ...peers.approvals().filter(({id}) => !isOwn(id))]);
	const allQuestions = () => byAge([...questions.waiting(), ...peers.questions()]);

	/** Writes an answer; what the row then says holds here, too. */
	const settle = async (id: string, argumentsHash: string, end: RequestEnd) => {
		const outcome = await journal.answerRequest({id, argumentsHash, end}).catch((caught: unknown) => {
			const {detail, remedy} = toProblem(caught);
			const message = 'The journal did not store the answer. It counts only if the request has disappeared';
			throw new Problem('storage_unavailable', {message, detail, remedy});
		});
		const settled = outcome.kind === 'resolved' ? end : outcome.kind === 'already-settled' ? outcome.end : undefined;
		if (settled) {
			ends(id, argumentsHash, settled);
		}

		return outcome.kind;
	};

	return {
		approvals: allApprovals,
		questions: allQuestions,
		async answerApproval(answer) {
			const {id, argumentsHash, verdict, by} = answer;
			const byNode = rows.node();
			if (byNode === undefined) {
				return approvals.answer(answer);
			}

			const request = allApprovals().find(one => one.id === id);
			const flaw = request && decisionFlaw(answer, request);
			return request
				? (flaw ?? settle(id, argumentsHash, {...approvalEnd(verdictOutcome(verdict, by)), byNode}))
				: 'already-settled';
		},
		async answerQuestion({id, answer, by}) {
			const byNode = rows.node();
			const question = allQuestions().find(one => one.id === id);
			if (byNode === undefined || !question) {
				return questions.answer({id, answer, by});
			}

			const checked = answer.kind === 'accept' ? await checkForm(question, answer) : undefined;
			if (checked?.kind === 'unfit') {
				return checked;
			}

			const final: QuestionAnswer = checked ? {kind: 'accept', values: checked.values} : answer;
			const kind = await settle(id, '', {...questionEnd(answerOutcome(final, by)), byNode});
			return {kind: kind === 'resolved' ? kind : 'already-settled'};
		},
		async fullRequest(id, masks) {
			const shown = isOwn(id) ? undefined : peers.approvals().find(one => one.id === id);
			return shown ? fullRequestOfPeer(shown, journal) : approvals.fullRequest(id, masks);
		},
		recentIds: () => [...approvals.recentIds(), ...peers.recent.list()],
		endOf: id => approvals.endOf(id) ?? peers.recent.endOf(id),
		...polls,
	};
}

/** All of a request of another gateway, where its row has it. Never rejects. */
async function fullRequestOfPeer(
	shown: ApprovalRequest,
	{findFullRequest}: Pick<Journal, 'findFullRequest'>,
): Promise<FullRequest | undefined> {
	const whole = await findFullRequest(shown.id).catch(() => undefined);
	if (whole || !isShownInFull(shown)) {
		return whole;
	}

	const {server, tool, description, arguments: args, sentBytes, cutBytes, maskedValues, markedCharacters} = shown;
	return {server, tool, description, arguments: args, sentBytes, cutBytes, maskedValues, markedCharacters};
}

function byAge<Request extends {readonly requestedAt: number}>(requests: readonly Request[]): readonly Request[] {
	return requests.toSorted((one, other) => one.requestedAt - other.requestedAt);
}

/** Ends a request as its row says. */
type SettleByRow = (id: string, argumentsHash: string, end: RequestEnd) => void;

/** Passes the end in a row to the caller that waits for it here, and to the consoles that only show it. */
function createEnds(
	{rows, approvals, questions}: Pick<SharedRequestsOptions, 'rows' | 'approvals' | 'questions'>,
	peers: Pick<ReturnType<typeof createPeerRequests>, 'end' | 'forget'>,
): SettleByRow {
	const endApproval = (id: string, argumentsHash: string, end: RequestEnd) => {
		rows.forget(id);
		const outcome = approvalOutcome(end, rows.node());
		const verdict = verdictOf(outcome);
		const result = verdict && approvals.answer({id, argumentsHash, ...verdict});
		if (result !== 'resolved') {
			approvals.withdraw(request => request.id === id);
		}
	};

	const endQuestion = (id: string, end: RequestEnd) => {
		// The filled-in values are lost once this gateway was declared dead, and an empty form is another answer.
		const isRemoved = end.kind === 'answered' && !end.values;
		const answer = isRemoved ? undefined : answerOf(questionOutcomeOf(end, rows.node()));
		const result = answer && questions.answer({id, ...answer});
		if (result?.kind !== 'resolved') {
			questions.withdraw(question => question.id === id);
		}
	};

	return (id, argumentsHash, end) => {
		if (approvals.pending().some(request => request.id === id)) {
			peers.forget(id);
			endApproval(id, argumentsHash, end);
			return;
		}

		peers.end(id, end);
		if (questions.waiting().some(question => question.id === id)) {
			endQuestion(id, end);
		}
	};
}

/** The verdict of a person; undefined when nobody decided. */
function verdictOf(outcome: ApprovalOutcome): Pick<ApprovalDecision, 'verdict' | 'by'> | undefined {
	switch (outcome.kind) {
		case 'approved':
			return {verdict: {kind: 'approve', scope: outcome.scope}, by: outcome.by};
		case 'denied': {
			const {by, message} = outcome;
			return {verdict: {kind: 'deny', ...(message !== undefined && {message})}, by};
		}

		case 'timed_out':
		case 'no_channel':
		case 'cancelled':
			return undefined;
	}
}

function answerOf(
	outcome: ReturnType<typeof questionOutcomeOf>,
): {readonly answer: QuestionAnswer; readonly by: string} | undefined {
	switch (outcome.kind) {
		case 'answered':
			return {answer: {kind: 'accept', values: outcome.values}, by: outcome.by};
		case 'declined':
			return {answer: {kind: 'decline'}, by: outcome.by};
		case 'cancelled':
			return outcome.by === undefined ? undefined : {answer: {kind: 'cancel'}, by: outcome.by};
		case 'timed_out':
		case 'no_channel':
			return undefined;
	}
}

/** Looks again and again at the rows of what is known here, and of what other gateways ask. While they cannot be read, nothing changes. */
function createRequestPoller(
	{rows, journal, profile, clock}: Pick<SharedRequestsOptions, 'rows' | 'journal' | 'profile' | 'clock'>,
	{peers, settle}: {readonly peers: ReturnType<typeof createPeerRequests>; readonly settle: SettleByRow},
) {
	const note = (row: RequestRow) => {
		const isOver = row.left <= 0 && row.time === 'running' && peers.ids().includes(row.id);
		const end = row.end ?? (isOver ? ({kind: 'timed_out'} as const) : undefined);
		if (end) {
			settle(row.id, row.argumentsHash, end);
		} else if (rows.list().includes(row.id)) {
			peers.forget(row.id);
		} else {
			peers.show(row);
		}
	};

	const poll = async () => {
		const node = rows.node();
		if (node === undefined) {
			return;
		}

		const shown = peers.ids();
		const found = await journal.listRequests({known: [...rows.list(), ...shown], profile, node});
		found.forEach(note);
		const ids = new Set(found.map(({id}) => id));
		shown.filter(id => !ids.has(id)).forEach(id => peers.end(id, {kind: 'cancelled'}));
	};

	let following: Following | undefined;
	let phase: 'open' | 'closed' = 'open';
	return {
		start() {
			if (phase === 'open' && rows.node() !== undefined) {
				// While the rows cannot be read, the journal has a fault that is shown.
				following ??= followOthers(clock, poll);
			}
		},
		poll: () => following?.poll(),
		close() {
			phase = 'closed';
			following?.close();
		},
	};
}
