import {isJsonObject, type JsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {keyPathText} from '../values/problem-list.ts';
import {type AgentProgram, type SettingsFormat} from './programs.ts';
import {isSameJson, type SettingPath, type SettingsEdit} from './settings-edit.ts';

/** A file to read, for messages. */
type SettingsText = {readonly path: string; readonly text: string | undefined; readonly format: SettingsFormat};

const byteOrderMark = '\uFEFF';

/** Reads the settings of a program; no file and an empty one have none. Throws `program_settings` for a text that its program could not read. */
export async function parseSettings({path, text = '', format}: SettingsText): Promise<JsonObject> {
	const value = await parseText(withoutMark(text), format);
	if (value === undefined) {
		const kind = format === 'toml' ? 'TOML' : 'JSON';
		throw new Problem('program_settings', {message: `${safeText(path)} is not valid ${kind}; nothing was changed`});
	}

	return value;
}

/**
Makes edits of a valid text. Every other value of the result is the same, which is checked by parsing it again. Throws `program_settings` where an
edit does not fit, or would change anything else.
*/
export async function editSettings(file: SettingsText, edits: readonly SettingsEdit[]): Promise<string> {
	const {path, format, text = ''} = file;
	const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
	let [edited, wanted] = [withoutMark(text), await parseSettings(file)];
	for (const edit of edits) {
		await assertFits(edit, {path, text: edited, value: wanted, format});
		edited = await editText(edited, edit, format);
		wanted = editedValue(wanted, edit);
	}

	const result = await parseText(edited, format);
	if (![wanted, withoutEmptyTables(wanted, edits)].some(value => isSameJson(result, value))) {
		const [edit] = edits;
		throw new Problem('program_settings', {
			message: `${safeText(path)} is written in a way that Sluice cannot change without touching other settings; nothing was changed`,
			remedy: `Change ${edit ? keyPathText(edit.path) : 'it'} by hand`,
		});
	}

	return mark + edited;
}

/** The place of the servers in these settings. */
export function serverPath({serverPaths}: Pick<AgentProgram, 'serverPaths'>, settings: JsonObject): SettingPath {
	const isList = (value: JsonValue | undefined) => isJsonObject(value) && Object.values(value).every(isJsonObject);
	return serverPaths.find(path => isList(memberAt(settings, path))) ?? serverPaths.at(-1) ?? serverPaths[0];
}

/** The value at a path; undefined: there is none. */
export function memberAt(settings: JsonObject, path: readonly string[]): JsonValue | undefined {
	return path.reduce<JsonValue | undefined>(
		(value, key) => (isJsonObject(value) ? ownMember(value, key) : undefined),
		settings,
	);
}

async function parseText(text: string, format: SettingsFormat): Promise<JsonObject | undefined> {
	if (format === 'toml') {
		const {parseToml} = await import('../import/toml.ts');
		return parseToml(text);
	}

	const {parseJsonSettings} = await import('./json-settings.ts');
	return parseJsonSettings(text);
}

async function editText(text: string, edit: SettingsEdit, format: SettingsFormat): Promise<string> {
	if (format === 'toml') {
		const {editToml} = await import('./toml-settings.ts');
		return editToml(text, edit);
	}

	const {editJson} = await import('./json-settings.ts');
	return editJson(text, edit);
}

/** Throws where something else than an object, or than a list, is in the way. */
async function assertFits(
	{kind, path: keys}: SettingsEdit,
	{
		path,
		text,
		value,
		format,
	}: {readonly path: string; readonly text: string; readonly value: JsonObject; readonly format: SettingsFormat},
): Promise<void> {
	const refuse = (message: string) => {
		throw new Problem('program_settings', {message: `${safeText(path)}: ${message}; nothing was changed`});
	};

	for (const depth of keys.keys()) {
		const above = memberAt(value, keys.slice(0, depth));
		if (above !== undefined && !isJsonObject(above)) {
			refuse(`${keyPathText(keys.slice(0, depth))} is not an object`);
		}
	}

	const present = memberAt(value, keys);
	if (kind === 'add item' && present !== undefined && !Array.isArray(present)) {
		refuse(`${keyPathText(keys)} is not a list`);
	}

	if (format === 'json') {
		const {isRepeatedInJson} = await import('./json-settings.ts');
		if (isRepeatedInJson(text, keys)) {
			refuse(`${keyPathText(keys)} is there twice; remove one of them`);
		}
	}
}

/** The same edit of the parsed value. */
function editedValue(value: JsonObject, edit: SettingsEdit): JsonObject {
	const present = memberAt(value, edit.path);
	const items = Array.isArray(present) ? present : [];
	switch (edit.kind) {
		case 'set':
			return withMember(value, edit.path, edit.value);
		case 'remove':
			return present === undefined ? value : withMember(value, edit.path, undefined);
		case 'add item':
			return withMember(value, edit.path, [...items, edit.item]);
		case 'remove item': {
			const index = items.findIndex(item => isSameJson(item, edit.item));
			return index === -1 ? value : withMember(value, edit.path, items.toSpliced(index, 1));
		}
	}
}

function withMember(
	value: JsonObject,
	[key = '', ...rest]: readonly string[],
	inner: JsonValue | undefined,
): JsonObject {
	const present = ownMember(value, key);
	const changed = rest.length === 0 ? inner : withMember(isJsonObject(present) ? present : {}, rest, inner);
	const others = Object.entries(value).filter(([name]) => name !== key);
	return Object.fromEntries(changed === undefined ? others : [...others, [key, changed]]);
}

/** In TOML a table above a removed one may be written nowhere else. */
function withoutEmptyTables(value: JsonObject, edits: readonly SettingsEdit[]): JsonObject {
	return edits.reduce((rest, {kind, path}) => {
		const above: SettingPath = [path[0], ...path.slice(1, -1)];
		const table = memberAt(rest, above);
		const isEmpty = kind === 'remove' && isJsonObject(table) && Object.keys(table).length === 0;
		return isEmpty ? withMember(rest, above, undefined) : rest;
	}, value);
}

function withoutMark(text: string): string {
	return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}
