import {actionFor} from '../state/keymap.ts';
import {dispatchAction} from './dispatch-action.ts';
import {reconcile} from './reconcile.ts';
import {resizedDialog} from './resized-dialog.ts';
import {scopesOf} from './scopes.ts';
import {screenSeen} from './seen-rows.ts';
import {pasted, submitted, textChanged, typedAhead} from './typed-text.ts';
import {type UiEvent} from '../state/ui-event.ts';
import {type Step, stay, type UiContext, type UiState} from '../state/ui-state.ts';

/** The window after something happened. Pure: commands to the core are answered, not sent. */
export function uiStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	const {ui: next, commands} = eventStep(ui, event, context);
	return {ui: reconcile(next, context.snapshot), commands};
}

function eventStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	switch (event.type) {
		case 'stroke': {
			const action = actionFor(scopesOf(ui, context), event.keyPress.name);
			const {alone} = event.keyPress;
			return action === undefined ? stay(ui) : dispatchAction(ui, {action, readiness: event.readiness, alone}, context);
		}

		case 'typed-ahead':
			return typedAhead(ui, event.keyPress, context);
		case 'text-changed':
			return textChanged(ui, event.text, context);
		case 'text-submitted':
			return submitted(ui, event.text, context);
		case 'pasted':
			return stay(pasted(ui, event.text));
		case 'resized':
			return stay(resizedDialog({...ui, size: event.size}, context.snapshot));
		case 'screen-seen':
			return stay(screenSeen(ui, context));
		case 'snapshot':
			return stay(ui);
		case 'toast-ended':
			return stay(ui.toast?.id === event.id ? {...ui, toast: undefined} : ui);
	}
}
