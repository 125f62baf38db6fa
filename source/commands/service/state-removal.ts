import {lstat, readdir, rm} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {failureText} from '../../config/values/text-file.ts';
import {defaultProfile, type StatePaths, statePaths} from '../../config/read/state-paths.ts';
import {acquireLock, type Lock} from '../../control/lock.ts';
import {Problem, systemErrorCode, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** A state directory that may be deleted: Sluice wrote it, and nothing else is in it. */
export type RemovableState = {
	readonly directory: string;
	/** The profiles in it, each with the paths of its own. */
	readonly profiles: readonly StatePaths[];
};

const folders = ['cron', 'skills', 'scripts', 'mcp-tokens', 'cache', 'logs'];
const rootFolders = [...folders, 'profiles'];

/** Files of ours, with the locks, copies and temporary files beside them. */
const files =
	/^(?:config\.yaml|\.env|webhook_subscriptions\.json|approval-rules\.json|hold\.json|preferences\.json|journal\.db|gateway\.lock|control\.sock)(?:[.~-].*)?$/u;

/** No other program writes these. */
const marks = ['journal.db', 'mcp-tokens', 'approval-rules.json', 'webhook_subscriptions.json'];

const maxNamed = 5;

/**
Finds out whether the state directory of a profile may be deleted; undefined: there is none. Rejects with `bad_usage` for the root of the
file system, a home directory or a folder above one, a symbolic link, a folder of another user, one without files of Sluice, and one with others.
*/
export async function findRemovableState(
	paths: StatePaths,
	{
		home,
		uid,
		runtimeDirectory,
	}: {readonly home: string; readonly uid: number; readonly runtimeDirectory?: string | undefined},
): Promise<RemovableState | undefined> {
	const {directory, profile, root} = paths;
	const stats = await lstat(directory).catch((error: unknown) => {
		if (systemErrorCode(error) === 'ENOENT') {
			return undefined;
		}

		throw refusal(directory, `cannot be read${failureText(error)}`);
	});
	if (!stats) {
		return undefined;
	}

	if ([home, homedir()].some(one => `${one}/`.startsWith(join(directory, '/')))) {
		throw refusal(directory, 'is or contains a home directory');
	}

	if (!stats.isDirectory() || stats.uid !== uid) {
		throw refusal(directory, stats.isDirectory() ? 'belongs to another user' : 'is not a folder');
	}

	const names = await readdir(directory);
	if (!marks.some(name => names.includes(name)) && directory !== join(home, '.sluice')) {
		throw refusal(directory, 'has none of the files that Sluice writes');
	}

	const profiles = profile === defaultProfile ? await profilesOf(root, runtimeDirectory) : [];
	await refuseOthers(directory, names, profile === defaultProfile ? rootFolders : folders);
	for (const {directory: below} of profiles) {
		await refuseOthers(below, await readdir(below), folders);
	}

	return {directory, profiles: [paths, ...profiles]};
}

async function profilesOf(root: string, runtimeDirectory: string | undefined): Promise<readonly StatePaths[]> {
	const {profileDirectories} = await import('../../gateway/profiles/other-profiles.ts');
	const names = await profileDirectories(root);
	return names.map(profile => statePaths({root, profile, ...(runtimeDirectory !== undefined && {runtimeDirectory})}));
}

async function refuseOthers(directory: string, names: readonly string[], known: readonly string[]): Promise<void> {
	const others = names.filter(name => !known.includes(name) && !files.test(name));
	if (others.length > 0) {
		const named = others.slice(0, maxNamed).map(name => safeText(name, {maximumCharacters: 100}));
		const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : '';
		throw refusal(
			directory,
			`has files that Sluice did not write: ${named.join(', ')}${more}`,
			'Move them away and run it again',
		);
	}
}

function refusal(directory: string, why: string, remedy = 'Delete it yourself, if you no longer need it'): Problem {
	return new Problem('bad_usage', {message: `${safeText(directory)} ${why}; it was not deleted`, remedy});
}

/** Deletes it while no gateway can start on it. Rejects with `gateway_running` when one runs, and with what the system says. */
export async function removeState({directory, profiles}: RemovableState): Promise<void> {
	const locks: Lock[] = [];
	try {
		for (const {lock} of profiles) {
			locks.push(await acquireLock(lock));
		}

		await rm(directory, {recursive: true, force: true});
		for (const {controlSocket} of profiles.filter(one => dirname(one.controlSocket) !== one.directory)) {
			await rm(controlSocket, {force: true}).catch(() => undefined);
		}
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {
			message: `${safeText(directory)} cannot be deleted${failureText(error)}`,
		});
	} finally {
		for (const lock of locks) {
			await lock.release();
		}
	}
}
