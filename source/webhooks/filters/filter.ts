import {type RouteFilter} from '../../config/webhooks/route-filter.ts';
import {hashJson} from '../../util/json-hash.ts';
import {isJsonObject, isList, type JsonValue, ownMember} from '../../util/json-text.ts';
import {compilePattern} from '../../util/pattern.ts';
import {Problem} from '../../util/problem.ts';
import {exactDigits} from '../payload/exact-json.ts';
import {compileField, type Subject} from '../payload/field-path.ts';
import {type ListFiles, type ListOf, listPaths, readLists} from './list-file.ts';

/** The first filter of a route that a request fails, as text with its position; undefined when all pass. */
export type FindRefusal = (subject: Subject) => Promise<string | undefined>;

/** `unknown`: the filter cannot be evaluated (malformed, or its file is unreadable). Even `not` does not turn that into a match. */
type Verdict = 'match' | 'no-match' | 'unknown';

/** Evaluates one request; `listOf` returns the content of list files. Pure. */
type FilterTest = (subject: Subject, listOf: ListOf) => Verdict;

/** Compiles the filters of a route: all must match. A pattern without a linear-time form is returned as a Problem. */
export function compileFilters(filters: readonly RouteFilter[], lists: ListFiles): FindRefusal | Problem {
	const tests: Array<{readonly test: FilterTest; readonly paths: readonly string[]; readonly text: string}> = [];
	for (const [index, filter] of filters.entries()) {
		const test = compileFilter(filter);
		if (test instanceof Problem) {
			return test;
		}

		tests.push({test, paths: listPaths(filter), text: `filters.${index}: ${textOf(filter)}`});
	}

	return async subject => {
		for (const {test, paths, text} of tests) {
			const found = test(subject, paths.length === 0 ? noLists : await readLists(paths, lists));
			if (found !== 'match') {
				return found === 'unknown' ? `${text} (it cannot be evaluated)` : text;
			}
		}

		return undefined;
	};
}

const noLists: ListOf = () => undefined;

/** Compiles one filter. A pattern without a linear-time form is returned as a Problem. */
export function compileFilter(filter: RouteFilter): FilterTest | Problem {
	switch (filter.kind) {
		case 'all':
			return compileGroup(filter.filters, tests => (subject, listOf) => decide(tests, 'no-match', {subject, listOf}));
		case 'any':
			return compileGroup(filter.filters, tests => (subject, listOf) => decide(tests, 'match', {subject, listOf}));
		case 'not':
			return compileGroup(
				[filter.filter],
				tests => (subject, listOf) => opposite(decide(tests, 'no-match', {subject, listOf})),
			);
		case 'regex': {
			const pattern = compilePattern(filter.pattern);
			return pattern instanceof Problem ? pattern : onField(filter.field, value => pattern.test(textForm(value)));
		}

		case 'exists': {
			const read = compileField(filter.field);
			return subject => verdict((read(subject) !== undefined) === filter.present);
		}

		case 'equals':
			return onField(filter.field, value => isSame(value, filter.value));
		case 'not-equals': {
			const read = compileField(filter.field);
			return subject => {
				const value = read(subject);
				return verdict(value === undefined || !isSame(value, filter.value));
			};
		}

		case 'contains':
			return onField(filter.field, value => contains(value, filter.value));
		case 'in':
			return onField(filter.field, value => isListed(value, filter.values));
		case 'in-file': {
			const read = compileField(filter.field);
			return (subject, listOf) => {
				const values = listOf(filter.path);
				const value = read(subject);
				return values ? verdict(value !== undefined && isListed(value, values)) : 'unknown';
			};
		}

		case 'malformed':
			return () => 'unknown';
	}
}

function compileGroup(
	filters: readonly RouteFilter[],
	combine: (tests: readonly FilterTest[]) => FilterTest,
): FilterTest | Problem {
	const tests: FilterTest[] = [];
	for (const filter of filters) {
		const test = compileFilter(filter);
		if (test instanceof Problem) {
			return test;
		}

		tests.push(test);
	}

	return combine(tests);
}

/** Evaluates a group: one `decisive` verdict decides it; else an undecidable member makes it `unknown`. */
function decide(
	tests: readonly FilterTest[],
	decisive: 'match' | 'no-match',
	{subject, listOf}: {readonly subject: Subject; readonly listOf: ListOf},
): Verdict {
	let result: Verdict = opposite(decisive);
	for (const test of tests) {
		const found = test(subject, listOf);
		if (found === decisive) {
			return decisive;
		}

		result = found === 'unknown' ? 'unknown' : result;
	}

	return result;
}

function opposite(found: Verdict): Verdict {
	switch (found) {
		case 'match':
			return 'no-match';
		case 'no-match':
			return 'match';
		case 'unknown':
			return 'unknown';
	}
}

function verdict(isMatch: boolean): Verdict {
	return isMatch ? 'match' : 'no-match';
}

/** A test of a value; a missing field does not match (docs/webhook-routes.md, Filters). */
function onField(field: string, test: (value: JsonValue) => boolean): FilterTest {
	const read = compileField(field);
	return subject => {
		const value = read(subject);
		return verdict(value !== undefined && test(value));
	};
}

/** JSON equality without coercion; the order of members does not matter. */
function isSame(first: JsonValue, second: JsonValue): boolean {
	const isNested = isNestedValue(first) && isNestedValue(second);
	return isNested ? hashJson(first) === hashJson(second) : first === second;
}

function isNestedValue(value: JsonValue): boolean {
	return typeof value === 'object' && value !== null;
}

function isListed(value: JsonValue, values: readonly JsonValue[]): boolean {
	return values.some(listed => isSame(value, listed));
}

/** List item, mapping key, else substring of the text form (docs/webhook-routes.md, Filters). */
function contains(value: JsonValue, wanted: JsonValue): boolean {
	if (isList(value)) {
		return isListed(wanted, value);
	}

	if (isJsonObject(value) && exactDigits(value) === undefined) {
		return typeof wanted === 'string' && ownMember(value, wanted) !== undefined;
	}

	return textForm(value).includes(textForm(wanted));
}

/** Strings unquoted, everything else as JSON. */
function textForm(value: JsonValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function textOf(filter: RouteFilter): string {
	switch (filter.kind) {
		case 'exists':
			return `${filter.field} ${filter.present ? 'exists' : 'is missing'}`;
		case 'equals':
		case 'not-equals':
		case 'contains':
		case 'in':
		case 'in-file':
		case 'regex':
			return `${filter.field} ${filter.kind.replace('-', '_')}`;
		case 'all':
		case 'any':
		case 'not':
			return `the group ${filter.kind}`;
		case 'malformed':
			return 'a malformed filter';
	}
}
