import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {switchMeaning} from '../../util/switch-word.ts';
import {field} from './field-rule.ts';

/** A string; most readers treat an empty one as absent. */
export function text(description: string, allowed = 'text') {
	return field(z.string(), {description, allowed}).optional();
}

/** A string, or a scalar converted to one: people write ports and switches without quotes. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A mapping of names to strings. */
export function textMapping(description: string) {
	return field(z.record(z.string(), field(scalar, {description: 'A text.', allowed: 'text'})), {
		description,
		allowed: 'a mapping of names to texts',
	}).optional();
}

/** One string or a list of strings. */
export function textList(description: string) {
	return field(z.union([scalar, z.array(scalar.nullable())]), {
		description,
		allowed: 'text or a list of texts',
	}).optional();
}

/** The strings of a `textList`; undefined when the key is absent. */
export function toTexts(value: unknown): readonly string[] | undefined {
	if (value === undefined || value === null) {
		return undefined;
	}

	return Array.isArray(value) ? value.filter(item => item !== null).map(toText) : [toText(value)];
}

/** Any value as one string: scalars as written, everything else as JSON. */
export function toText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The mapping with every member as a string. */
export function toTextMapping(value: unknown): Readonly<Record<string, string>> {
	return isJsonObject(value)
		? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toText(member)]))
		: {};
}

/** One of several words. Any other is left out, or replaced by `use`, with a warning that ends in `notice`. */
export function choice<const Words extends readonly [string, ...string[]]>(
	words: Words,
	about: {readonly description: string; readonly noun?: string; readonly notice: string; readonly use?: string},
) {
	return field(z.enum(words), {
		description: about.description,
		allowed: words.join(', '),
		words,
		...(about.noun !== undefined && {noun: about.noun}),
		instead: {notice: about.notice, use: about.use},
	}).optional();
}

/** Words and numbers for yes and no, as YAML 1.1, Python and shells write them (docs/configuration.md, How values are read). */
const wordPattern =
	/^\s*(?:[Tt][Rr][Uu][Ee]|[Yy][Ee][Ss]|[Oo][Nn]|1|[Ff][Aa][Ll][Ss][Ee]|[Nn][Oo]|[Oo][Ff][Ff]|0)\s*$/u;

const boolLikeSchema = z.union([z.boolean(), z.literal(0), z.literal(1), z.string().regex(wordPattern)]);

/** The schema of a switch; an invalid value is replaced by the default with a warning. */
export function boolLike(description: string, fallback: boolean) {
	return field(boolLikeSchema, {
		description: `${description} Default: ${String(fallback)}.`,
		allowed: 'true or false',
		instead: {notice: `Using ${String(fallback)}`},
	}).optional();
}

/** The boolean for the value of a switch; undefined for an invalid one. */
export function toBoolean(value: unknown): boolean | undefined {
	const {success, data} = boolLikeSchema.safeParse(value);
	return success ? switchMeaning(String(data)) : undefined;
}

/** The limits of a number in the configuration, and its default when it is missing or invalid. */
type NumberRange = {
	/** Undefined: no default. */
	readonly fallback: number | undefined;
	readonly minimum: number | 'above 0';
	readonly maximum?: number;
	readonly whole?: boolean;
	/** The unit, in words: "seconds". */
	readonly unit?: string;
};

/** The schema of a number, also given as text; NaN, infinity, out-of-range and invalid values are replaced by the default with a warning (docs/configuration.md, How values are read). */
export function numberLike(description: string, range: NumberRange) {
	const {fallback, minimum, maximum = Number.MAX_VALUE} = range;
	const kind = range.whole ? z.int() : z.number();
	const positive = minimum === 'above 0' ? kind.gt(0) : kind.min(minimum);
	const bounded = positive.max(Math.min(maximum, Number.MAX_SAFE_INTEGER));
	const asText = z
		.string()
		.regex(/^\s*\d+(?:\.\d+)?\s*$/u)
		.refine(text => bounded.safeParse(Number(text)).success);
	return field(z.union([bounded, asText]), {
		description: `${description}${fallback === undefined ? '' : ` Default: ${fallback}.`}`,
		allowed: allowedText(range),
		instead: {notice: fallback === undefined ? 'The key is ignored' : `Using ${fallback}`},
	}).optional();
}

function allowedText({minimum, maximum, whole, unit}: NumberRange): string {
	const kind = `a ${whole ? 'whole ' : ''}number${unit ? ` of ${unit}` : ''}`;
	if (maximum !== undefined) {
		return `${kind} from ${minimum} to ${maximum}`;
	}

	return minimum === 'above 0' ? `${kind}, more than 0` : `${kind}, ${minimum} or more`;
}

/** The number accepted by `numberLike`, or the default. */
export function toNumber(value: string | number | undefined, fallback: number): number {
	return value === undefined ? fallback : Number(value);
}
