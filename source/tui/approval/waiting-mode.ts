import {type ProposalRow, type Snapshot} from '../../state/snapshot.ts';
import {questionMode} from '../state/form-mode.ts';
import {type Mode, type ProposalMode} from '../state/mode.ts';
import {proposalId, questionId} from '../lists/question-rows.ts';
import {openReview} from './review-mode.ts';
import {type UiState} from '../state/ui-state.ts';

/** What a row of the approvals view is decided on: a review, a form, a dialog; undefined for rows that are only read. */
export function waitingMode(rowId: string, ui: UiState, snapshot: Snapshot): Mode | undefined {
	const card = snapshot.approvals.find(({id}) => id === rowId);
	const question = snapshot.questions.find(row => questionId(row) === rowId);
	const proposal = snapshot.proposals.find(row => proposalId(row) === rowId);
	if (card) {
		return openReview(card);
	}

	return question ? questionMode(question, ui) : proposal && openProposal(proposal);
}

/** The same for what waits longest, of whatever kind. */
export function oldestWaiting(ui: UiState, snapshot: Snapshot): Mode | undefined {
	const [oldest] = [
		...snapshot.approvals.map(({id, requestedAt}) => ({id, requestedAt})),
		...snapshot.questions.map(row => ({id: questionId(row), requestedAt: row.requestedAt})),
		...snapshot.proposals.map(row => ({id: proposalId(row), requestedAt: row.requestedAt})),
	].sort((first, second) => first.requestedAt - second.requestedAt);
	return oldest && waitingMode(oldest.id, ui, snapshot);
}

function openProposal({id}: ProposalRow): ProposalMode {
	return {kind: 'proposal', id, again: undefined, scroll: 0, seenLines: 0, answers: 0, hint: ''};
}
