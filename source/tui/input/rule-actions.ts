import {type RuleRow} from '../../state/view-event.ts';
import {pickedId, pickedProfile} from '../state/selection.ts';
import {stay, type Step, type UiContext, type UiState, withCall, withToast} from '../state/ui-state.ts';
import {cutToWidth} from '../text/text-width.ts';
import {confirmCall} from './confirm-actions.ts';
import {showListView} from './navigation.ts';

/** The rules of the picked profile, as they are now. */
export function showRules(ui: UiState, context: UiContext): Step {
	const profile = pickedProfile(ui, context.snapshot);
	return withCall(showListView(ui, 'rules'), {method: 'rules.view', params: {}, profile}, context);
}

/** Asks for the counts of the askers in the picked profile. */
export function showAskers(ui: UiState, context: UiContext): Step {
	const profile = pickedProfile(ui, context.snapshot);
	return withCall(showListView(ui, 'askers'), {method: 'askers.view', params: {}, profile}, context);
}

/** Tries the rules of the profile whose rules are shown, or of the picked one, on the recorded calls. */
export function rehearseRules(ui: UiState, context: UiContext): Step {
	return withCall(
		showRehearsal(ui),
		{method: 'rules.rehearse', params: {}, profile: pickedProfile(ui, context.snapshot)},
		context,
	);
}

/** Rehearses the recorded calls without the picked rule. */
export function rehearseWithout(ui: UiState, context: UiContext): Step {
	const {ruleList} = context.snapshot;
	const rule = pickedRule(ui, context.snapshot);
	return ruleList && rule
		? withCall(
				showRehearsal(ui),
				{method: 'rules.rehearse', params: {without: rule.id}, profile: ruleList.profile},
				context,
			)
		: stay(ui);
}

/** From its first row: what was selected last is of another rehearsal. */
function showRehearsal(ui: UiState): UiState {
	const {rehearsal: _, ...selected} = ui.selected;
	return showListView({...ui, selected}, 'rehearsal');
}

/** Ends a rehearsal that runs when its list is left. */
export function withoutLeftRehearsal(before: UiState, step: Step, {snapshot}: UiContext): Step {
	const isLeft = before.view === 'rehearsal' && step.ui.view !== 'rehearsal';
	return isLeft && snapshot.rehearsal?.progress.state === 'running' ? {...step, act: {type: 'abort-rehearsal'}} : step;
}

/** So much of a rule fits into a question on the smallest screen; its details have all of it. */
const askedCells = 120;

/** Asks whether a rule is to be removed; those of config.yaml are removed there. */
export function revokeRule(ui: UiState, {snapshot}: UiContext): UiState {
	const list = snapshot.ruleList;
	const rule = pickedRule(ui, snapshot);
	if (!list || !rule) {
		return ui;
	}

	if (rule.source === 'config') {
		return withToast(ui, 'this rule is in config.yaml: remove it there, under approvals.rules', 'busy');
	}

	return confirmCall(ui, {
		words: `Remove the rule that ${cutToWidth(rule.words, askedCells)}? Such calls will ask again.`,
		call: {method: 'rules.revoke', params: {id: rule.id}, profile: list.profile},
		pending: 'removing the rule',
		next: 'list',
	});
}

/** True if the picked row is no rule. */
export function hasNoRule(ui: UiState, {snapshot}: UiContext): boolean {
	return pickedRule(ui, snapshot) === undefined;
}

/** True if no key removes the picked row. */
export function isUnremovable(ui: UiState, {snapshot}: UiContext): boolean {
	return pickedRule(ui, snapshot)?.source !== 'stored';
}

/** The rule of the picked row. */
export function pickedRule(ui: UiState, snapshot: UiContext['snapshot']): RuleRow | undefined {
	const id = pickedId(ui, snapshot);
	return snapshot.ruleList?.rules.find(rule => rule.id === id);
}
