import {
	type Action,
	formActions,
	isOneOf,
	loginActions,
	moves,
	orderActions,
	proposalActions,
	reviewActions,
	rowActions,
} from './actions.ts';
import {type Readiness} from './arming.ts';
import {dialogStep} from './dialog-keys.ts';
import {moveStep} from './move-keys.ts';
import {orderStep} from './order-keys.ts';
import {rowStep} from './row-keys.ts';
import {screenStep} from './screen-keys.ts';
import {type Step, stay, type UiContext, type UiState} from './ui-state.ts';

/** An action and the key behind it: whether it may approve now, and whether it came alone. */
export type Press = {readonly action: Action; readonly readiness: Readiness; readonly alone: boolean};

/** The window after an action. */
export function pressStep(ui: UiState, press: Press, context: UiContext): Step {
	const {action} = press;
	if (isOneOf(moves, action)) {
		return stay(moveStep(ui, action, context));
	}

	if (
		isOneOf(reviewActions, action) ||
		isOneOf(formActions, action) ||
		isOneOf(proposalActions, action) ||
		isOneOf(loginActions, action)
	) {
		return dialogStep(ui, {...press, action}, context);
	}

	if (isOneOf(rowActions, action)) {
		return rowStep(ui, action, context);
	}

	if (isOneOf(orderActions, action)) {
		// A chunk that happens to hold a y says yes to nothing.
		return action === 'confirm' && !press.alone ? stay(ui) : orderStep(ui, action, context);
	}

	return screenStep(ui, action, context);
}
