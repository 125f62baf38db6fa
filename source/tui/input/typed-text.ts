import {withFormText} from '../state/form-mode.ts';
import {isTextMode} from '../state/mode.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {suggestedCommands} from './palette.ts';

/** The dashboard after the text of its field changed. */
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

/** The same for a text that was set from outside the input component, which then takes it over. */
export function replaceText(ui: UiState, text: string): UiState {
	const changed = changeText(ui, text);
	const {mode} = changed;
	return isTextMode(mode)
		? withMode(changed, {...mode, field: {value: text, revision: mode.field.revision + 1}})
		: changed;
}

/** Completes a typed command when there is one that begins so. */
export function completeText(ui: UiState, {snapshot}: UiContext): UiState {
	if (ui.mode.kind !== 'palette') {
		return ui;
	}

	const {value} = ui.mode.field;
	const found = suggestedCommands(value, snapshot).find(command => command.startsWith(value));
	return value === '' || found === undefined ? ui : replaceText(ui, found);
}

/** A paste is text for an open field, nothing anywhere else. */
export function pasteText(ui: UiState, text: string): UiState {
	return isTextMode(ui.mode) ? replaceText(ui, ui.mode.field.value + firstLine(text)) : ui;
}

/** The text before its first line break, which a chunk or a paste may carry. */
export function firstLine(text: string): string {
	return text.split(/[\r\n]/u)[0] ?? '';
}
