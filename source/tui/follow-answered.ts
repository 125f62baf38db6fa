import {type Snapshot} from '../state/snapshot.ts';
import {formOf} from './form-mode.ts';
import {openReview} from './review-mode.ts';
import {approvalWords} from './status-words.ts';
import {type Mode} from './mode.ts';
import {type UiState, withMode, withToast} from './ui-state.ts';

/** Only the core's event moves on what waits for a person: a settled request leaves the screen, whatever lies over it. */
export function followAnswered(ui: UiState, snapshot: Snapshot): UiState {
	return followQuestion(followProposal(followReview(ui, snapshot), snapshot), snapshot);
}

/** To the oldest request that is left, or away. */
function followReview(ui: UiState, snapshot: Snapshot): UiState {
	const cardId = reviewedCard(ui.mode);
	if (cardId === undefined || snapshot.approvals.some(row => row.id === cardId)) {
		return ui;
	}

	const [next] = snapshot.approvals;
	const words = settledWords(cardId, snapshot);
	// A call by hand that waited for this goes on being looked at.
	const left = ui.handCall ?? ({kind: 'browse'} as const);
	return withMode(withToast(ui, words), next ? openReview(next, ui.size, words) : left);
}

function followProposal(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	const id = mode.kind === 'prompt' && mode.purpose.kind === 'rename-proposal' ? mode.purpose.id : proposalOf(mode);
	return id === undefined || snapshot.proposals.some(row => row.id === id)
		? ui
		: withMode(withToast(ui, 'the install proposal is settled'), {kind: 'browse'});
}

/** The form of a settled question is gone, and so is what was kept of it. */
function followQuestion(ui: UiState, snapshot: Snapshot): UiState {
	const isOpen = (id: string) => snapshot.questions.some(row => row.id === id);
	const kept = Object.entries(ui.drafts).filter(([id]) => isOpen(id));
	const pruned = kept.length === Object.keys(ui.drafts).length ? ui : {...ui, drafts: Object.fromEntries(kept)};
	const owner = questionedForm(pruned)?.owner;
	return owner?.kind !== 'question' || isOpen(owner.id)
		? pruned
		: withMode(withToast(pruned, 'the question is settled'), {kind: 'browse'});
}

function questionedForm(ui: UiState) {
	const {mode} = ui;
	return mode.kind === 'confirm' && mode.question.kind === 'cancel-question' ? mode.question.form : formOf(ui);
}

function proposalOf(mode: Mode): string | undefined {
	return mode.kind === 'proposal' ? mode.id : undefined;
}

function reviewedCard(mode: Mode): string | undefined {
	if (mode.kind === 'review') {
		return mode.cardId;
	}

	return mode.kind === 'deny-message' ? mode.review.cardId : undefined;
}

function settledWords(cardId: string, snapshot: Snapshot): string {
	const decision = snapshot.decisions.findLast(row => row.id === cardId);
	if (!decision) {
		return 'the request is settled';
	}

	const {glyph, word} = approvalWords[decision.outcome];
	return `${glyph} ${word}${decision.scope ? ` (${decision.scope})` : ''}: ${decision.server}/${decision.tool}`;
}
