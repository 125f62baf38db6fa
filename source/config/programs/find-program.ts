import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join} from 'node:path';
import {type Places} from './places.ts';
import {type AgentProgram} from './programs.ts';

/** A file counts for the user, or for the project in the working directory. */
export type SettingsScope = 'user' | 'project';

/** The files of a scope in which a program may have servers, the one that is made first. Empty: it has none of that scope. */
export function settingsFiles(
	{userFiles, projectFiles}: Pick<AgentProgram, 'userFiles' | 'projectFiles'>,
	places: Places,
	scope: SettingsScope,
): readonly string[] {
	const files = scope === 'user' ? userFiles(places) : projectFiles.map(file => join(places.workingDirectory, file));
	// With an empty HOME these paths are relative, and files of the working folder would pass for those of the user.
	return [...new Set(files)].filter(path => isAbsolute(path));
}

/** The file that the program reads, or would. Undefined: it has none of that scope. */
export function settingsFile(
	program: Pick<AgentProgram, 'userFiles' | 'projectFiles'>,
	places: Places,
	scope: SettingsScope,
): string | undefined {
	const files = settingsFiles(program, places, scope);
	return files.find(path => existsSync(path)) ?? files.find(path => existsSync(dirname(path))) ?? files[0];
}

/** True if the program was used or can be started here. Nothing is run. */
export function isInstalled({signs, commands}: Pick<AgentProgram, 'signs' | 'commands'>, places: Places): boolean {
	return (
		signs(places).some(path => isAbsolute(path) && existsSync(path)) ||
		commands.some(name => findOnPath(name, places.variables['PATH']) !== undefined)
	);
}

/** The file that a shell would run for this name. Relative folders of PATH are left out. */
export function findOnPath(name: string, path = ''): string | undefined {
	return path
		.split(delimiter)
		.filter(folder => isAbsolute(folder))
		.map(folder => join(folder, name))
		.find(file => isProgram(file));
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
