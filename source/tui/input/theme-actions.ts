import {themeNames} from '../text/theme.ts';
import {type UiState, withToast} from '../state/ui-state.ts';

/** The window after a text was copied: it is shown too, since many terminals drop what programs copy. */
export function copy(ui: UiState, text: string): UiState {
	return {...withToast(ui, `copied: ${text}`, 'good'), copied: {count: ui.copied.count + 1, text}};
}

/** The window in its next theme. */
export function nextTheme(ui: UiState): UiState {
	return withTheme(ui, themeNames[(themeNames.indexOf(ui.theme) + 1) % themeNames.length] ?? 'dark');
}

/** The window in a theme that was named. */
export function withTheme(ui: UiState, name: string): UiState {
	const theme = themeNames.find(known => known === name);
	return theme === undefined
		? withToast(ui, `themes: ${themeNames.join(', ')}`, 'busy')
		: {...withToast(ui, `theme ${theme}`), theme};
}
