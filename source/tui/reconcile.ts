import {type LogRow, type Snapshot} from '../state/snapshot.ts';
import {outcomeOf} from './outcome.ts';
import {openReview} from './review-mode.ts';
import {approvalWords} from './status-words.ts';
import {type UiState, withMode, withToast} from './ui-state.ts';

/** The window brought in line with the core: a settled request leaves the screen, a refusal is told. */
export function reconcile(ui: UiState, snapshot: Snapshot): UiState {
	return followReview(tellTrouble(tellOutcome(ui, snapshot), snapshot), snapshot);
}

/** What was under way and has ended is told as ended. */
function tellOutcome(ui: UiState, snapshot: Snapshot): UiState {
	const outcome = ui.toast?.awaited && outcomeOf(ui.toast.awaited, snapshot);
	return outcome ? withToast(ui, outcome.text, outcome.tone) : ui;
}

/** Only the core's event moves the review on: to the oldest request that is left, or away. */
function followReview(ui: UiState, snapshot: Snapshot): UiState {
	const cardId = reviewedCard(ui);
	if (cardId === undefined || snapshot.approvals.some(row => row.id === cardId)) {
		return ui;
	}

	const [next] = snapshot.approvals;
	const words = settledWords(cardId, snapshot);
	return withMode(withToast(ui, words), next ? openReview(next, ui.size, words) : {kind: 'browse'});
}

function reviewedCard({mode}: UiState): string | undefined {
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

/** A refused order comes back as a log line, so the newest warning or error is shown for a moment. */
function tellTrouble(ui: UiState, snapshot: Snapshot): UiState {
	const newest = snapshot.log.at(-1)?.seq ?? 0;
	if (newest <= ui.seenLog) {
		return ui;
	}

	const trouble = newestTrouble(snapshot.log, ui.seenLog);
	const seen = {...ui, seenLog: newest};
	return trouble
		? withToast(seen, `${trouble.area}: ${trouble.text}`, trouble.level === 'error' ? 'bad' : 'busy')
		: seen;
}

function newestTrouble(log: readonly LogRow[], seen: number): LogRow | undefined {
	const found = log.findLast(row => row.seq <= seen || row.level === 'warning' || row.level === 'error');
	return found && found.seq > seen ? found : undefined;
}
