import {type QuestionRow} from '../../state/snapshot.ts';
import {type Form, openForm, stopOf, withEntry} from './form.ts';
import {earlyHint, type Mode, sentHint} from './mode.ts';
import {fieldWith, type TextField} from './text-field.ts';
import {type UiState, withMode, withToast} from './ui-state.ts';

/** The form on the screen, if there is one. */
export function formOf({mode}: Pick<UiState, 'mode'>): Form | undefined {
	return mode.kind === 'form' || mode.kind === 'form-text' ? mode.form : undefined;
}

/** The mode for the place of the form's cursor: a text field has the keys, or the form. */
export function formMode(form: Form, behind: Mode): Mode {
	const stop = stopOf(form);
	return stop.kind === 'text'
		? {
				kind: 'form-text',
				form,
				field: fieldWith(form.entries[stop.field]?.[0] ?? ''),
				behind,
			}
		: {kind: 'form', form, behind};
}

/** The dashboard with its form changed, cursor included. */
export function atStop(ui: UiState, form: Form): UiState {
	return ui.mode.kind === 'form' || ui.mode.kind === 'form-text' ? withMode(ui, formMode(form, ui.mode.behind)) : ui;
}

/** The dashboard with a change to its form that leaves the cursor where it is. */
export function withForm(ui: UiState, change: Partial<Omit<Form, 'stop'>>): UiState {
	const {mode} = ui;
	return mode.kind === 'form' || mode.kind === 'form-text'
		? withMode(ui, {...mode, form: {...mode.form, ...change}})
		: ui;
}

/** The line under what is decided on the screen; undefined where nothing is. */
export function hintOf(ui: Pick<UiState, 'mode'>): string | undefined {
	const {mode} = ui;
	return hinted(mode) ? mode.hint : formOf(ui)?.hint;
}

function hinted(mode: Mode): mode is Extract<Mode, {hint: string}> {
	return 'hint' in mode;
}

/** The dashboard with another such line. */
export function withHint(ui: UiState, hint: string): UiState {
	const {mode} = ui;
	return hinted(mode) ? withMode(ui, {...mode, hint}) : withForm(ui, {hint});
}

/** The form of a question: as it was left, or fresh. */
export function questionMode(question: QuestionRow, ui: UiState): Mode {
	const draft = Object.hasOwn(ui.drafts, question.id) ? ui.drafts[question.id] : undefined;
	const form = draft ?? openForm({kind: 'question', id: question.id, url: question.url}, question.fields);
	return formMode({...form, scroll: 0, hint: ''}, {kind: 'browse'});
}

/** The form after its text field changed: what is typed is entered at once. */
export function withFormText(mode: Extract<Mode, {kind: 'form-text'}>, field: TextField): Mode {
	const stop = stopOf(mode.form);
	return {
		...mode,
		form: stop.kind === 'text' ? withEntry(mode.form, stop.field, [field.value]) : mode.form,
		field,
	};
}

/** The line under what is decided says that the key came too early; one that says what was sent stays, for its end replaces it. */
export function withEarlyHint(ui: UiState): UiState {
	return ui.mode.kind === 'login' || ui.mode.kind === 'edit'
		? withToast(ui, 'that key came too early: press it again', 'busy')
		: hintOf(ui) === sentHint
			? ui
			: withHint(ui, earlyHint);
}

/** The next key that does something ends what was said about one that came too early. */
export function withoutEarlyHint(ui: UiState): UiState {
	return hintOf(ui) === earlyHint ? withHint(ui, '') : ui;
}
