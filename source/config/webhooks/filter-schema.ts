import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';

/** A filter as a person writes it (docs/webhooks.md, Filters): a field with one operator, or a group. */
export type WrittenFilter = {
	readonly field?: string;
	readonly exists?: boolean;
	readonly missing?: boolean;
	readonly equals?: unknown;
	readonly not_equals?: unknown;
	readonly contains?: unknown;
	readonly in?: readonly unknown[];
	readonly in_file?: string;
	readonly regex?: string;
	readonly all?: WrittenFilters;
	readonly any?: WrittenFilters;
	readonly not?: WrittenFilters;
};

/** A list of filters is a conjunction, an object is one filter (docs/webhooks.md, Filters). */
export type WrittenFilters = WrittenFilter | readonly WrittenFilter[];

function filterSchema(): z.ZodType<WrittenFilter> {
	const group = z.lazy((): z.ZodType<WrittenFilters> => filtersSchema());
	return z
		.strictObject({
			field: z.string().describe('Dot path into the payload; `event`; or `headers.<Name>`.').optional(),
			exists: z.boolean().describe('Whether the field must be there.').optional(),
			missing: z.boolean().describe('true: the field must be absent.').optional(),
			equals: z.unknown().describe('The value the field must have.'),
			not_equals: z.unknown().describe('The value the field must not have.'),
			contains: z.unknown().describe('A list member, a key of a mapping, or a part of the text.'),
			in: z.array(z.unknown()).describe('The values the field may have.').optional(),
			in_file: z
				.string()
				.describe('File with the values: JSON array, JSON object (its keys) or one per line.')
				.optional(),
			regex: z.string().describe('RE2 pattern that must be found in the field.').optional(),
			all: group.describe('Every filter must match.').optional(),
			any: group.describe('One filter must match.').optional(),
			not: group.describe('The filter must not match.').optional(),
		})
		.partial();
}

/** The schema of `filters` for editors. The gateway itself reads them with `parseFilters`, because malformed ones are kept and match nothing. */
export const filtersSchema = lazy((): z.ZodType<WrittenFilters> => {
	const filter = filterSchema();
	return z
		.union([filter, z.array(filter)])
		.describe('Declarative filters of the payload; a list must match as a whole.');
});
