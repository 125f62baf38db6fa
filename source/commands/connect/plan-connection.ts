import {join} from 'node:path';
import {type SettingsScope} from '../../config/programs/find-program.ts';
import {renewedEntry} from '../../config/programs/own-entry.ts';
import {type Places} from '../../config/programs/places.ts';
import {assertWritable, type ProgramFile, readProgramFile} from '../../config/programs/program-file.ts';
import {type SettingsFormat, type TrustSetting} from '../../config/programs/programs.ts';
import {isSameJson, type SettingsEdit} from '../../config/programs/settings-edit.ts';
import {editSettings, memberAt, parseSettings} from '../../config/programs/settings.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type ShownChange} from './change-text.ts';
import {findHook, type HookChange, hookFile, planHook} from './hook-settings.ts';
import {type ProgramSettings} from './program-settings.ts';

/** A file that is to be changed, completely worked out before anybody is asked. */
export type PlannedFile = {
	readonly file: ProgramFile;
	readonly format: SettingsFormat | 'text';
	/** undefined: the file is removed. */
	readonly after: string | undefined;
	readonly shown: readonly ShownChange[];
};

/** A connection that is wanted. */
type WantedConnection = {
	readonly entry: JsonObject;
	readonly trusted: boolean;
	/** The command line of the hook; absent: the hook stays as it is. */
	readonly hook?: readonly string[] | undefined;
	readonly places: Places;
};

/** Works out the changes that make `entry` our entry, with `trusted` those that have the program run our tools without asking, and those of the hook. Rejects with `program_settings`. */
export async function planConnection(
	settings: ProgramSettings,
	{entry: wanted, trusted, hook, places}: WantedConnection,
): Promise<{readonly entry: JsonObject; readonly files: readonly PlannedFile[]}> {
	const {program, file, path, scope} = settings;
	const {format, trust} = program;
	const added = trusted && trust?.kind === 'member' ? {[trust.key]: trust.value} : {};
	const entry = {...renewedEntry(settings.entry, wanted), ...added};
	const edits: SettingsEdit[] = isSameJson(settings.entry, entry) ? [] : [{kind: 'set', path, value: entry}];
	if (trusted && trust?.kind === 'value' && memberAt(settings.settings, trust.path) !== trust.value) {
		edits.push({kind: 'set', path: trust.path, value: trust.value});
	}

	const parts = [
		{file, format, edits},
		...(trusted && trust?.kind === 'item' ? await editItem(trust, {places, scope, kind: 'add item'}) : []),
	];
	return {entry, files: await planFiles(parts, hook && (await planHook({program, scope, places}, hook)))};
}

/**
Works out the changes that take our entry and our hook out of the texts, and nothing else. `recorded`: the files that a connection has changed. Any
other file that cannot be read has no hook of ours. Rejects with `program_settings`.
*/
export async function planRemoval(
	settings: ProgramSettings,
	{places, recorded}: {readonly places: Places; readonly recorded: readonly string[]},
): Promise<readonly PlannedFile[]> {
	const {program, file, path, scope, own} = settings;
	const {format, trust} = program;
	const wasTrusted = recorded.length > 0;
	const edits: SettingsEdit[] = own ? [{kind: 'remove', path}] : [];
	if (wasTrusted && trust?.kind === 'value' && memberAt(settings.settings, trust.path) === trust.value) {
		edits.push({kind: 'remove', path: trust.path});
	}

	const parts = [
		{file, format, edits},
		...(wasTrusted && trust?.kind === 'item' ? await editItem(trust, {places, scope, kind: 'remove item'}) : []),
	];
	const where = {program, scope, places};
	const isRecorded = recorded.includes(hookFile(where) ?? '');
	const hook = isRecorded || (await findHook(where)) ? await planHook(where, undefined) : undefined;
	return planFiles(parts, hook);
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

async function editItem(
	trust: Extract<TrustSetting, {kind: 'item'}>,
	{
		places,
		scope,
		kind,
	}: {readonly places: Places; readonly scope: SettingsScope; readonly kind: 'add item' | 'remove item'},
): Promise<readonly FileEdits[]> {
	const file = await readProgramFile(trustFile(trust, places, scope));
	const settings = await parseSettings({...file, format: 'json'});
	const {path, item} = trust;
	return hasItem(settings, trust) === (kind === 'add item')
		? []
		: [{file, format: 'json', edits: [{kind, path, item}]}];
}

function hasItem(settings: JsonObject, {path, item}: Extract<TrustSetting, {kind: 'item'}>): boolean {
	const list = memberAt(settings, path);
	return Array.isArray(list) && list.includes(item);
}

/** Edits of one file. */
type FileEdits = {
	readonly file: ProgramFile;
	readonly format: SettingsFormat;
	readonly edits: readonly SettingsEdit[];
};

/** Each file once, in the order of the parts: some programs have servers, trust and hooks in one. */
async function planFiles(parts: readonly FileEdits[], hook: HookChange | undefined): Promise<readonly PlannedFile[]> {
	const all: readonly FileEdits[] = hook?.kind === 'settings' ? [...parts, {...hook, format: 'json'}] : parts;
	const paths = new Set(all.map(({file}) => file.path));
	const planned: PlannedFile[] = [];
	for (const path of paths) {
		const [first, ...others] = all.filter(({file}) => file.path === path);
		const edits = [first, ...others].flatMap(part => part?.edits ?? []);
		if (first && edits.length > 0) {
			planned.push(await planFile({...first, edits}));
		}
	}

	if (hook?.kind === 'plugin') {
		await assertWritable(hook.file);
		const [before, after] = [hook.file.text, hook.after];
		planned.push({file: hook.file, format: 'text', after, shown: [{path: [], before, after}]});
	}

	return planned;
}

async function planFile({file, format, edits}: FileEdits): Promise<PlannedFile> {
	await assertWritable(file);
	const settings = await parseSettings({...file, format});
	const after = await editSettings({...file, format}, edits);
	return {file, format, after, shown: edits.map(edit => shownChange(edit, settings))};
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
