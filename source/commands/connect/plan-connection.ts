import {isDeepStrictEqual} from 'node:util';
import {join} from 'node:path';
import {type SettingsScope} from '../../config/programs/find-program.ts';
import {renewedEntry} from '../../config/programs/own-entry.ts';
import {type Places} from '../../config/programs/places.ts';
import {assertWritable, type ProgramFile, readProgramFile} from '../../config/programs/program-file.ts';
import {type AgentProgram, type SettingsFormat, type TrustSetting} from '../../config/programs/programs.ts';
import {type SettingsEdit} from '../../config/programs/settings-edit.ts';
import {editSettings, memberAt, parseSettings} from '../../config/programs/settings.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type ShownChange} from './change-text.ts';
import {type ProgramSettings} from './program-settings.ts';

/** A file that is to be changed, completely worked out before anybody is asked. */
export type PlannedFile = {
	readonly file: ProgramFile;
	readonly format: SettingsFormat;
	/** undefined: the file is removed. */
	readonly after: string | undefined;
	readonly shown: readonly ShownChange[];
};

/** Works out the changes that make `entry` our entry, and with `trusted` those that have the program run our tools without asking. Rejects with `program_settings`. */
export async function planConnection(
	settings: ProgramSettings,
	{entry: wanted, trusted, places}: {readonly entry: JsonObject; readonly trusted: boolean; readonly places: Places},
): Promise<{readonly entry: JsonObject; readonly files: readonly PlannedFile[]}> {
	const {program, file, path} = settings;
	const {format, trust} = program;
	const added = trusted && trust?.kind === 'member' ? {[trust.key]: trust.value} : {};
	const entry = {...renewedEntry(settings.entry, wanted), ...added};
	const edits: SettingsEdit[] = isDeepStrictEqual(plain(settings.entry), plain(entry))
		? []
		: [{kind: 'set', path, value: entry}];
	if (trusted && trust?.kind === 'value' && memberAt(settings.settings, trust.path) !== trust.value) {
		edits.push({kind: 'set', path: trust.path, value: trust.value});
	}

	const own = await planFile({file, format, settings: settings.settings}, edits);
	const others =
		trusted && trust?.kind === 'item' ? await planItem(trust, {places, scope: settings.scope, kind: 'add item'}) : [];
	return {entry, files: [...own, ...others]};
}

/** Works out the changes that take our entry out of the text, and nothing else. */
export async function planRemoval(
	settings: ProgramSettings,
	{places, wasTrusted}: {readonly places: Places; readonly wasTrusted: boolean},
): Promise<readonly PlannedFile[]> {
	const {program, file, path, scope, own} = settings;
	const {format, trust} = program;
	const edits: SettingsEdit[] = own ? [{kind: 'remove', path}] : [];
	if (wasTrusted && trust?.kind === 'value' && memberAt(settings.settings, trust.path) === trust.value) {
		edits.push({kind: 'remove', path: trust.path});
	}

	const changed = await planFile({file, format, settings: settings.settings}, edits);
	const others =
		wasTrusted && trust?.kind === 'item' ? await planItem(trust, {places, scope, kind: 'remove item'}) : [];
	return [...changed, ...others];
}

/** True if these settings have the program run our tools without asking. */
export async function isTrusted(settings: ProgramSettings, places: Places): Promise<boolean> {
	const {program, entry, scope} = settings;
	const {trust} = program;
	switch (trust?.kind) {
		case undefined:
			return false;
		case 'member':
			return entry?.[trust.key] === trust.value;
		case 'value':
			return memberAt(settings.settings, trust.path) === trust.value;
		case 'item': {
			const file = await readProgramFile(trustFile(trust, places, scope));
			return hasItem(await parseSettings({...file, format: 'json'}), trust);
		}
	}
}

/** The file of a list of trusted tools. */
export function trustFile(trust: Extract<TrustSetting, {kind: 'item'}>, places: Places, scope: SettingsScope): string {
	return scope === 'user' ? trust.userFile(places) : join(places.workingDirectory, trust.projectFile);
}

async function planItem(
	trust: Extract<TrustSetting, {kind: 'item'}>,
	{
		places,
		scope,
		kind,
	}: {readonly places: Places; readonly scope: SettingsScope; readonly kind: 'add item' | 'remove item'},
): Promise<readonly PlannedFile[]> {
	const file = await readProgramFile(trustFile(trust, places, scope));
	const settings = await parseSettings({...file, format: 'json'});
	const {path, item} = trust;
	return hasItem(settings, trust) === (kind === 'add item')
		? []
		: planFile({file, format: 'json', settings}, [{kind, path, item}]);
}

function hasItem(settings: JsonObject, {path, item}: Extract<TrustSetting, {kind: 'item'}>): boolean {
	const list = memberAt(settings, path);
	return Array.isArray(list) && list.includes(item);
}

async function planFile(
	{
		file,
		format,
		settings,
	}: {readonly file: ProgramFile; readonly format: AgentProgram['format']; readonly settings: JsonObject},
	edits: readonly SettingsEdit[],
): Promise<readonly PlannedFile[]> {
	if (edits.length === 0) {
		return [];
	}

	await assertWritable(file);
	const after = await editSettings({...file, format}, edits);
	return [{file, format, after, shown: edits.map(edit => shownChange(edit, settings))}];
}

function shownChange(edit: SettingsEdit, settings: JsonObject): ShownChange {
	const {path} = edit;
	switch (edit.kind) {
		case 'set':
			return {path, before: memberAt(settings, path), after: edit.value};
		case 'remove':
			return {path, before: memberAt(settings, path), after: undefined};
		case 'add item':
			return {path, before: undefined, after: [edit.item]};
		case 'remove item':
			return {path, before: [edit.item], after: undefined};
	}
}

/** Parsers make objects of different prototypes. */
function plain(value: JsonObject | undefined): unknown {
	return value && (JSON.parse(JSON.stringify(value)) as unknown);
}
