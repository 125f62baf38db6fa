import {type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {fieldValue} from './field-value.ts';
import {type Form} from './form.ts';

/** What a form holds: the values by field name, or what is wrong, per field. */
export type FormReading =
	| {readonly kind: 'values'; readonly values: JsonObject}
	| {readonly kind: 'problems'; readonly problems: readonly string[]};

/** Reads a form. Optional fields that are empty are left out. */
export function readForm({fields, entries}: Form): FormReading {
	const read = fields.map((field, index) => fieldValue(field, entries[index] ?? []));
	const problems = read.map(value => (value.kind === 'problem' ? value.text : ''));
	if (problems.some(problem => problem !== '')) {
		return {kind: 'problems', problems};
	}

	const members = read.flatMap(
		(value, index): Array<[string, JsonValue]> =>
			value.kind === 'value' ? [[fields[index]?.name ?? '', value.value]] : [],
	);
	return {kind: 'values', values: Object.fromEntries(members)};
}
