import {answeredWords, findAnswered} from '../../state/answered.ts';
import {ownConsoleName} from '../../state/console-state.ts';
import {type AnsweredRow, type DecisionRow, type Snapshot} from '../../state/snapshot.ts';
import {waitingCount} from '../../state/waiting.ts';
import {shownId} from '../../util/id-part.ts';
import {formOf} from '../state/form-mode.ts';
import {type Mode, type SettledMode} from '../state/mode.ts';
import {type UiState, withMode, withToast} from '../state/ui-state.ts';
import {own} from '../text/own-glyphs.ts';
import {type Line, span} from '../text/span.ts';
import {approvalText} from '../text/status-text.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {toolText} from '../../util/safe-text.ts';

const settledMode = {kind: 'settled', scroll: 0} as const;

/**
The dashboard after a request, question or proposal on the screen was settled. Only the core's event does this, and it never shows another
request to somebody who is typing: what was settled elsewhere is replaced by a page that says so, what was answered here leaves the screen.
*/
export function followAnswered(ui: UiState, snapshot: Snapshot): UiState {
	return followQuestion(followProposal(followReview(ui, snapshot), snapshot), snapshot);
}

/** Leaves a card that was answered here. A key that was still meant for it does nothing on the screen behind it. */
function leaveCard(ui: UiState, words: string, mode: Mode): UiState {
	return {...withMode(withToast(ui, words), mode), keys: 'held'};
}

/** A reason for a denial that is being typed stays on the screen. */
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
	const isOwn = mode.answers > 0 && decision?.by === ownConsoleName(snapshot.console);
	if (isOwn && decision && (ui.manualCall || snapshot.approvals.length === 0)) {
		// A manual call that waited for this is shown again.
		return leaveCard(ui, decisionWords(decision), ui.manualCall ?? {kind: 'browse'});
	}

	return withMode(ui, settledRequest(mode.cardId, snapshot));
}

function followProposal(ui: UiState, snapshot: Snapshot): UiState {
	const proposal = proposalOf(ui.mode);
	if (proposal === undefined || snapshot.proposals.some(row => row.id === proposal.id)) {
		return ui;
	}

	return proposal.answers > 0 && snapshot.console.state !== 'lost'
		? leaveCard(ui, 'the install proposal is settled', {kind: 'browse'})
		: withMode(ui, settledSubject('install proposal', snapshot));
}

/** The form of a settled question leaves the screen, and its draft is dropped. */
function followQuestion(ui: UiState, snapshot: Snapshot): UiState {
	const isOpen = (id: string) => snapshot.questions.some(row => row.id === id);
	const drafts = Object.entries(ui.drafts).filter(([id]) => isOpen(id));
	const pruned = drafts.length === Object.keys(ui.drafts).length ? ui : {...ui, drafts: Object.fromEntries(drafts)};
	const form = questionedForm(pruned);
	if (form?.owner.kind !== 'question' || isOpen(form.owner.id)) {
		return pruned;
	}

	const answered = findAnswered(snapshot, form.owner.id);
	const isOwn = answered?.by === undefined || answered.by === ownConsoleName(snapshot.console);
	return form.answers > 0 && isOwn && snapshot.console.state !== 'lost'
		? leaveCard(pruned, 'the question is settled', {kind: 'browse'})
		: withMode(pruned, answered ? settledQuestion(answered, isOwn) : settledSubject('question', snapshot));
}

/** The page of a question that no longer waits: how it ended, and by whom. */
function settledQuestion(answered: AnsweredRow, isOwn: boolean): SettledMode {
	const elsewhere = answered.by === undefined || isOwn ? 'has ended' : 'was answered elsewhere';
	return {...settledMode, title: `The question ${elsewhere}`, what: '', why: `it was ${answeredWords(answered)}`};
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

/** The page of a request that no longer waits: what became of it. */
function settledRequest(cardId: string, snapshot: Snapshot): SettledMode {
	const decision = decisionOf(cardId, snapshot);
	const request = `request #${shownId(cardId)}`;
	return decision
		? {
				...settledMode,
				title: endWords(decision, ownConsoleName(snapshot.console)),
				what: decisionWords(decision),
				why: `${request} ${own`·`} ${why(decision)}`,
			}
		: {...settledMode, ...endOf('request', snapshot, `${request} is no longer waiting`)};
}

/** How a request, question or proposal ended of which no more is known. One whose gateway was lost may not have ended. */
function endOf(subject: string, {console}: Snapshot, why: string): Pick<SettledMode, 'title' | 'what' | 'why'> {
	return console.state === 'lost'
		? {
				title: 'The connection was lost',
				what: '',
				why: `A ${subject} that still waits is shown again once the gateway is back.`,
			}
		: {title: `The ${subject} has ended`, what: '', why};
}

/** The same for a question or an install proposal, of which the core says no more than that it is settled. */
function settledSubject(subject: 'question' | 'install proposal', snapshot: Snapshot): SettledMode {
	return {...settledMode, ...endOf(subject, snapshot, 'it was withdrawn or answered elsewhere')};
}

/** What became of a request; undefined when that is not known any more. */
function decisionOf(cardId: string, snapshot: Snapshot): DecisionRow | undefined {
	return snapshot.decisions.findLast(row => row.id === cardId);
}

/** The end of a request in one line. */
function decisionWords({outcome, scope, server, tool}: DecisionRow): string {
	const {glyph, word} = approvalText[outcome];
	return `${glyph} ${word}${scope ? ` (${scope})` : ''}: ${toolText({server, tool})}`;
}

function endWords({outcome, by}: DecisionRow, ownName: string | undefined): string {
	if (outcome === 'approved' || outcome === 'denied') {
		return by === ownName ? 'The request is answered' : 'The request was answered elsewhere';
	}

	return outcome === 'timed_out' ? 'The request has expired' : 'The request was withdrawn';
}

function why({outcome, by, message}: DecisionRow): string {
	const reason = message === undefined || message === '' ? '' : `: ${message}`;
	switch (outcome) {
		case 'approved':
		case 'denied':
			return `answered by ${by ?? 'someone else'}${reason}`;
		case 'timed_out':
			return 'nobody answered in time';
		case 'no_channel':
			return 'nobody could be asked';
		case 'cancelled':
			return by === undefined ? 'the caller is no longer waiting for it' : `cancelled by ${by}`;
	}
}

/** The page that a settled request leaves, in lines. Nothing on it decides anything. */
export function settledLines({what, why}: SettledMode, snapshot: Snapshot, width: number): readonly Line[] {
	const others = waitingCount(snapshot);
	const rest =
		others === 0
			? snapshot.console.state === 'lost'
				? 'Esc leaves this page.'
				: 'Nothing else is waiting.'
			: others === 1
				? '1 other is waiting; press n to show it.'
				: `${others} others are waiting; press n to show the oldest.`;
	return [what, why, 'Nothing can be decided on this page.', '', rest]
		.filter((text, index) => text !== '' || index > 0)
		.flatMap((text, index) =>
			wrapToWidth(text, width - 2).map(part => [span(` ${part}`, index === 0 ? 'strong' : 'normal')]),
		);
}
