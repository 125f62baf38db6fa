import {type Snapshot} from '../../state/snapshot.ts';
import {formOf} from '../state/form-mode.ts';
import {type Mode} from '../state/mode.ts';
import {decisionOf, decisionWords, settledRequest, settledSubject} from './settled-mode.ts';
import {type UiState, withMode, withToast} from '../state/ui-state.ts';

/**
Only the core's event moves on what waits for a person, and it never puts another request under a person's fingers:
what was settled elsewhere leaves a page that says so, what was answered here leaves the screen.
*/
export function followAnswered(ui: UiState, snapshot: Snapshot): UiState {
	return followQuestion(followProposal(followReview(ui, snapshot), snapshot), snapshot);
}

/** A line that is being typed stays under its typist's fingers. */
function followReview(ui: UiState, snapshot: Snapshot): UiState {
	const {mode} = ui;
	if (mode.kind === 'deny-message') {
		const {cardId} = mode.review;
		return mode.settled || snapshot.approvals.some(row => row.id === cardId)
			? ui
			: withMode(ui, {...mode, settled: settledRequest(cardId, snapshot)});
	}

	if (mode.kind !== 'review' || snapshot.approvals.some(row => row.id === mode.cardId)) {
		return ui;
	}

	const decision = decisionOf(mode.cardId, snapshot);
	const isOwn = mode.answers > 0 && decision?.by === 'dashboard';
	if (isOwn && (ui.manualCall || snapshot.approvals.length === 0)) {
		// A call by hand that waited for this goes on being looked at.
		return withMode(withToast(ui, decisionWords(decision)), ui.manualCall ?? {kind: 'browse'});
	}

	return withMode(ui, settledRequest(mode.cardId, snapshot));
}

function followProposal(ui: UiState, snapshot: Snapshot): UiState {
	const proposal = proposalOf(ui.mode);
	if (proposal === undefined || snapshot.proposals.some(row => row.id === proposal.id)) {
		return ui;
	}

	return proposal.answers > 0
		? withMode(withToast(ui, 'the install proposal is settled'), {kind: 'browse'})
		: withMode(ui, settledSubject('install proposal'));
}

/** The form of a settled question is gone, and so is what was kept of it. */
function followQuestion(ui: UiState, snapshot: Snapshot): UiState {
	const isOpen = (id: string) => snapshot.questions.some(row => row.id === id);
	const kept = Object.entries(ui.drafts).filter(([id]) => isOpen(id));
	const pruned = kept.length === Object.keys(ui.drafts).length ? ui : {...ui, drafts: Object.fromEntries(kept)};
	const form = questionedForm(pruned);
	if (form?.owner.kind !== 'question' || isOpen(form.owner.id)) {
		return pruned;
	}

	return form.answers > 0
		? withMode(withToast(pruned, 'the question is settled'), {kind: 'browse'})
		: withMode(pruned, settledSubject('question'));
}

function questionedForm(ui: UiState) {
	const {mode} = ui;
	return mode.kind === 'confirm' && mode.question.kind === 'cancel-question' ? mode.question.form : formOf(ui);
}

function proposalOf(mode: Mode) {
	if (mode.kind === 'prompt' && mode.purpose.kind === 'rename-proposal') {
		return {id: mode.purpose.id, answers: 0};
	}

	return mode.kind === 'proposal' ? mode : undefined;
}
