import {rm} from 'node:fs/promises';
import {isDeepStrictEqual, parseEnv} from 'node:util';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {assertUnchanged, type EditableFile, readForEdit} from '../read/editable-file.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {withoutVariables, withVariables} from '../secrets/env-file.ts';
import {referencesIn} from '../secrets/variables.ts';
import {withConfigLock} from '../values/file-lock.ts';
import {builtInServer} from '../servers/server-entry.ts';
import {valueAt} from '../values/plain-value.ts';
import {type KeyPath, keyPathText} from '../values/problem-list.ts';
import {readTextFile, writePrivateFile} from '../values/text-file.ts';

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
	/**
	Writes what changed, under the lock of both files. When a file was changed meanwhile, the same keys and variables are changed in its new text.
	Rejects with `config_changed` when one of these was itself changed; then, and when config.yaml cannot be written, neither file changes.
	*/
	readonly commit: () => Promise<void>;
};

type ProfilePaths = Pick<StatePaths, 'config' | 'env'>;

/** Both files as they were read, with the changes made so far. */
type Draft = {
	readonly config: EditableFile;
	readonly configBefore: string;
	readonly valueBefore: unknown;
	readonly envBefore: string | undefined;
	variables: string;
};

/** One change of a draft, kept so that it can be made to another text. */
type Step =
	| {readonly kind: 'set'; readonly path: KeyPath; readonly value: unknown}
	| {readonly kind: 'remove'; readonly path: KeyPath}
	| {readonly kind: 'set variables'; readonly variables: Readonly<Record<string, string>>}
	| {readonly kind: 'remove variables'; readonly names: readonly string[]};

/** Creates a change; nothing is written before `commit`. Throws a Problem when a file is unreadable or invalid. */
export async function createProfileChange(paths: ProfilePaths, clock: Clock): Promise<ProfileChange> {
	const draft = await readDraft(paths);
	const steps: Step[] = [];
	const commit = () =>
		withConfigLock(paths, clock, async () => writeDraft(paths, await onFreshFiles(draft, steps, paths)));
	return {...changeOf(draft, steps), commit};
}

/** Reads both files, changes and writes them under one lock: for changes about which nobody is asked. */
export function changeProfile(
	{paths, clock}: {readonly paths: ProfilePaths; readonly clock: Clock},
	change: (profile: Omit<ProfileChange, 'commit'>) => void,
): Promise<void> {
	return withConfigLock(paths, clock, async () => {
		const draft = await readDraft(paths);
		change(changeOf(draft, []));
		await writeDraft(paths, draft);
	});
}

async function readDraft(paths: ProfilePaths): Promise<Draft> {
	const config = await readForEdit(paths.config);
	const envBefore = await readTextFile(paths.env);
	const [configBefore, valueBefore] = [config.text(), config.value()];
	return {config, configBefore, valueBefore, envBefore, variables: envBefore ?? ''};
}

/** The operations that change the draft; each change is added to `steps`. */
function changeOf(draft: Draft, steps: Step[]): Omit<ProfileChange, 'commit'> {
	const {config, configBefore: before, envBefore = ''} = draft;
	const take = (step: Step) => {
		applyStep(draft, step);
		steps.push(step);
	};

	return {
		config: {
			value: config.value,
			has: config.has,
			set: (path, value) => take({kind: 'set', path, value}),
			remove: path => take({kind: 'remove', path}),
		},
		setVariables: variables => take({kind: 'set variables', variables}),
		variable: name => variablesIn(draft.variables).get(name),
		removeVariables: names => take({kind: 'remove variables', names}),
		changedVariables: () => changedNames(envBefore, draft.variables),
		texts: () => ({before, after: config.text()}),
	};
}

function applyStep(draft: Draft, step: Step): void {
	switch (step.kind) {
		case 'set':
			draft.config.set(step.path, step.value);
			return;
		case 'remove':
			draft.config.remove(step.path);
			return;
		case 'set variables':
			draft.variables = withVariables(draft.variables, step.variables);
			return;
		case 'remove variables':
			draft.variables = withoutVariables(draft.variables, step.names);
	}
}

/** The draft itself when its files are as they were, else the same steps on the files as they are now. Throws `config_changed`. */
async function onFreshFiles(draft: Draft, steps: readonly Step[], paths: ProfilePaths): Promise<Draft> {
	const fresh = await readDraft(paths);
	if (fresh.configBefore === draft.configBefore && fresh.envBefore === draft.envBefore) {
		return draft;
	}

	for (const step of steps) {
		const conflict = conflictOf(step, draft, fresh);
		if (conflict !== undefined) {
			const path = 'path' in step ? paths.config : paths.env;
			throw new Problem('config_changed', {
				message: `${conflict} in ${path} has changed since it was read; nothing was written`,
			});
		}
	}

	steps.forEach(step => applyStep(fresh, step));
	refuseLostVariables(draft, fresh, steps, paths);
	return fresh;
}

/** The subject of a step, if it has changed since the step was taken; undefined if the step still fits. */
function conflictOf(step: Step, draft: Draft, fresh: Draft): string | undefined {
	if ('path' in step) {
		const wanted = step.kind === 'set' ? step.value : undefined;
		return fits(step.path, wanted, [draft.valueBefore, fresh.valueBefore]) ? undefined : keyPathText(step.path);
	}

	const wanted = step.kind === 'set variables' ? step.variables : {};
	const [before, now] = [variablesIn(draft.envBefore ?? ''), variablesIn(fresh.envBefore ?? '')];
	const names = step.kind === 'set variables' ? Object.keys(step.variables) : step.names;
	return names.find(name => now.get(name) !== before.get(name) && now.get(name) !== wanted[name]);
}

/** A value fits if it is unchanged or already the wanted one, and its mapping is still there. */
function fits(path: KeyPath, wanted: unknown, [before, now]: readonly [unknown, unknown]): boolean {
	const isThere = path.every((_, depth) => {
		const above = path.slice(0, depth);
		return valueAt(before, above) === undefined || valueAt(now, above) !== undefined;
	});
	const current = valueAt(now, path);
	return isThere && (isDeepStrictEqual(current, valueAt(before, path)) || isDeepStrictEqual(current, wanted));
}

/** A variable is not removed when something refers to it that did not before. */
function refuseLostVariables(draft: Draft, fresh: Draft, steps: readonly Step[], paths: ProfilePaths): void {
	const removed = steps.flatMap(step => (step.kind === 'remove variables' ? step.names : []));
	const known = referencesIn(draft.config.value());
	const lost = referencesIn(fresh.config.value()).find(name => removed.includes(name) && !known.includes(name));
	if (lost !== undefined) {
		const message = `${paths.config} has changed since it was read and now refers to ${lost}; nothing was written`;
		throw new Problem('config_changed', {message});
	}
}

/** Writes what changed, under the lock. */
async function writeDraft({env}: ProfilePaths, {config, configBefore, envBefore, variables}: Draft): Promise<void> {
	const changesVariables = variables !== (envBefore ?? '');
	// config.yaml must never contain a reference whose value is not in `.env` yet.
	if (changesVariables) {
		await assertUnchanged(env, envBefore ?? '');
		await writePrivateFile(env, variables);
	}

	try {
		if (config.text() !== configBefore) {
			await config.save();
		}
	} catch (error) {
		if (changesVariables) {
			await restore(env, envBefore);
		}

		throw error;
	}
}

function variablesIn(text: string): ReadonlyMap<string, string | undefined> {
	return new Map(Object.entries(parseEnv(text)));
}

function changedNames(before: string, after: string): readonly string[] {
	const [old, fresh] = [variablesIn(before), variablesIn(after)];
	const names = new Set([...old.keys(), ...fresh.keys()]);
	return [...names].filter(name => old.get(name) !== fresh.get(name));
}

function restore(path: string, text: string | undefined): Promise<void> {
	return text === undefined ? rm(path, {force: true}) : writePrivateFile(path, text);
}

/** True if a new server cannot have a name: another one has it, or the built-in tools do. */
export function isTakenName(config: Pick<EditableFile, 'has'>, name: string): boolean {
	return name === '' || name === builtInServer || config.has(['mcp_servers', name]);
}

/** Throws `server_exists` for a name that a new server cannot have. */
export function assertFreeName(config: Pick<EditableFile, 'has'>, name: string): void {
	if (isTakenName(config, name)) {
		const owner = name === builtInServer ? 'belongs to the built-in tools' : 'is already in use';
		const message = `The name "${safeText(name, {maximumCharacters: 100})}" ${owner}; choose another one`;
		throw new Problem('server_exists', {message, scope: {kind: 'server', name}});
	}
}
