import {decisionChoices} from '../../state/decision.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {cardReading, reviewLayout} from '../approval/review-layout.ts';
import {proposalFor, rulePage} from '../approval/rule-page.ts';
import {pickedAsked} from '../lists/asked-rows.ts';
import {type CallRuleMode, sentHint} from '../state/mode.ts';
import {type ReviewMode} from '../state/review.ts';
import {pickedId} from '../state/selection.ts';
import {
	refused,
	stay,
	type Step,
	type UiContext,
	type UiState,
	withCall,
	withMode,
	withReview,
	withToast,
} from '../state/ui-state.ts';
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
			? propose(
					withReview(ui, {page: 'rule', argument: 0, again: undefined, hint: ''}),
					{subject: card, choices: []},
					context,
				)
			: stay(withReview(ui, {hint: 'read it to its end first'}));
	});
}

/** The page that proposes a rule from the newest allowed call of the picked asker or tool. */
export function proposeFromAsked(ui: UiState, context: UiContext): Step {
	const {snapshot} = context;
	const list = snapshot.askerList;
	const picked = pickedAsked(ui.view, pickedId(ui, snapshot), snapshot);
	if (!list || !picked) {
		return stay(ui);
	}

	const id = picked.parts.find(({callId}) => callId !== undefined)?.callId;
	if (id === undefined) {
		return stay(withToast(ui, 'none of these calls was allowed, so there is none to make a rule from', 'busy'));
	}

	const mode = {
		kind: 'call-rule',
		id,
		profile: list.profile,
		argument: 0,
		answers: 0,
		hint: '',
		behind: ui.mode,
	} as const;
	return context.readOnly ? refused(ui) : propose(withMode(ui, mode), {subject: mode, choices: []}, context);
}

/** Picks the next or previous argument. */
export function pickArgument(ui: UiState, distance: 1 | -1, context: UiContext): Step {
	return withProposed(ui, context, ({subject, argument}) => {
		const last = (proposalFor(subject, context.snapshot)?.arguments.length ?? 1) - 1;
		return stay(withPage(ui, {argument: clamp(argument + distance, last), hint: ''}));
	});
}

/** Asks the gateway for the rule with another choice for the picked argument. */
export function changeChoice(ui: UiState, distance: 1 | -1, context: UiContext): Step {
	return withProposed(ui, context, ({subject, argument}) => {
		const shown = proposalFor(subject, context.snapshot)?.arguments ?? [];
		const choices = shown.map(({choices: offered, chosen}, index) =>
			index === argument ? clamp(chosen + distance, offered.length - 1) : chosen,
		);
		return choices.length === 0 ? stay(ui) : propose(withPage(ui, {hint: ''}), {subject, choices}, context);
	});
}

/** Stores the rule on the page, and allows the request once that it is from; only where all of the rule is on the screen. */
export function storeProposedRule(ui: UiState, context: UiContext): Step {
	return withProposed(ui, context, ({subject, argument}) => {
		const hint = whyNotStored({subject, argument}, ui, context);
		const proposal = proposalFor(subject, context.snapshot);
		if (hint !== undefined || proposal?.outcome.kind !== 'rule') {
			return stay(withPage(ui, {hint: hint ?? ''}));
		}

		const {id, profile} = subject;
		const choices = proposal.arguments.map(({chosen}) => chosen);
		const {hash: ruleHash} = proposal.outcome;
		if ('argumentsHash' in subject) {
			const params = {id, arguments_hash: subject.argumentsHash, choices, rule_hash: ruleHash};
			return sendAnswer(ui, {method: 'rules.store', params, profile}, context);
		}

		const sent = withMode(ui, {...subject, answers: subject.answers + 1, hint: sentHint});
		const params = {id, choices, rule_hash: ruleHash};
		return withCall(context.readOnly ? ui : sent, {method: 'rules.store-proposed', params, profile}, context);
	});
}

/** Leaves the page without storing anything. */
export function leaveRule(ui: UiState): UiState {
	return ui.mode.kind === 'call-rule' ? withMode(ui, ui.mode.behind) : withReview(ui, {page: 'card', hint: ''});
}

/** The request or the recorded call that a rule is made from, and the picked argument. */
type Proposed = {readonly subject: ApprovalRow | CallRuleMode; readonly argument: number};

function withProposed(ui: UiState, context: UiContext, act: (proposed: Proposed) => Step): Step {
	const {mode} = ui;
	return mode.kind === 'call-rule'
		? act({subject: mode, argument: mode.argument})
		: withRequest(ui, context, ({review, card}) => act({subject: card, argument: review.argument}));
}

function withPage(ui: UiState, change: Pick<Partial<ReviewMode>, 'argument' | 'hint'>): UiState {
	return ui.mode.kind === 'call-rule' ? withMode(ui, {...ui.mode, ...change}) : withReview(ui, change);
}

function whyNotStored({subject, argument}: Proposed, {size}: UiState, {snapshot}: UiContext): string | undefined {
	const proposal = proposalFor(subject, snapshot);
	if (proposal?.outcome.kind !== 'rule') {
		return 'nothing can be stored yet';
	}

	return rulePage(proposal, argument, size).shows === 'part'
		? 'this terminal is too small to show what would be stored'
		: undefined;
}

function propose(
	ui: UiState,
	{subject, choices}: {readonly subject: Proposed['subject']; readonly choices: readonly number[]},
	context: UiContext,
): Step {
	const {id, profile} = subject;
	const from = 'argumentsHash' in subject ? {} : ({from: 'call'} as const);
	return withCall(ui, {method: 'rules.propose', params: {id, ...from, choices}, profile}, context);
}

function clamp(value: number, last: number): number {
	return Math.max(0, Math.min(value, last));
}
