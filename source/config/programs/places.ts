import {join} from 'node:path';

/** The folders below which programs have their settings. */
export type Places = {
	readonly home: string;
	readonly workingDirectory: string;
	readonly variables: Readonly<Record<string, string>>;
	readonly platform: NodeJS.Platform;
};

/** The folder of settings by the XDG Base Directory Specification. */
export function settingsFolder({home, variables}: Places): string {
	return variables['XDG_CONFIG_HOME'] || join(home, '.config');
}

/** Folders of applications' settings, that of this system first: an import also reads those of the others. */
export function applicationFolders(places: Places): readonly [string, ...string[]] {
	const {home, variables, platform} = places;
	const settings = settingsFolder(places);
	const library = join(home, 'Library', 'Application Support');
	const roaming = variables['APPDATA'] === undefined ? [] : [variables['APPDATA']];
	return platform === 'darwin' ? [library, settings, ...roaming] : [settings, library, ...roaming];
}

/** The folder of Codex. */
export function codexFolder({home, variables}: Places): string {
	return variables['CODEX_HOME'] || join(home, '.codex');
}

/** The folder of Claude Code's settings. */
export function claudeFolder({home, variables}: Places): string {
	return variables['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
}

/** The file of Claude Code's servers: beside its folder, or in the folder that a variable names. */
export function claudeFile({home, variables}: Places): string {
	return join(variables['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
}
