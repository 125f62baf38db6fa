import {basename, sep} from 'node:path';
import {parseEnv} from 'node:util';
import {Problem, toProblem} from '../../util/problem.ts';
import {isSecretName} from '../../util/redact.ts';
import {type Environment} from '../read/environment.ts';
import {readTextFile} from '../values/text-file.ts';

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

/** The variables of one profile: its `.env`, falling back to the environment of the process. */
export type SecretScope = {
	/** Undefined when the variable is unset or empty. */
	readonly variables: (name: string) => string | undefined;
	/** What no text may show. The redactor learns them. */
	readonly values: readonly string[];
};

/** Variables of `.env` that are settings, not secrets. */
const settingNames: readonly string[] = ['WEBHOOK_ENABLED', 'WEBHOOK_PORT'];

/** What shells keep the working directory under; as a secret it would mask the paths of half the messages. */
const workingDirectoryName = 'PWD';

/** Reads the `.env` of a profile; a missing one is empty. What is wrong with it is a problem; the environment of the process then stands alone. */
export async function readSecretScope(
	path: string,
	environment: Pick<Environment, 'variables'>,
): Promise<{readonly scope: SecretScope; readonly problems: readonly Problem[]}> {
	try {
		const own = parseEnv((await readTextFile(path)) ?? '');
		return {scope: openScope(own, environment.variables), problems: []};
	} catch (error) {
		return {
			scope: openScope({}, environment.variables),
			problems: [toProblem(error, 'config_unreadable', {message: `${path} cannot be read`})],
		};
	}
}

/** Where the references of a configuration get their values. */
export function variableScope(
	secrets: SecretScope,
	environment: Pick<Environment, 'home' | 'workingDirectory'>,
): VariableScope {
	return {
		variables: secrets.variables,
		userHome: environment.home,
		workspaceFolder: environment.workingDirectory,
	};
}

/** Replaces the references of a text by what they stand for in these secrets. */
export function createExpand(
	secrets: SecretScope,
	environment: Pick<Environment, 'home' | 'workingDirectory'>,
): (text: string) => string {
	const scope = variableScope(secrets, environment);
	return text => expandVariables(text, scope);
}

function openScope(own: NodeJS.Dict<string>, inherited: Readonly<Record<string, string>>): SecretScope {
	return {
		variables: name => member(own, name) || member(inherited, name) || undefined,
		values: [
			...Object.entries(own).filter(([name]) => !settingNames.includes(name)),
			...Object.entries(inherited).filter(([name]) => isSecretName(name) && name !== workingDirectoryName),
		].flatMap(([, value]) => (value ? [value] : [])),
	};
}

/** Own members only: `constructor` is no variable. */
function member(variables: NodeJS.Dict<string>, name: string): string | undefined {
	return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
