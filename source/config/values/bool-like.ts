import {z} from 'zod';
import {switchMeaning} from '../../util/switch-word.ts';
import {field} from './field-rule.ts';

/** Words and numbers that mean yes or no, as YAML 1.1, Python and shells write them (docs/configuration.md, How values are read). */
const wordPattern =
	/^\s*(?:[Tt][Rr][Uu][Ee]|[Yy][Ee][Ss]|[Oo][Nn]|1|[Ff][Aa][Ll][Ss][Ee]|[Nn][Oo]|[Oo][Ff][Ff]|0)\s*$/u;

const boolLikeSchema = z.union([z.boolean(), z.literal(0), z.literal(1), z.string().regex(wordPattern)]);

/** The schema of a switch; junk becomes the default with a warning. */
export function boolLike(description: string, fallback: boolean) {
	return field(boolLikeSchema, {
		description: `${description} Default: ${String(fallback)}.`,
		allowed: 'true or false',
		instead: {told: `${String(fallback)} is used`},
	}).optional();
}

/** The meaning of a switch; undefined when it has none. */
export function toBoolean(value: unknown): boolean | undefined {
	const {success, data} = boolLikeSchema.safeParse(value);
	return success ? switchMeaning(String(data)) : undefined;
}
