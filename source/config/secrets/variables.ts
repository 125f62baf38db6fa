import {basename, sep} from 'node:path';

/** Where references get their values. */
export type VariableScope = {
	/** The profile's `.env` first, then the process environment; undefined when unset or empty. */
	readonly variables: (name: string) => string | undefined;
	readonly userHome: string;
	readonly workspaceFolder: string;
};

/**
Replaces each `${…}` of a text once (docs/configuration.md, Variables). What has no value stays as written, and an empty value is none
(docs/configuration.md, How values are read). Values are not searched for references again.
*/
export function expandVariables(text: string, scope: VariableScope): string {
	return text.replaceAll(/\$\{([^}]+)\}/gu, (reference, name: string) => resolve(name, scope) || reference);
}

function resolve(name: string, scope: VariableScope): string | undefined {
	switch (name) {
		case 'userHome':
			return scope.userHome;
		case 'workspaceFolder':
			return scope.workspaceFolder;
		case 'workspaceFolderBasename':
			return basename(scope.workspaceFolder);
		case 'pathSeparator':
		case '/':
			return sep;
		default:
			return scope.variables(name.startsWith('env:') ? name.slice('env:'.length) : name);
	}
}

/** The names of all variables that a value refers to, at any depth. */
export function referencesIn(value: unknown): readonly string[] {
	const names = (JSON.stringify(value) ?? '').matchAll(/\$\{(?:env:)?([^}"\\]+)\}/gu);
	return [...new Set(Array.from(names, match => match[1] ?? ''))].filter(name => !placeNames.includes(name));
}

/** References to places, not to variables. */
const placeNames: readonly string[] = ['userHome', 'workspaceFolder', 'workspaceFolderBasename', 'pathSeparator', '/'];
