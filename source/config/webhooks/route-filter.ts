import {z} from 'zod';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {lazy} from '../../util/lazy.ts';
import {toBoolean} from '../values/fields.ts';
import {toJsonValue} from '../values/plain-value.ts';

/** A filter of a route (docs/webhook-routes.md, Filters). Malformed ones match nothing. */
export type RouteFilter =
	| {readonly kind: 'exists'; readonly field: string; readonly present: boolean}
	| {readonly kind: 'equals' | 'not-equals' | 'contains'; readonly field: string; readonly value: JsonValue}
	| {readonly kind: 'in'; readonly field: string; readonly values: readonly JsonValue[]}
	| {readonly kind: 'in-file'; readonly field: string; readonly path: string}
	| {readonly kind: 'regex'; readonly field: string; readonly pattern: string}
	| {readonly kind: 'all' | 'any'; readonly filters: readonly RouteFilter[]}
	| {readonly kind: 'not'; readonly filter: RouteFilter}
	| {readonly kind: 'malformed'};

/** A filter in config.yaml (docs/webhook-routes.md, Filters): a field with one operator, or a group. */
type WrittenFilter = {
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

/** A list of filters is a conjunction, an object is one filter (docs/webhook-routes.md, Filters). */
type WrittenFilters = WrittenFilter | readonly WrittenFilter[];

/** The schema of `filters` for editors. The gateway parses them with `parseFilters`, because malformed ones are retained and match nothing. */
export const filtersSchema = lazy((): z.ZodType<WrittenFilters> => {
	const filter = filterSchema();
	return z
		.union([filter, z.array(filter)])
		.describe('Declarative filters of the payload; a list must match as a whole.');
});

function filterSchema(): z.ZodType<WrittenFilter> {
	const group = z.lazy((): z.ZodType<WrittenFilters> => filtersSchema());
	return z
		.strictObject({
			field: z.string().describe('Dot path into the payload; `event`; or `headers.<Name>`.').optional(),
			exists: z.boolean().describe('true: the field must be present.').optional(),
			missing: z.boolean().describe('true: the field must be absent.').optional(),
			equals: z.unknown().describe('The value that the field must have.'),
			not_equals: z.unknown().describe('The value that the field must not have.'),
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

const malformed: RouteFilter = {kind: 'malformed'};

/** Reads `filters`: nothing is no filter, a list is a conjunction, an object is one filter, anything else matches nothing (docs/webhook-routes.md, Filters). */
export function parseFilters(written: unknown): readonly RouteFilter[] {
	if (written === undefined || written === null) {
		return [];
	}

	const filters = toJsonValue(written);
	return Array.isArray(filters) ? filters.map(parseFilter) : [parseFilter(filters)];
}

/** True when the filter, or one nested in it, is malformed. */
export function isMalformed(filter: RouteFilter): boolean {
	switch (filter.kind) {
		case 'malformed':
			return true;
		case 'all':
		case 'any':
			return filter.filters.some(isMalformed);
		case 'not':
			return isMalformed(filter.filter);
		case 'exists':
		case 'equals':
		case 'not-equals':
		case 'contains':
		case 'in':
		case 'in-file':
		case 'regex':
			return false;
	}
}

function parseFilter(written: JsonValue): RouteFilter {
	if (!isJsonObject(written)) {
		return malformed;
	}

	const {field, ...operators} = written;
	const [operator, ...others] = Object.entries(operators);
	if (!operator || others.length > 0) {
		return malformed;
	}

	return typeof field === 'string' && field !== ''
		? parseOperator(field, operator)
		: field === undefined
			? parseGroup(operator)
			: malformed;
}

function parseOperator(field: string, [name, value]: readonly [string, JsonValue]): RouteFilter {
	switch (name) {
		case 'exists':
		case 'missing':
			return presence(field, toBoolean(value), name);
		case 'equals':
		case 'contains':
			return {kind: name, field, value};
		case 'not_equals':
			return {kind: 'not-equals', field, value};
		case 'in':
			return Array.isArray(value) ? {kind: 'in', field, values: value} : malformed;
		case 'in_file':
			return typeof value === 'string' && value !== '' ? {kind: 'in-file', field, path: value} : malformed;
		case 'regex':
			return typeof value === 'string' ? {kind: 'regex', field, pattern: value} : malformed;
		default:
			return malformed;
	}
}

function presence(field: string, asked: boolean | undefined, name: 'exists' | 'missing'): RouteFilter {
	return asked === undefined ? malformed : {kind: 'exists', field, present: asked === (name === 'exists')};
}

function parseGroup([name, value]: readonly [string, JsonValue]): RouteFilter {
	if (!isGroupMembers(value)) {
		return malformed;
	}

	const filters = parseFilters(value);
	if (name === 'all' || name === 'any') {
		return {kind: name, filters};
	}

	if (name !== 'not') {
		return malformed;
	}

	const [only] = filters;
	const filter: RouteFilter = filters.length === 1 && only ? only : {kind: 'all', filters};
	// Negating a filter that matches nothing would match everything.
	return isMalformed(filter) ? malformed : {kind: 'not', filter};
}

function isGroupMembers(value: JsonValue): value is JsonObject | readonly JsonValue[] {
	return typeof value === 'object' && value !== null;
}
