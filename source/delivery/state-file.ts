import {join} from 'node:path';
import {readTextFile} from '../config/values/text-file.ts';
import {isJsonObject, parseJson} from '../util/json-text.ts';

/** Reads `<directory>/<name>.json`, a mapping of names to texts that another program keeps; empty when there is none, or it is no mapping. */
export async function readStateFile(directory: string, name: string): Promise<Readonly<Record<string, string>>> {
	const file = `${name.replaceAll(/[^\w@-]/gu, '_')}.json`;
	const value = parseJson((await readTextFile(join(directory, file))) ?? '');
	const members = isJsonObject(value) ? Object.entries(value) : [];
	return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
