import {type ApprovalRow} from '../../state/snapshot.ts';
import {type Readiness} from '../state/arming.ts';
import {type ReviewAction} from '../state/actions.ts';
import {reviewLayout} from '../approval/review-layout.ts';
import {reasonsToAskTwice, requestReading} from '../approval/request-reading.ts';
import {neighbourReview, reviewOf, withReview} from '../approval/review-mode.ts';
import {emptyField, type ReviewMode} from '../state/mode.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withMode} from '../state/ui-state.ts';

/** A key on the review screen: what it means, and whether it may approve now. */
export type ReviewKey = {readonly action: ReviewAction; readonly readiness: Readiness; readonly alone: boolean};

/** The window after a key on the review screen. Only this function makes answers to approvals. */
export function reviewStep(ui: UiState, key: ReviewKey, context: UiContext): Step {
	const review = reviewOf(ui);
	const card = review && context.snapshot.approvals.find(row => row.id === review.cardId);
	if (!review || !card) {
		return stay(ui);
	}

	switch (key.action) {
		case 'deny':
			return key.alone && key.readiness !== 'unpainted'
				? answer(ui, {card, verdict: {kind: 'deny'}}, context)
				: stay(ui);
		case 'deny-default':
			// Enter may be the very key that opened this screen, so it waits like an approval.
			return armed(ui, key, () => answer(ui, {card, verdict: {kind: 'deny'}}, context));
		case 'deny-with-message':
			return stay(withMode(ui, {kind: 'deny-message', review, field: emptyField}));
		case 'approve-once':
			return armed(ui, key, () => approve(ui, {card, scope: 'once'}, context));
		case 'approve-session':
			return armed(ui, key, () => approve(ui, {card, scope: 'session'}, context));
		case 'open-always':
			return armed(ui, key, () => stay(openAlways(ui, review, card)));
		case 'approve-always':
			return armed(ui, key, () => answer(ui, {card, verdict: {kind: 'approve', scope: 'always'}}, context));
		case 'leave-always':
			return stay(withMode(ui, {...review, page: 'card', hint: ''}));
		case 'next-request':
			return stay(neighbourReview(ui, 1, context.snapshot));
		case 'previous-request':
			return stay(neighbourReview(ui, -1, context.snapshot));
	}
}

function openAlways(ui: UiState, review: ReviewMode, card: ApprovalRow): UiState {
	return reviewLayout(card, ui.size).alwaysPage
		? withMode(ui, {...review, page: 'always', again: undefined, hint: ''})
		: withReview(ui, {hint: 'this terminal is too small to show what would be stored'});
}

/** Sends a denial that says why. */
export function denyWithMessage(ui: UiState, message: string, context: UiContext): Step {
	if (ui.mode.kind !== 'deny-message') {
		return stay(ui);
	}

	const {review} = ui.mode;
	const card = context.snapshot.approvals.find(row => row.id === review.cardId);
	const back = withMode(ui, review);
	const verdict =
		message.trim() === '' ? ({kind: 'deny'} as const) : ({kind: 'deny', message: message.trim()} as const);
	return card ? answer(back, {card, verdict}, context) : stay(back);
}

/** Does it when the key is armed; says `wait` otherwise. The key is dropped, never kept for later. */
function armed(ui: UiState, key: ReviewKey, act: () => Step): Step {
	return key.alone && key.readiness === 'ready' ? act() : stay(withReview(ui, {hint: 'wait, then press again'}));
}

function approve(
	ui: UiState,
	request: {readonly card: ApprovalRow; readonly scope: 'once' | 'session'},
	context: UiContext,
): Step {
	const {card, scope} = request;
	const review = reviewOf(ui);
	if (!review) {
		return stay(ui);
	}

	const reading = requestReading(review, card, reviewLayout(card, ui.size));
	if (reading === 'unread') {
		return stay(ui);
	}

	const reasons = reasonsToAskTwice(card);
	if (reasons.length > 0 && review.again !== scope) {
		const letter = scope === 'once' ? 'a' : 's';
		return stay(withReview(ui, {again: scope, hint: `press ${letter} again: ${reasons.join(', ')}`}));
	}

	return answer(ui, {card, verdict: {kind: 'approve', scope}}, context);
}

type Answer = {
	readonly card: ApprovalRow;
	readonly verdict:
		| {readonly kind: 'approve'; readonly scope: 'once' | 'session' | 'always'}
		| {readonly kind: 'deny'; readonly message?: string};
};

/** Sends the answer and stays: only the core's event moves the screen. */
function answer(ui: UiState, {card, verdict}: Answer, context: UiContext): Step {
	const sent = withReview(ui, {
		answers: (reviewOf(ui)?.answers ?? 0) + 1,
		again: undefined,
		page: 'card',
		hint: 'sent, waiting for the gateway',
	});
	const command = {type: 'answer-approval', id: card.id, argumentsHash: card.argumentsHash, verdict} as const;
	return withCommand(context.readOnly ? ui : sent, command, context);
}
