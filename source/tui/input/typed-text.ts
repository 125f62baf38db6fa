import {isTextMode} from '../state/mode.ts';
import {dispatchAction} from './dispatch-action.ts';
import {type Act} from './run-command.ts';
import {type KeyPress} from '../state/key-press.ts';
import {changeText, replaceText, submitText} from './text-keys.ts';
import {type Step, stay, type UiContext, type UiState} from '../state/ui-state.ts';

/** A typed word is no key, so it can approve nothing. */
const actOnWord: Act = (ui, action, context) =>
	dispatchAction(ui, {action, readiness: 'unpainted', alone: true}, context);

/** The window after enter in a text field. */
export function submitted(ui: UiState, text: string, context: UiContext): Step {
	return submitText(ui, {text, act: actOnWord}, context);
}

/** The rest of a chunk whose beginning opened a field: the input component has not seen it. */
export function typedAhead(ui: UiState, keyPress: KeyPress, context: UiContext): Step {
	if (!isTextMode(ui.mode)) {
		return stay(ui);
	}

	const {value} = ui.mode.field;
	return keyPress.name === 'enter' ? submitted(ui, value, context) : stay(replaceText(ui, value + keyPress.text));
}

/** A chunk may bring its own line break: the line before it is what was meant. */
export function textChanged(ui: UiState, text: string, context: UiContext): Step {
	return /[\r\n]/u.test(text)
		? submitted(replaceText(ui, firstLine(text)), firstLine(text), context)
		: stay(changeText(ui, text));
}

/** The window after a paste: text for an open field, nothing anywhere else. */
export function pasted(ui: UiState, text: string): UiState {
	return isTextMode(ui.mode) ? replaceText(ui, ui.mode.field.value + firstLine(text)) : ui;
}

function firstLine(text: string): string {
	return text.split(/[\r\n]/u)[0] ?? '';
}
