import {basename, sep} from 'node:path';
import {parseEnv} from 'node:util';
import {Problem, toProblem} from '../../util/problem.ts';
import {isSecretName} from '../../util/redact.ts';
import {type Environment} from '../read/environment.ts';
import {checkEnvLines} from './env-lines.ts';
import {readTextFile} from '../values/text-file.ts';

/** The variables of one profile: its `.env`, falling back to the environment of the process. */
export type SecretScope = {
	/** Undefined when the variable is unset or empty. */
	readonly variables: (name: string) => string | undefined;
	/** The secret values, which the redactor masks. */
	readonly values: readonly string[];
};

/** The sources of references. */
export type VariableScope = Pick<SecretScope, 'variables'> & {
	readonly userHome: string;
	readonly workspaceFolder: string;
};

/** Reads the `.env` of a profile; a missing one is empty. If it is unreadable, that is a problem, and only the environment of the process is used. */
export async function readSecretScope(
	path: string,
	environment: Pick<Environment, 'variables'>,
): Promise<{readonly scope: SecretScope; readonly problems: readonly Problem[]}> {
	try {
		const text = (await readTextFile(path)) ?? '';
		return {scope: toScope(parseEnv(text), environment.variables), problems: checkEnvLines(path, text)};
	} catch (error) {
		return {
			scope: toScope({}, environment.variables),
			problems: [toProblem(error, 'config_unreadable', {message: `${path} cannot be read`})],
		};
	}
}

/** Variables of `.env` that are settings, not secrets. */
const settingNames: readonly string[] = ['WEBHOOK_ENABLED', 'WEBHOOK_PORT'];

/** The shells' variable for the working directory; as a secret it would mask the paths in half of all messages. */
const workingDirectoryName = 'PWD';

function toScope(own: NodeJS.Dict<string>, inherited: Readonly<Record<string, string>>): SecretScope {
	return {
		variables: name => member(own, name) || member(inherited, name) || undefined,
		values: [
			...Object.entries(own).filter(([name]) => !settingNames.includes(name)),
			...Object.entries(inherited).filter(([name]) => isSecretName(name) && name !== workingDirectoryName),
		].flatMap(([, value]) => (value ? [value] : [])),
	};
}

/** Own members only: `constructor` is not a variable. */
function member(variables: NodeJS.Dict<string>, name: string): string | undefined {
	return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Creates the function that replaces the references in a text by their values. */
export function createExpand(
	{variables}: Pick<SecretScope, 'variables'>,
	{home, workingDirectory}: Pick<Environment, 'home' | 'workingDirectory'>,
): (text: string) => string {
	const scope = {variables, userHome: home, workspaceFolder: workingDirectory};
	return text => expandVariables(text, scope);
}

/**
Replaces each `${…}` of a text once (docs/configuration.md, Variables). A reference with no value or an empty one stays as written
(docs/configuration.md, How values are read). Values are not expanded again.
*/
export function expandVariables(text: string, scope: VariableScope): string {
	return text.replaceAll(/\$\{([^}]+)\}/gu, (reference, name: string) => resolve(name, scope) || reference);
}

/** References to paths, not to variables. */
const pathNames: readonly string[] = ['userHome', 'workspaceFolder', 'workspaceFolderBasename', 'pathSeparator', '/'];

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

/** True for a text that contains a reference: unexpanded, or with an unset variable. */
export function isUnresolved(text: string): boolean {
	return /\$\{[^}]*\}/u.test(text);
}

/** The names of all variables referenced in a value, at any depth. */
export function referencesIn(value: unknown): readonly string[] {
	const names = (JSON.stringify(value) ?? '').matchAll(/\$\{(?:env:)?([^}"\\]+)\}/gu);
	return [...new Set(Array.from(names, match => match[1] ?? ''))].filter(name => !pathNames.includes(name));
}
