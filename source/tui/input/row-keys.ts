import {type RowAction} from '../state/actions.ts';
import {cancelCall, repeatCall, resolveCall, revokeRule, showRules} from './call-keys.ts';
import {dryRun, replay, serverLog} from './page-keys.ts';
import {endRun, newRun, pauseJob, pauseRoute, runJob, writeToRun} from './run-keys.ts';
import {showManualCall, serverTools} from './tool-keys.ts';
import {refused, type Step, stay, type UiContext, type UiState} from '../state/ui-state.ts';

/** What may be done in a window that only looks. */
export const readOnlyActions: readonly RowAction[] = ['server-log', 'server-tools', 'show-rules'];

/** The window after a key that is about the picked row. */
export function rowStep(ui: UiState, action: RowAction, context: UiContext): Step {
	return context.readOnly && !readOnlyActions.includes(action) ? refused(ui) : allowedStep(ui, action, context);
}

function allowedStep(ui: UiState, action: RowAction, context: UiContext): Step {
	switch (action) {
		case 'server-log':
			return serverLog(ui, context);
		case 'server-tools':
			return serverTools(ui, context);
		case 'call-tool':
			return stay(showManualCall(ui, context));
		case 'cancel-call':
			return cancelCall(ui, context);
		case 'call-happened':
			return resolveCall(ui, 'done', context);
		case 'call-did-not-happen':
			return resolveCall(ui, 'not_done', context);
		case 'repeat-call':
			return repeatCall(ui, context);
		case 'show-rules':
			return showRules(ui, context);
		case 'revoke-rule':
			return revokeRule(ui, context);
		case 'dry-run':
			return dryRun(ui, context);
		case 'replay':
			return replay(ui, context);
		case 'end-run':
			return endRun(ui, context);
		case 'write-to-run':
			return writeToRun(ui, context);
		case 'new-run':
			return stay(newRun(ui, context));
		case 'run-job':
			return runJob(ui, context);
		case 'pause-job':
			return pauseJob(ui, context);
		case 'pause-route':
			return pauseRoute(ui, context);
	}
}
