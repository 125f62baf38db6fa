import {withFormText} from '../state/form-mode.ts';
import {isTextMode} from '../state/mode.ts';
import {type Edit, edited, fieldWith, inserted, type TextField} from '../state/text-field.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {suggestedCommands} from './palette.ts';

/** The dashboard after its field changed. */
export function withField(ui: UiState, field: TextField): UiState {
	const {mode} = ui;
	if (!isTextMode(mode)) {
		return ui;
	}

	if (mode.kind === 'form-text') {
		return withMode(ui, field.value === mode.field.value ? {...mode, field} : withFormText(mode, field));
	}

	const changed = withMode(ui, {...mode, field});
	return mode.kind === 'filter' ? {...changed, filters: {...ui.filters, [ui.view]: field.value}} : changed;
}

/** The dashboard after a key that edits the text of its field. */
export function editText(ui: UiState, edit: Edit): UiState {
	return isTextMode(ui.mode) ? withField(ui, edited(ui.mode.field, edit)) : ui;
}

/** A character or a paste is text for an open field, nothing anywhere else. A paste counts up to its first line break. */
export function typeText(ui: UiState, text: string): UiState {
	const [line = ''] = text.split(/[\r\n]/u);
	return isTextMode(ui.mode) && line !== '' ? withField(ui, inserted(ui.mode.field, line)) : ui;
}

/** Completes a typed command when there is one that begins so. */
export function completeText(ui: UiState, context: UiContext): UiState {
	return ui.mode.kind === 'palette' ? withField(ui, fieldWith(completed(ui.mode.field.value, context))) : ui;
}

/** The first command that begins with what was typed; the text itself where none does. */
export function completed(typed: string, context: Pick<UiContext, 'snapshot' | 'readOnly'>): string {
	const found = typed === '' ? undefined : suggestedCommands(typed, context).find(text => text.startsWith(typed));
	return found ?? typed;
}
