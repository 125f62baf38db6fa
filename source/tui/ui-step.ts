import {actionFor} from './keymap.ts';
import {isTextMode} from './mode.ts';
import {pressStep} from './press.ts';
import {reconcile} from './reconcile.ts';
import {resizedDialog} from './resized-dialog.ts';
import {scopesOf} from './scopes.ts';
import {type Stroke} from './stroke.ts';
import {type Act} from './run-command.ts';
import {changeText, replaceText, submitText} from './text-keys.ts';
import {type Step, stay, type UiContext, type UiEvent, type UiState} from './ui-state.ts';

/** The window after something happened. Pure: orders to the core are answered, not sent. */
export function uiStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	const {ui: next, commands} = eventStep(ui, event, context);
	return {ui: reconcile(next, context.snapshot), commands};
}

function eventStep(ui: UiState, event: UiEvent, context: UiContext): Step {
	switch (event.type) {
		case 'stroke': {
			const action = actionFor(scopesOf(ui, context), event.stroke.name);
			const {alone} = event.stroke;
			return action === undefined ? stay(ui) : pressStep(ui, {action, readiness: event.readiness, alone}, context);
		}

		case 'typed-ahead':
			return typedAhead(ui, event.stroke, context);
		case 'text-changed':
			return textChanged(ui, event.text, context);
		case 'text-submitted':
			return submitText(ui, {text: event.text, act: actOnWord}, context);
		case 'pasted':
			return stay(isTextMode(ui.mode) ? replaceText(ui, ui.mode.field.value + firstLine(event.text)) : ui);
		case 'resized':
			return stay(resizedDialog({...ui, size: event.size}, context.snapshot));
		case 'snapshot':
			return stay(ui);
		case 'toast-ended':
			return stay(ui.toast?.id === event.id ? {...ui, toast: undefined} : ui);
	}
}

/** A typed word is no key, so it can approve nothing. */
const actOnWord: Act = (ui, action, context) => pressStep(ui, {action, readiness: 'unpainted', alone: true}, context);

/** The rest of a chunk whose beginning opened a field: the input component has not seen it. */
function typedAhead(ui: UiState, stroke: Stroke, context: UiContext): Step {
	if (!isTextMode(ui.mode)) {
		return stay(ui);
	}

	const {value} = ui.mode.field;
	return stroke.name === 'enter'
		? submitText(ui, {text: value, act: actOnWord}, context)
		: stay(replaceText(ui, value + stroke.text));
}

/** A chunk may bring its own line break: the line before it is what was meant. */
function textChanged(ui: UiState, text: string, context: UiContext): Step {
	return /[\r\n]/u.test(text)
		? submitText(replaceText(ui, firstLine(text)), {text: firstLine(text), act: actOnWord}, context)
		: stay(changeText(ui, text));
}

function firstLine(text: string): string {
	return text.split(/[\r\n]/u)[0] ?? '';
}
