import {isDeepStrictEqual} from 'node:util';
import {changedProblems} from '../../config/edit/changed-problems.ts';
import {createExpand, readSecretScope} from '../../config/secrets/variables.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {type Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';

/** A text of config.yaml and what it holds; `variable` looks into `.env` as it is, or will be. */
export type ConfigVersion = {
	readonly text: string;
	readonly value: unknown;
	readonly variable: (name: string) => string | undefined;
};

/** Compares two versions of the configuration of a profile as a start and `approvals.cli` would. */
export type VersionCheck = {
	/** The value of a variable, from `.env` or the environment. */
	readonly variable: (name: string) => string | undefined;
	/** The problems that a start would report for the second version alone. */
	readonly problems: (before: ConfigVersion, after: ConfigVersion) => readonly Problem[];
};

/** Reads the variables of the profile. */
export async function readVersionCheck({
	paths,
	environment,
}: Pick<Session, 'paths' | 'environment'>): Promise<VersionCheck> {
	const {scope} = await readSecretScope(paths.env, environment);
	return {
		variable: scope.variables,
		problems(before, after) {
			const read = (version: ConfigVersion) => ({
				...version,
				expand: createExpand({variables: version.variable}, environment),
			});
			return changedProblems(paths.config, read(before), read(after));
		},
	};
}

/** Settings that a running gateway reads only at its start (docs/configuration.md, Profiles; docs/postgresql.md, Journal in PostgreSQL). */
const startPaths = [
	['gateway', 'multiplex_profiles'],
	['gateway', 'profiles'],
	['journal', 'url'],
	['journal', 'schema'],
	['journal', 'pool'],
	['journal', 'node'],
	['journal', 'lease'],
] as const;

/** The changed settings that a running gateway does not take over, in a sentence; undefined without one. */
export function startSettingsText(before: unknown, after: unknown): string | undefined {
	const changed = startPaths.filter(path => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)));
	const names = changed.map(path => `\`${path.join('.')}\``).join(', ');
	return changed.length === 0
		? undefined
		: `${names} ${changed.length === 1 ? 'takes' : 'take'} effect at the next start of the gateway.`;
}

/** Prints problems as a start does: file, line, key, and what is wrong. */
export function printProblems(
	{stderr}: Pick<CommandContext, 'stderr'>,
	problems: readonly Problem[],
	directory: string,
): void {
	problems.forEach(problem => stderr(`sluice: ${safeText(problemLine(problem, directory))}\n`));
}
