import {open, stat} from 'node:fs/promises';
import {isAbsolute, join} from 'node:path';
import {type RouteFilter} from '../../config/webhooks/route-filter.ts';
import {isJsonObject, isList, type JsonValue} from '../../util/json-text.ts';
import {parseExactJson} from '../payload/exact-json.ts';

/** Reads the lists of `in_file` filters. */
export type ListFiles = {
	/** The values in the file, or undefined when it is unreadable, not a regular file or over 16 MB. */
	readonly read: (path: string) => Promise<readonly JsonValue[] | undefined>;
};

/** The values of a list file; undefined when it is unreadable. */
export type ListOf = (path: string) => readonly JsonValue[] | undefined;

const largestFileBytes = 16 * 1024 * 1024;

/** Creates the reader of lists below `directory`; absolute paths are allowed, because the configuration's owner wrote them (docs/webhook-routes.md, Filters). */
export function createListFiles(directory: string): ListFiles {
	const lists = new Map<string, {readonly version: string; readonly values: readonly JsonValue[]}>();
	return {
		async read(path) {
			const file = isAbsolute(path) ? path : join(directory, path);
			try {
				const version = await versionOf(file);
				const known = lists.get(file);
				if (version !== undefined && known?.version === version) {
					return known.values;
				}

				const values = version === undefined ? undefined : await readList(file);
				if (version === undefined || values === undefined) {
					lists.delete(file);
					return undefined;
				}

				lists.set(file, {version, values});
				return values;
			} catch {
				lists.delete(file);
				return undefined;
			}
		},
	};
}

/** A stamp that changes with the file; undefined for a file that must not be read. */
async function versionOf(file: string): Promise<string | undefined> {
	const facts = await stat(file, {bigint: true});
	const {dev, ino, size, mtimeNs, ctimeNs} = facts;
	return facts.isFile() && size <= largestFileBytes ? [dev, ino, size, mtimeNs, ctimeNs].join(':') : undefined;
}

async function readList(file: string): Promise<readonly JsonValue[] | undefined> {
	const handle = await open(file, 'r');
	try {
		const facts = await handle.stat();
		return facts.isFile() && facts.size <= largestFileBytes ? parseList(await handle.readFile('utf8')) : undefined;
	} finally {
		await handle.close();
	}
}

/** A JSON array, the keys of a JSON object, or lines of text (docs/webhook-routes.md, Filters). */
function parseList(text: string): readonly JsonValue[] {
	const json = parseExactJson(text);
	if (json !== undefined && isList(json)) {
		return json;
	}

	if (isJsonObject(json)) {
		return Object.keys(json);
	}

	return text
		.split('\n')
		.map(line => line.trim())
		.filter(line => line !== '');
}

/** The files referenced by a filter, at any depth. */
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

/** Reads the current content of the files. */
export async function readLists(paths: readonly string[], lists: ListFiles): Promise<ListOf> {
	const values = new Map(await Promise.all(paths.map(async path => [path, await lists.read(path)] as const)));
	return path => values.get(path);
}
