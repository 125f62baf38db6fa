import {type Snapshot} from '../../state/snapshot.ts';
import {nextSorting, reversedSorting, type SortColumn, type Sorting} from '../lists/sorting.ts';
import {views} from '../lists/view-table.ts';
import {type UiContext, type UiState, withCopied, withToast} from '../state/ui-state.ts';
import {formOf} from '../state/form-mode.ts';
import {type SettingName, settingValue, settingValues} from '../state/display-settings.ts';
import {pickedRow} from '../state/selection.ts';
import {loginOf} from '../lists/login-rows.ts';
import {pickedCommand} from './trace-actions.ts';

/** Copies what the picked row is known by: a name, an id, an address. */
export function copyPicked(ui: UiState, {snapshot}: UiContext): UiState {
	const text = pickedText(ui, snapshot);
	return text === undefined || text === '' ? withToast(ui, 'there is nothing to copy', 'busy') : withCopied(ui, text);
}

function pickedText(ui: UiState, snapshot: Snapshot): string | undefined {
	if (ui.mode.kind === 'login') {
		const login = loginOf(ui.mode, snapshot);
		return login?.verificationUri ?? login?.authorizationUrl;
	}

	const form = formOf(ui);
	if (form) {
		return form.owner.kind === 'question' ? form.owner.url?.address : undefined;
	}

	const command = pickedCommand(ui, snapshot);
	if (command !== undefined) {
		return command;
	}

	return pickedRow(ui, snapshot)?.copy;
}

/** Changes to the next theme. */
export function nextTheme(ui: UiState): UiState {
	const themes = settingValues('theme');
	return withSetting(ui, 'theme', themes[(themes.indexOf(ui.theme) + 1) % themes.length] ?? 'auto');
}

/** Sets one of the settings to a typed value. */
export function withSetting(ui: UiState, name: SettingName, typed: string): UiState {
	const value = settingValue(name, typed);
	return value === undefined
		? withToast(ui, `${name}: ${settingValues(name).join(', ')}`, 'busy')
		: {...withToast(ui, [`${name} ${value}`, settingNote(ui, name, value)].filter(Boolean).join('; ')), [name]: value};
}

/** The reason that a chosen value has no effect at this terminal yet. */
function settingNote({terminal, focus}: UiState, name: SettingName, value: string): string {
	if (name === 'mouse' && value !== 'off' && terminal === 'unknown') {
		return 'off while this terminal answers nothing';
	}

	return name === 'notify' && value === 'osc' && focus === 'unknown'
		? 'rings until this terminal reports its focus'
		: '';
}

/** Sorts the list by its next column; after the last one it has its own order again. */
export function sortByNext(ui: UiState): UiState {
	return withSorting(ui, nextSorting(sortsOf(ui), ui.sort[ui.view]));
}

/** Shows the list from its other end, where it can be sorted. */
export function reverseList(ui: UiState): UiState {
	return isUnsortable(ui) ? ui : withSorting(ui, reversedSorting(ui.sort[ui.view]));
}

/** True if the list has only its own order. */
export function isUnsortable(ui: UiState): boolean {
	return sortsOf(ui).length === 0;
}

/** The columns by which the list of the view can be sorted. */
function sortsOf({view}: Pick<UiState, 'view'>): readonly SortColumn[] {
	return views[view].sorts ?? [];
}

/** Sorts the list as a typed word says: by a column, from the other end, or in its own order. */
export function sortBy(ui: UiState, word: string): UiState {
	if (word === 'reversed') {
		return reverseList(ui);
	}

	const by = sortsOf(ui).find(column => column === word);
	if (by) {
		return withSorting(ui, {by, direction: 'forward'});
	}

	const words = [...sortsOf(ui), 'reversed', 'default'];
	return word === 'default'
		? withSorting(ui, undefined)
		: withToast(
				ui,
				isUnsortable(ui) ? 'this list cannot be sorted' : `this list sorts by: ${words.join(', ')}`,
				'busy',
			);
}

function withSorting(ui: UiState, order: Sorting | undefined): UiState {
	const {[ui.view]: _, ...others} = ui.sort;
	return {...ui, sort: order ? {...others, [ui.view]: order} : others};
}
