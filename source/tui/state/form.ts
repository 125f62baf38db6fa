import {type AskedUrl, type FormField} from '../../state/person-event.ts';
import {type JsonValue} from '../../util/json-text.ts';

/** A value that has to be written as JSON: what a tool wants and no simple field can hold. */
export type JsonField = {
	readonly kind: 'json';
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly need: 'required' | 'optional';
	readonly defaultValue?: JsonValue;
};

/** Any field of a form of the dashboard. */
export type AnyField = FormField | JsonField;

/** The use of the values: the answer to a question, or a manual call. */
export type FormOwner =
	/** `url`: the page that is to be opened in place of values. */
	| {readonly kind: 'question'; readonly id: string; readonly url?: AskedUrl | undefined}
	| {readonly kind: 'tool'; readonly name: string; readonly profile: string};

/** A form as far as it is filled in. */
export type Form = {
	readonly owner: FormOwner;
	readonly fields: readonly AnyField[];
	/** Entries by field: one text, or the picked values. */
	readonly entries: ReadonlyArray<readonly string[]>;
	/** Problems by field; empty for a field without one. */
	readonly problems: readonly string[];
	/** The place of the cursor, as an index of `stopsOf`. */
	readonly stop: number;
	/** The first row on the screen where not all fit; the rows around the cursor once it was moved. */
	readonly scroll: number | 'at-cursor';
	/** Answers sent. After each one the keys have to be armed again. */
	readonly answers: number;
	/** The hint about the last key, in words. */
	readonly hint: string;
};

/** A place of the cursor: a text, one of the values to pick, or the end of the form. */
export type FormStop =
	| {readonly kind: 'text'; readonly field: number}
	| {readonly kind: 'option'; readonly field: number; readonly value: string}
	| {readonly kind: 'submit'};

/** The form as it is opened: with the defaults of its fields. */
export function openForm(owner: FormOwner, fields: readonly AnyField[]): Form {
	return {
		owner,
		fields,
		entries: fields.map(defaultEntry),
		problems: fields.map(() => ''),
		stop: 0,
		scroll: 0,
		answers: 0,
		hint: '',
	};
}

/** All places of the cursor, top to bottom; the last one submits. */
export function stopsOf({fields}: Pick<Form, 'fields'>): readonly FormStop[] {
	return [
		...fields.flatMap((field, index): FormStop[] => {
			const options = optionsOf(field);
			return options.length === 0
				? [{kind: 'text', field: index}]
				: options.map(({value}) => ({kind: 'option', field: index, value}));
		}),
		{kind: 'submit'},
	];
}

/** The place of the cursor. */
export function stopOf(form: Form): FormStop {
	return stopsOf(form)[form.stop] ?? {kind: 'submit'};
}

/** The values to pick from; none where a text is typed. */
export function optionsOf(field: AnyField): ReadonlyArray<{readonly value: string; readonly title: string}> {
	switch (field.kind) {
		case 'boolean':
			return [
				{value: 'true', title: 'yes'},
				{value: 'false', title: 'no'},
			];
		case 'choice':
		case 'choices':
			return field.options;
		case 'text':
		case 'number':
		case 'integer':
		case 'json':
			return [];
	}
}

/** The form with another entry in one field; what was wrong with it is forgotten. */
export function withEntry(form: Form, field: number, entry: readonly string[]): Form {
	return {...form, entries: form.entries.with(field, entry), problems: form.problems.with(field, ''), hint: ''};
}

/** The form after a value was picked: picked again it is dropped where that is allowed. */
export function picked(form: Form, stop: Extract<FormStop, {kind: 'option'}>): Form {
	const field = form.fields[stop.field];
	const entry = form.entries[stop.field] ?? [];
	const has = entry.includes(stop.value);
	if (field?.kind === 'choices') {
		const values = has ? entry.filter(value => value !== stop.value) : [...entry, stop.value];
		// In the order of the list, however they were picked.
		return withEntry(
			form,
			stop.field,
			field.options.map(({value}) => value).filter(value => values.includes(value)),
		);
	}

	return withEntry(form, stop.field, has && field?.need === 'optional' ? [] : [stop.value]);
}

function defaultEntry(field: AnyField): readonly string[] {
	switch (field.kind) {
		case 'text':
			return [field.defaultValue ?? ''];
		case 'number':
		case 'integer':
			return [field.defaultValue === undefined ? '' : String(field.defaultValue)];
		case 'boolean':
			return field.defaultValue === undefined ? [] : [String(field.defaultValue)];
		case 'choice':
			return field.defaultValue === undefined ? [] : [field.defaultValue];
		case 'choices':
			return field.defaultValue ?? [];
		case 'json':
			return [field.defaultValue === undefined ? '' : JSON.stringify(field.defaultValue)];
	}
}
