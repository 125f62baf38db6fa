import {withFormText} from '../state/form-mode.ts';
import {isTextMode, type Mode} from '../state/mode.ts';
import {type Edit, edited, fieldWith, inserted, type TextField} from '../state/text-field.ts';
import {type UiContext, type UiState, withMode} from '../state/ui-state.ts';
import {type PaletteUi, pickedCommand} from './palette-rows.ts';

/** The dashboard after its field changed. */
export function withField(ui: UiState, field: TextField): UiState {
	const {mode} = ui;
	if (!isTextMode(mode)) {
		return ui;
	}

	if (mode.kind === 'form-text') {
		return withMode(ui, field.value === mode.field.value ? {...mode, field} : withFormText(mode, field));
	}

	if (mode.kind === 'palette') {
		const {behind} = mode;
		return withMode(ui, field.value === mode.field.value ? {...mode, field} : {kind: 'palette', field, behind});
	}

	if (mode.kind === 'help') {
		return withMode(ui, {...mode, field, scroll: field.value === mode.field.value ? mode.scroll : 0});
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

/** Completes a typed command to the one that enter would run. */
export function completeText(ui: UiState, context: UiContext): UiState {
	return ui.mode.kind === 'palette' ? withField(ui, fieldWith(completed(ui.mode, ui, context))) : ui;
}

/** The field with the command that enter would run, behind the slash that was typed. */
export function completed(
	mode: Extract<Mode, {kind: 'palette'}>,
	ui: PaletteUi,
	context: Pick<UiContext, 'snapshot' | 'readOnly'>,
): string {
	const {value} = mode.field;
	const command = pickedCommand(mode, ui, context)?.command;
	return command === undefined ? value : `${value.startsWith('/') ? '/' : ''}${command}`;
}
