import {rm} from 'node:fs/promises';
import {parseEnv} from 'node:util';
import {withoutVariables, withVariables} from '../secrets/env-file.ts';
import {assertUnchanged, type EditableFile, readForEdit} from '../read/file.ts';
import {withConfigLock} from '../values/file-lock.ts';
import {readTextFile, writePrivateFile} from '../values/text-file.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {type Clock} from '../../util/clock.ts';

/** A change of config.yaml and `.env` that can be shown before it is written, all or nothing. */
export type ProfileChange = {
	readonly config: Pick<EditableFile, 'value' | 'has' | 'set' | 'remove'>;
	/** Sets variables of `.env`. Throws `config_invalid` for a value that `.env` cannot hold. */
	readonly setVariables: (variables: Readonly<Record<string, string>>) => void;
	/** The value of a variable in the changed `.env`; undefined when absent. */
	readonly variable: (name: string) => string | undefined;
	readonly removeVariables: (names: readonly string[]) => void;
	/** Names of the variables that are added, changed or removed. */
	readonly changedVariables: () => readonly string[];
	/** The current and the changed text of config.yaml. */
	readonly texts: () => {readonly before: string; readonly after: string};
	/** Writes what changed, under the lock of both files. Rejects with `config_changed` when a file to write was changed meanwhile; then, and when config.yaml cannot be written, neither changes. */
	readonly commit: () => Promise<void>;
};

/** Creates a change; nothing is written before `commit`. Throws a Problem when a file is unreadable or invalid. */
export async function createProfileChange(
	paths: Pick<StatePaths, 'config' | 'env'>,
	clock: Clock,
): Promise<ProfileChange> {
	const config = await readForEdit(paths.config);
	const variablesBefore = await readTextFile(paths.env);
	let variables = variablesBefore ?? '';
	const before = config.text();
	return {
		config,
		setVariables: added => void (variables = withVariables(variables, added)),
		variable: name => Object.entries(parseEnv(variables)).find(([key]) => key === name)?.[1],
		removeVariables: names => void (variables = withoutVariables(variables, names)),
		changedVariables: () => changedNames(variablesBefore ?? '', variables),
		texts: () => ({before, after: config.text()}),
		commit: () =>
			withConfigLock(paths, clock, () =>
				writeBoth({config, isChanged: config.text() !== before}, {path: paths.env, before: variablesBefore, variables}),
			),
	};
}

/** Writes what changed, under the lock. */
async function writeBoth(
	{config, isChanged}: {readonly config: EditableFile; readonly isChanged: boolean},
	{path, before, variables}: {readonly path: string; readonly before: string | undefined; readonly variables: string},
): Promise<void> {
	const changesVariables = variables !== (before ?? '');
	// config.yaml must never contain a reference whose value is not in `.env` yet.
	if (changesVariables) {
		await assertUnchanged(path, before ?? '');
		await writePrivateFile(path, variables);
	}

	try {
		if (isChanged) {
			await config.save();
		}
	} catch (error) {
		if (changesVariables) {
			await restore(path, before);
		}

		throw error;
	}
}

function changedNames(before: string, after: string): readonly string[] {
	const [old, fresh] = [parseEnv(before), parseEnv(after)];
	const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
	return [...names].filter(name => old[name] !== fresh[name]);
}

function restore(path: string, text: string | undefined): Promise<void> {
	return text === undefined ? rm(path, {force: true}) : writePrivateFile(path, text);
}
