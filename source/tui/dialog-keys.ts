import {
	type FormAction,
	formActions,
	isOneOf,
	type LoginAction,
	type ProposalAction,
	proposalActions,
	type ReviewAction,
	reviewActions,
} from './actions.ts';
import {type Readiness} from './arming.ts';
import {formStep} from './form-keys.ts';
import {loginStep} from './login-keys.ts';
import {proposalStep} from './proposal-keys.ts';
import {reviewStep} from './review-keys.ts';
import {type Step, type UiContext, type UiState} from './ui-state.ts';

/** A key on a screen where something is decided: whether it may decide now, and whether it came alone. */
export type DialogKey<Name> = {readonly action: Name; readonly readiness: Readiness; readonly alone: boolean};

type DialogAction = ReviewAction | FormAction | ProposalAction | LoginAction;

/** The window after a key on the screen of a request, a form, a proposal or a login. */
export function dialogStep(ui: UiState, key: DialogKey<DialogAction>, context: UiContext): Step {
	const {action} = key;
	if (isOneOf(reviewActions, action)) {
		return reviewStep(ui, {...key, action}, context);
	}

	if (isOneOf(formActions, action)) {
		return formStep(ui, {...key, action}, context);
	}

	return isOneOf(proposalActions, action)
		? proposalStep(ui, {...key, action}, context)
		: loginStep(ui, action, context);
}
