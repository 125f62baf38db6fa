import {
	type FormAction,
	formActions,
	isOneOf,
	type LoginAction,
	type ProposalAction,
	proposalActions,
	type ReviewAction,
	reviewActions,
	type WholeAction,
	wholeActions,
	type SettledAction,
	settledActions,
} from '../state/actions.ts';
import {type Readiness} from '../state/arming.ts';
import {formStep} from './form-keys.ts';
import {loginStep} from './login-keys.ts';
import {proposalStep} from './proposal-keys.ts';
import {reviewStep} from './review-keys.ts';
import {settledStep} from './settled-keys.ts';
import {type Step, stay, type UiContext, type UiState} from '../state/ui-state.ts';
import {wholeStep} from './whole-keys.ts';

/** A key on a screen where something is decided: whether it may decide now, and whether it came alone. */
export type DialogKey<Name> = {readonly action: Name; readonly readiness: Readiness; readonly alone: boolean};

type DialogAction = ReviewAction | WholeAction | FormAction | ProposalAction | SettledAction | LoginAction;

/** The window after a key on the screen of a request, a form, a proposal or a login. */
export function dialogStep(ui: UiState, key: DialogKey<DialogAction>, context: UiContext): Step {
	const {action} = key;
	if (isOneOf(reviewActions, action)) {
		return reviewStep(ui, {...key, action}, context);
	}

	if (isOneOf(wholeActions, action)) {
		return stay(wholeStep(ui, action, context));
	}

	if (isOneOf(formActions, action)) {
		return formStep(ui, {...key, action}, context);
	}

	if (isOneOf(settledActions, action)) {
		return settledStep(ui, {...key, action}, context);
	}

	return isOneOf(proposalActions, action)
		? proposalStep(ui, {...key, action}, context)
		: loginStep(ui, action, context);
}
