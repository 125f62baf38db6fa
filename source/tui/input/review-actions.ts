import {type ApprovalScope} from '../../state/approval-event.ts';
import {type CallOf, decisionCall} from '../../state/gateway-call.ts';
import {type Verdict} from '../../state/person-answers.ts';
import {decisionChoices, secondQuestion} from '../../state/decision.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {reviewedFull} from '../approval/full-page.ts';
import {cardReading, reviewLayout} from '../approval/review-layout.ts';
import {type Move} from '../state/keymap.ts';
import {closedFull, openReview, type ReviewMode} from '../state/review.ts';
import {
	reviewOf,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withCall,
	withMode,
	withReview,
} from '../state/ui-state.ts';
import {pageRows} from '../text/layout.ts';
import {movedBy} from '../state/selection.ts';
import {emptyField} from '../state/text-field.ts';
import {moveFull} from './full-actions.ts';
import {sentHint} from '../state/mode.ts';

/** Denies the request under review. */
export function deny(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({card}) => answer(ui, {card, verdict: {kind: 'deny'}}, context));
}

/** A line for the reason of a denial. */
export function askWhyDenied(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({review}) => stay(withMode(ui, {kind: 'deny-message', review, field: emptyField})));
}

/** Sends a denial that says why. */
export function denyWithMessage(ui: UiState, message: string, context: UiContext): Step {
	if (ui.mode.kind !== 'deny-message') {
		return stay(ui);
	}

	const reason = message.trim();
	const back = withMode(ui, ui.mode.review);
	if (ui.mode.settled) {
		return stay(back);
	}

	return withRequest(back, context, ({card}) =>
		answer(back, {card, verdict: reason === '' ? {kind: 'deny'} : {kind: 'deny', message: reason}}, context),
	);
}

/** Allows the request under review once it was read to its end; what is risky takes the key twice. */
export function approve(ui: UiState, scope: Exclude<ApprovalScope, 'always'>, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) => {
		const {scopes} = decisionChoices(card, cardReading(review, card, reviewLayout(card, ui.size, review.form)));
		if (!scopes.includes(scope)) {
			return stay(ui);
		}

		const question = secondQuestion(card, scope);
		if (question.kind === 'again' && review.again !== scope) {
			return stay(withReview(ui, {again: scope, hint: `press ${letterOf[scope]} again: ${question.reasons}`}));
		}

		return answer(ui, {card, verdict: {kind: 'approve', scope}}, context);
	});
}

const letterOf = {once: 'a', run: 'r', session: 's'} as const;

/** The page that asks once more before a rule is stored; it opens only where all of it can be shown. */
export function showAlways(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) =>
		stay(
			reviewLayout(card, ui.size, review.form).alwaysPage
				? withReview(ui, {page: 'always', again: undefined, hint: ''})
				: withReview(ui, {hint: 'this terminal is too small to show what would be stored'}),
		),
	);
}

/** Allows the request under review and stores the rule. */
export function approveAlways(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({card}) => answer(ui, {card, verdict: {kind: 'approve', scope: 'always'}}, context));
}

/** The next or previous request, from its beginning. */
export function showNeighbourRequest(ui: UiState, distance: 1 | -1, {snapshot: {approvals}}: UiContext): UiState {
	const index = approvals.findIndex(row => row.id === reviewOf(ui)?.cardId);
	const card = approvals[index + distance];
	return index === -1 || !card ? ui : withMode(ui, openReview(card));
}

/** The text of the request under review after a move: its card, or the page with all of it. */
export function moveReview(ui: UiState, move: Move, context: UiContext): UiState {
	const review = reviewOf(ui);
	const card = context.snapshot.approvals.find(row => row.id === review?.cardId);
	if (review?.page === 'full') {
		return moveFull(ui, move, context);
	}

	if (!review || !card) {
		return ui;
	}

	const {contentRows, lastScroll} = reviewLayout(card, ui.size, review.form);
	const page = Math.min(pageRows(ui.size), contentRows);
	const wanted = movedBy(move, {position: review.scroll, last: lastScroll, page});
	return withReview(ui, {scroll: Math.min(lastScroll, Math.max(0, wanted))});
}

/** The arguments in their next form. What was read in another one does not count: this one has to be read from its beginning. */
export function showNextForm(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) => {
		const isFull = review.page === 'full';
		const shown = isFull ? reviewedFull(ui, context) : reviewLayout(card, ui.size, review.form).content;
		const form = shown?.nextForm;
		if (form === undefined) {
			return stay(withReview(ui, {hint: shown ? 'the arguments look the same as raw JSON' : ''}));
		}

		const unread = {form, again: undefined, hint: '', scroll: 0, seenLines: 0, found: undefined};
		const full = isFull ? {...review.full, scroll: 0, seenLines: 0, found: undefined} : review.full;
		return stay(withReview(ui, {...unread, full}));
	});
}

/** The review after the terminal changed its size: its lines wrap elsewhere, so it has to be read from the beginning. */
export function resizedReview(review: ReviewMode): ReviewMode {
	return {
		...review,
		scroll: 0,
		page: 'card',
		again: undefined,
		seenLines: 0,
		full: closedFull,
		found: undefined,
	};
}

/** A step about the request under review; nothing happens where that does not wait any more. */
export function withRequest(
	ui: UiState,
	{snapshot}: UiContext,
	act: (request: {readonly review: ReviewMode; readonly card: ApprovalRow}) => Step,
): Step {
	const review = reviewOf(ui);
	const card = snapshot.approvals.find(row => row.id === review?.cardId);
	return review && card ? act({review, card}) : stay(ui);
}

type Answer = {readonly card: ApprovalRow; readonly verdict: Verdict};

function answer(ui: UiState, {card, verdict}: Answer, context: UiContext): Step {
	return sendAnswer(ui, decisionCall(card, verdict), context);
}

/** Sends the answer and stays: only the core's event moves the screen. No other function allows a request; `denyMarked` denies several. */
export function sendAnswer(
	ui: UiState,
	call: CallOf<'approvals.allow'> | CallOf<'approvals.deny'> | CallOf<'rules.store'>,
	context: UiContext,
): Step {
	const sent = withReview(ui, {
		answers: (reviewOf(ui)?.answers ?? 0) + 1,
		again: undefined,
		page: 'card',
		hint: sentHint,
	});
	return withCall(context.readOnly ? ui : sent, call, context);
}
