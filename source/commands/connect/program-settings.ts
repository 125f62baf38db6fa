import {importServers} from '../../config/import/import-servers.ts';
import {settingsFile, type SettingsScope} from '../../config/programs/find-program.ts';
import {type OwnEntry, ownEntryName, readOwnEntry} from '../../config/programs/own-entry.ts';
import {type Places} from '../../config/programs/places.ts';
import {type ProgramFile, readProgramFile} from '../../config/programs/program-file.ts';
import {type AgentProgram} from '../../config/programs/programs.ts';
import {type SettingPath} from '../../config/programs/settings-edit.ts';
import {memberAt, parseSettings, serverPath} from '../../config/programs/settings.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {type Session} from '../cli/session.ts';

/** The settings of a program with the entry `sluice`, as they are now. */
export type ProgramSettings = {
	readonly program: AgentProgram;
	readonly scope: SettingsScope;
	readonly file: ProgramFile;
	readonly settings: JsonObject;
	/** The place of the entry `sluice`. */
	readonly path: SettingPath;
	/** The entry, whoever wrote it. */
	readonly entry: JsonObject | undefined;
	/** Undefined: there is no entry, or it leads to another server. */
	readonly own: OwnEntry | undefined;
	/** Names of entries that lead here under another name. */
	readonly otherOwn: readonly string[];
	/** Names of the other servers that are switched on. */
	readonly beside: readonly string[];
};

/** The folders of this start below which programs have their settings. */
export function placesOf({environment}: Pick<Session, 'environment'>): Places {
	return {...environment, platform: process.platform};
}

/** Reads the settings of a scope; undefined where the program has none. Rejects with `program_settings`. */
export async function readProgram(
	program: AgentProgram,
	places: Places,
	scope: SettingsScope,
): Promise<ProgramSettings | undefined> {
	const path = settingsFile(program, places, scope);
	return path === undefined ? undefined : readSettingsAt(program, places, {scope, path});
}

/** The same for a file that is known. */
export async function readSettingsAt(
	program: AgentProgram,
	{workingDirectory}: Pick<Places, 'workingDirectory'>,
	{scope, path: filePath}: {readonly scope: SettingsScope; readonly path: string},
): Promise<ProgramSettings> {
	const {format, shape} = program;
	const file = await readProgramFile(filePath);
	const settings = await parseSettings({...file, format});
	const above = serverPath(program, settings);
	const path: SettingPath = [...above, ownEntryName];
	const entry = memberAt(settings, path);
	const others = importServers(settings, shape, workingDirectory).filter(({name}) => name !== ownEntryName);
	const isOwn = (server: (typeof others)[number]) => readOwnEntry(server.entry) !== undefined;
	return {
		program,
		scope,
		file,
		settings,
		path,
		entry: isJsonObject(entry) ? entry : undefined,
		own: readOwnEntry(entry),
		otherOwn: others.filter(isOwn).map(({name}) => name),
		beside: others.filter(server => !isOwn(server) && server.entry['enabled'] !== false).map(({name}) => name),
	};
}

/** True if something else is there under our name. */
export function leadsElsewhere({settings, path, own}: Pick<ProgramSettings, 'settings' | 'path' | 'own'>): boolean {
	return own === undefined && memberAt(settings, path) !== undefined;
}
