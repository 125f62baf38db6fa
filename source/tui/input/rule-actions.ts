import {type RuleRow} from '../../state/view-event.ts';
import {pickedId, pickedProfile} from '../state/selection.ts';
import {type Step, type UiContext, type UiState, withCommand, withToast} from '../state/ui-state.ts';
import {cutToWidth} from '../text/text-width.ts';
import {confirmCommand} from './confirm-actions.ts';
import {showListView} from './navigation.ts';

/** The rules of the picked profile, as they are now. */
export function showRules(ui: UiState, context: UiContext): Step {
	const profile = pickedProfile(ui, context.snapshot);
	return withCommand(showListView(ui, 'rules'), {type: 'show-rules', profile}, context);
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
		return withToast(ui, 'this rule stands in config.yaml: remove it there, under approvals.rules', 'busy');
	}

	return confirmCommand(ui, {
		words: `Remove the rule that ${cutToWidth(rule.words, askedCells)}? Then such calls ask again.`,
		command: {type: 'revoke-rule', id: rule.id, profile: list.profile},
		doing: 'removing the rule',
		next: 'list',
	});
}

/** Whether what is picked is no rule that a key removes. */
export function isUnremovable(ui: UiState, {snapshot}: UiContext): boolean {
	return pickedRule(ui, snapshot)?.source !== 'stored';
}

function pickedRule(ui: UiState, snapshot: UiContext['snapshot']): RuleRow | undefined {
	const id = pickedId(ui, snapshot);
	return snapshot.ruleList?.rules.find(rule => rule.id === id);
}
