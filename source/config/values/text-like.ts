import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {field} from './field-rule.ts';

/** A text; an empty one is as good as none and is refused by schemas that need one. */
export function text(description: string, allowed = 'text') {
	return field(z.string(), {description, allowed}).optional();
}

/** Text, or a scalar that is taken as text: people write ports and switches without quotes. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A mapping of names to texts. */
export function textMapping(description: string) {
	return field(z.record(z.string(), field(scalar, {description: 'A text.', allowed: 'text'})), {
		description,
		allowed: 'a mapping of names to texts',
	}).optional();
}

/** One text or a list of them. */
export function textList(description: string) {
	return field(z.union([scalar, z.array(scalar.nullable())]), {
		description,
		allowed: 'text or a list of texts',
	}).optional();
}

/** The texts of a `textList`; undefined when the key is not there. */
export function toTexts(value: unknown): readonly string[] | undefined {
	if (value === undefined || value === null) {
		return undefined;
	}

	return Array.isArray(value) ? value.filter(item => item !== null).map(toText) : [toText(value)];
}

/** Any value as one text: scalars as they are written, everything else as JSON. */
export function toText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The mapping with every member as text. */
export function toTextMapping(value: unknown): Readonly<Record<string, string>> {
	return isJsonObject(value)
		? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toText(member)]))
		: {};
}
