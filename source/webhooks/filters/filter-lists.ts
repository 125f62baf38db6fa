import {type RouteFilter} from '../../config/webhooks/route-filter.ts';
import {type JsonValue} from '../../util/json-text.ts';
import {type ListFiles} from './list-file.ts';

/** The values of a list file; undefined when it cannot be read. */
export type ListOf = (path: string) => readonly JsonValue[] | undefined;

/** The files that a filter asks for, at any depth. */
export function listPaths(filter: RouteFilter): readonly string[] {
	switch (filter.kind) {
		case 'all':
		case 'any':
			return filter.filters.flatMap(listPaths);
		case 'not':
			return listPaths(filter.filter);
		case 'in-file':
			return [filter.path];
		case 'contains':
		case 'equals':
		case 'exists':
		case 'in':
		case 'malformed':
		case 'not-equals':
		case 'regex':
			return [];
	}
}

/** Reads the files as they are now. */
export async function readLists(paths: readonly string[], lists: ListFiles): Promise<ListOf> {
	const values = new Map(await Promise.all(paths.map(async path => [path, await lists.read(path)] as const)));
	return path => values.get(path);
}
