import {confirmCommand} from './command-keys.ts';
import {pickedId, pickedProfile} from '../state/selection.ts';
import {showListView} from './screen-view.ts';
import {withCommand, type Step, stay, type UiContext, type UiState, withToast} from '../state/ui-state.ts';
import {uncertainId} from '../lists/call-rows.ts';

/** Asks whether a call under way is to be cancelled. */
export function cancelCall(ui: UiState, context: UiContext): Step {
	const id = pickedId(ui, context.snapshot);
	const call = context.snapshot.calls.find(({callId}) => callId === id);
	return stay(
		call
			? confirmCommand(ui, {
					words: `Cancel ${call.server}/${call.tool}? What it did already stays done.`,
					command: {type: 'cancel-call', callId: call.callId, profile: call.profile},
					doing: `cancelling ${call.server}/${call.tool}`,
					next: 'list',
				})
			: ui,
	);
}

/** Asks whether an uncertain call is to be marked. */
export function resolveCall(ui: UiState, resolution: 'done' | 'not_done', context: UiContext): Step {
	return withUncertain(ui, context, call =>
		confirmCommand(ui, {
			words:
				resolution === 'done'
					? `Mark ${call.server}/${call.tool} as done? It took effect, as far as you know.`
					: `Mark ${call.server}/${call.tool} as not done? It had no effect, as far as you know.`,
			command: {type: 'resolve-uncertain', callId: call.callId, resolution, profile: call.profile},
			doing: 'marking the call',
			next: 'list',
		}),
	);
}

/** Asks whether an uncertain call is to be made once more, with the same arguments and through the approval check. */
export function repeatCall(ui: UiState, context: UiContext): Step {
	return withUncertain(ui, context, call =>
		confirmCommand(ui, {
			words: `Repeat ${call.server}/${call.tool}? If it took effect, it does so twice. The gate asks anew.`,
			command: {type: 'repeat-uncertain', callId: call.callId, profile: call.profile},
			doing: 'repeating the call',
			next: 'list',
		}),
	);
}

/** All tools of the picked profile. */
export function showAllTools(ui: UiState, context: UiContext): Step {
	const profile = pickedProfile(ui, context.snapshot);
	return withCommand(showListView(ui, 'tools'), {type: 'show-tools', profile}, context);
}

/** The remembered approvals of the picked profile. */
export function showRules(ui: UiState, context: UiContext): Step {
	const profile = pickedProfile(ui, context.snapshot);
	return withCommand(showListView(ui, 'rules'), {type: 'show-rules', profile}, context);
}

/** Asks whether a remembered approval is to be revoked. */
export function revokeRule(ui: UiState, context: UiContext): Step {
	const list = context.snapshot.ruleList;
	const rule = list?.rules.find(({id}) => id === pickedId(ui, context.snapshot));
	return stay(
		list && rule
			? confirmCommand(ui, {
					words: `Revoke the approval of ${rule.server}/${rule.tool}? Its next call asks again.`,
					command: {type: 'revoke-rule', id: rule.id, profile: list.profile},
					doing: 'revoking the approval',
					next: 'list',
				})
			: ui,
	);
}

function withUncertain(
	ui: UiState,
	{snapshot}: UiContext,
	act: (call: UiContext['snapshot']['uncertain'][number]) => UiState,
): Step {
	const id = pickedId(ui, snapshot);
	const call = snapshot.uncertain.find(row => uncertainId(row) === id);
	return stay(call ? act(call) : withToast(ui, 'this is for calls whose outcome is uncertain', 'busy'));
}
