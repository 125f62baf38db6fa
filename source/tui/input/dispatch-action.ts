import {
	type Action,
	formActions,
	isOneOf,
	loginActions,
	moves,
	commandActions,
	proposalActions,
	reviewActions,
	rowActions,
	wholeActions,
	settledActions,
} from '../state/actions.ts';
import {type Readiness} from '../state/arming.ts';
import {dialogStep} from './dialog-keys.ts';
import {moveStep} from './move-keys.ts';
import {commandStep} from './command-keys.ts';
import {rowStep} from './row-keys.ts';
import {screenStep} from './screen-keys.ts';
import {type Step, stay, type UiContext, type UiState} from '../state/ui-state.ts';

/** An action and the key behind it: whether it may approve now, and whether it came alone. */
export type PressedAction = {readonly action: Action; readonly readiness: Readiness; readonly alone: boolean};

/** The window after an action. */
export function dispatchAction(ui: UiState, pressed: PressedAction, context: UiContext): Step {
	const {action} = pressed;
	if (isOneOf(moves, action)) {
		return stay(moveStep(ui, action, context));
	}

	if (
		isOneOf(reviewActions, action) ||
		isOneOf(wholeActions, action) ||
		isOneOf(formActions, action) ||
		isOneOf(proposalActions, action) ||
		isOneOf(settledActions, action) ||
		isOneOf(loginActions, action)
	) {
		return dialogStep(ui, {...pressed, action}, context);
	}

	if (isOneOf(rowActions, action)) {
		return rowStep(ui, action, context);
	}

	if (isOneOf(commandActions, action)) {
		// A chunk that happens to hold a y says yes to nothing.
		return action === 'confirm' && !pressed.alone ? stay(ui) : commandStep(ui, action, context);
	}

	return screenStep(ui, action, context);
}
