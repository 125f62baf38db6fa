import {stopOf, withEntry} from './form.ts';
import {type Mode} from './mode.ts';

/** The form after its text field changed: what is typed is entered at once. */
export function withFormText(mode: Extract<Mode, {kind: 'form-text'}>, text: string): Mode {
	const stop = stopOf(mode.form);
	return {
		...mode,
		form: stop.kind === 'text' ? withEntry(mode.form, stop.field, [text]) : mode.form,
		field: {...mode.field, value: text},
	};
}
