import {submitServer} from './add-server-keys.ts';
import {type Act, runCommand} from './run-command.ts';
import {denyWithMessage} from './review-keys.ts';
import {withFormText} from '../state/form-text.ts';
import {isTextMode} from '../state/mode.ts';
import {submitPrompt} from './prompt-keys.ts';
import {moveStop} from './form-keys.ts';
import {type Step, stay, type UiContext, type UiState, withMode} from '../state/ui-state.ts';

/** The window after a text changed. A line break in it ends the field: chunks may carry one. */
export function changeText(ui: UiState, text: string): UiState {
	const {mode} = ui;
	if (!isTextMode(mode) || mode.field.value === text) {
		return ui;
	}

	if (mode.kind === 'form-text') {
		return withMode(ui, withFormText(mode, text));
	}

	const changed = withMode(ui, {...mode, field: {...mode.field, value: text}});
	return mode.kind === 'filter' ? {...changed, filters: {...ui.filters, [ui.view]: text}} : changed;
}

/** The window after a text was set from outside the input component, which then starts anew from it. */
export function replaceText(ui: UiState, text: string): UiState {
	const changed = changeText(ui, text);
	const {mode} = changed;
	return isTextMode(mode)
		? withMode(changed, {...mode, field: {value: text, revision: mode.field.revision + 1}})
		: changed;
}

/** The window after enter in a text field. */
export function submitText(ui: UiState, typed: {readonly text: string; readonly act: Act}, context: UiContext): Step {
	const {mode} = ui;
	const text = typed.text.trim();
	if (!isTextMode(mode)) {
		return stay(ui);
	}

	switch (mode.kind) {
		case 'palette':
			return text === '' ? stay(browse(ui)) : runCommand(browse(ui), {...typed, text}, context);
		case 'filter':
			return /^\/?reload-mcp$/u.test(text)
				? runCommand(browse(changeText(ui, '')), {...typed, text}, context)
				: stay(browse(changeText(ui, text)));
		case 'deny-message':
			return denyWithMessage(ui, text, context);
		case 'add-server':
			return submitServer(ui, text, context);
		case 'form-text':
			return stay(moveStop(ui, 1));
		case 'prompt':
			return submitPrompt(ui, text, context);
	}
}

function browse(ui: UiState): UiState {
	return withMode(ui, {kind: 'browse'});
}
