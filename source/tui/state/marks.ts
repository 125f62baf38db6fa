import {type CallOf, decisionCall, type GatewayCall} from '../../state/gateway-call.ts';
import {requestVersion} from '../../state/request-version.ts';
import {type ApprovalRow, type ProposalRow, type QuestionRow, type Snapshot} from '../../state/snapshot.ts';
import {proposalId, questionId} from '../../state/entities/question.ts';
import {type UiState} from './ui-state.ts';

/** Bound on marked requests: below the calls that a gateway takes in a second. */
export const maxMarks = 100;

/** These decide by the version of the request. */
type DenialCall =
	| CallOf<'approvals.allow'>
	| CallOf<'approvals.deny'>
	| CallOf<'questions.answer'>
	| CallOf<'proposals.answer'>;

/** A waiting request, and the call that denies it. */
type Denial = {readonly request: ApprovalRow | QuestionRow | ProposalRow; readonly call: DenialCall};

/** The denial of the request in this row, declined where it is a question; undefined for a row of anything else. */
function denialOf(rowId: string, {approvals, questions, proposals}: Snapshot, message: string): Denial | undefined {
	const card = approvals.find(({id}) => id === rowId);
	if (card) {
		return {request: card, call: decisionCall(card, {kind: 'deny', ...(message !== '' && {message})})};
	}

	const question = questions.find(row => questionId(row) === rowId);
	if (question) {
		const {id, profile} = question;
		return {request: question, call: {method: 'questions.answer', params: {id, answer: {kind: 'decline'}}, profile}};
	}

	const proposal = proposals.find(row => proposalId(row) === rowId);
	return (
		proposal && {
			request: proposal,
			call: {
				method: 'proposals.answer',
				params: {id: proposal.id, answer: {kind: 'cancel'}},
				profile: proposal.profile,
			},
		}
	);
}

const digests = new WeakMap<Denial['request'], string>();

/** The digest of the request in this row as it is now (`requestVersion`); undefined for a row of anything else. */
export function requestDigest(rowId: string, snapshot: Snapshot): string | undefined {
	const denial = denialOf(rowId, snapshot, '');
	if (!denial) {
		return undefined;
	}

	const digest =
		digests.get(denial.request) ?? requestVersion(denial.call.method, denial.call.params.id, snapshot) ?? '';
	digests.set(denial.request, digest);
	return digest;
}

/** True if a row is marked. A mark is for the version shown when it was set, and does not hold for a request that has changed. */
export function isMarked(rowId: string, {marks}: Pick<UiState, 'marks'>, snapshot: Snapshot): boolean {
	const digest = marks.get(rowId);
	return digest !== undefined && digest === requestDigest(rowId, snapshot);
}

/** The rows that are marked and still wait, as they were shown. */
export function markedRows(ui: Pick<UiState, 'marks'>, snapshot: Snapshot): readonly string[] {
	return [...ui.marks.keys()].filter(id => isMarked(id, ui, snapshot));
}

/** The calls that deny what these marks are for, each with the version that was marked; none for a request that has changed or ended. */
export function denials(marks: UiState['marks'], snapshot: Snapshot, message: string): readonly GatewayCall[] {
	return markedRows({marks}, snapshot).flatMap(rowId => {
		const denial = denialOf(rowId, snapshot, message);
		const version = marks.get(rowId);
		return denial && version !== undefined ? [versioned(denial.call, version)] : [];
	});
}

function versioned(call: DenialCall, request_version: string): GatewayCall {
	switch (call.method) {
		case 'questions.answer':
			return {...call, params: {...call.params, request_version}};
		case 'proposals.answer':
			return {...call, params: {...call.params, request_version}};
		case 'approvals.allow':
			return {...call, params: {...call.params, request_version}};
		case 'approvals.deny':
			return {...call, params: {...call.params, request_version}};
	}
}
