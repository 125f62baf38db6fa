import {lstat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makePrivateFolder} from '../../util/make-private-folder.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {failureText} from '../values/text-file.ts';
import {type StatePaths} from './state-paths.ts';

/** Creates the folders of a profile, 0700 (docs/configuration.md, State directory). Existing folders keep their permissions. Throws a Problem `config_unreadable`. */
export async function ensureStateDirectory(paths: StatePaths): Promise<void> {
	const folders = [
		paths.directory,
		paths.tokens,
		dirname(paths.cronJobs),
		paths.media,
		paths.scripts,
		paths.skills,
		paths.serverLogs,
	];
	try {
		for (const folder of folders) {
			await makePrivateFolder(folder);
		}
	} catch (error) {
		const message = `The state directory ${paths.directory} cannot be created${failureText(error)}`;
		throw toProblem(error, 'config_unreadable', {message});
	}

	if (dirname(paths.controlSocket) !== paths.directory) {
		await ensureRuntimeDirectory(dirname(paths.controlSocket));
	}
}

/** Others may write to its parent, so the folder must belong to this user and be private: otherwise its owner could impersonate the gateway. */
async function ensureRuntimeDirectory(folder: string): Promise<void> {
	await makePrivateFolder(folder).catch(() => undefined);
	const stats = await lstat(folder).catch(() => undefined);
	if (!stats?.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid) || (stats.mode & 0o077) !== 0) {
		throw new Problem('config_unreadable', {
			message: `The folder ${folder} for the control socket must belong to this user alone`,
		});
	}
}
