import {decisionChoices} from '../../state/decision.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {cardReading, reviewLayout} from '../approval/review-layout.ts';
import {proposalFor, rulePage} from '../approval/rule-page.ts';
import {type ReviewMode} from '../state/review.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withReview} from '../state/ui-state.ts';
import {sendAnswer, withRequest} from './review-actions.ts';

/** The page that proposes a rule from the request under review, once that was read to its end. */
export function showProposedRule(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) => {
		const {rule} = decisionChoices(card, 'read');
		if (rule.kind !== 'here') {
			const hint =
				rule.kind === 'elsewhere'
					? `a rule can be made from it only at ${rule.node || 'the gateway that asks'}`
					: 'no rule can be made from this request';
			return stay(withReview(ui, {hint}));
		}

		return cardReading(review, card, reviewLayout(card, ui.size, review.form)) === 'read'
			? propose(withReview(ui, {page: 'rule', argument: 0, again: undefined, hint: ''}), {card, choices: []}, context)
			: stay(withReview(ui, {hint: 'read it to its end first'}));
	});
}

/** Picks the next or previous argument. */
export function pickArgument(ui: UiState, distance: 1 | -1, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) => {
		const last = (proposalFor(card, context.snapshot)?.arguments.length ?? 1) - 1;
		return stay(withReview(ui, {argument: clamp(review.argument + distance, last), hint: ''}));
	});
}

/** Asks the gateway for the rule with another choice for the picked argument. */
export function changeChoice(ui: UiState, distance: 1 | -1, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) => {
		const shown = proposalFor(card, context.snapshot)?.arguments ?? [];
		const choices = shown.map(({choices, chosen}, index) =>
			index === review.argument ? clamp(chosen + distance, choices.length - 1) : chosen,
		);
		return choices.length === 0 ? stay(ui) : propose(withReview(ui, {hint: ''}), {card, choices}, context);
	});
}

/** Stores the rule on the page and allows the request once; only where all of the rule is on the screen. */
export function storeProposedRule(ui: UiState, context: UiContext): Step {
	return withRequest(ui, context, ({review, card}) => {
		const hint = whyNotStored({review, card}, ui, context);
		const proposal = proposalFor(card, context.snapshot);
		if (hint !== undefined || proposal?.outcome.kind !== 'rule') {
			return stay(withReview(ui, {hint: hint ?? ''}));
		}

		const {id, argumentsHash, profile} = card;
		const choices = proposal.arguments.map(({chosen}) => chosen);
		const {hash: ruleHash} = proposal.outcome;
		return sendAnswer(
			ui,
			{method: 'rules.store', params: {id, arguments_hash: argumentsHash, choices, rule_hash: ruleHash}, profile},
			context,
		);
	});
}

function whyNotStored(
	{review, card}: {readonly review: ReviewMode; readonly card: ApprovalRow},
	{size}: UiState,
	{snapshot}: UiContext,
): string | undefined {
	const proposal = proposalFor(card, snapshot);
	if (proposal?.outcome.kind !== 'rule') {
		return 'nothing can be stored yet';
	}

	return rulePage(proposal, review.argument, size).shows === 'part'
		? 'this terminal is too small to show what would be stored'
		: undefined;
}

function propose(
	ui: UiState,
	{card: {id, profile}, choices}: {readonly card: ApprovalRow; readonly choices: readonly number[]},
	context: UiContext,
): Step {
	return withCall(ui, {method: 'rules.propose', params: {id, choices}, profile}, context);
}

function clamp(value: number, last: number): number {
	return Math.max(0, Math.min(value, last));
}
