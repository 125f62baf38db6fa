import {type RouteFilter} from '../../config/webhooks/route-filter.ts';
import {Problem} from '../../util/problem.ts';
import {type Subject} from '../payload/field-path.ts';
import {compileFilter, type FilterTest} from './filter.ts';
import {listPaths, type ListOf, readLists} from './filter-lists.ts';
import {type ListFiles} from './list-file.ts';

/** Which filter of a route a request does not pass, in words that name its place; undefined when it passes all. */
export type FindRefusal = (subject: Subject) => Promise<string | undefined>;

/** Makes the filters of a route ready: all must match. A pattern that has no linear-time form comes back as a Problem. */
export function compileFilters(filters: readonly RouteFilter[], lists: ListFiles): FindRefusal | Problem {
	const tests: Array<{readonly test: FilterTest; readonly paths: readonly string[]; readonly words: string}> = [];
	for (const [index, filter] of filters.entries()) {
		const test = compileFilter(filter);
		if (test instanceof Problem) {
			return test;
		}

		tests.push({test, paths: listPaths(filter), words: `filters.${index}: ${wordsOf(filter)}`});
	}

	return async subject => {
		for (const {test, paths, words} of tests) {
			const verdict = test(subject, paths.length === 0 ? noLists : await readLists(paths, lists));
			if (verdict !== 'match') {
				return verdict === 'unknown' ? `${words} (it cannot be judged)` : words;
			}
		}

		return undefined;
	};
}

const noLists: ListOf = () => undefined;

function wordsOf(filter: RouteFilter): string {
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
			return 'a filter that cannot be understood';
	}
}
