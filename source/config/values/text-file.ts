import {statSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {makePrivateFolder} from '../../util/make-private-folder.ts';
import {Problem, toProblem} from '../../util/problem.ts';

/** No file that a person writes by hand is larger. */
const largestFileBytes = 4 * 1_048_576;

/** The text of a file, undefined when there is none. Throws a Problem `config_unreadable` when it exists and cannot be read. */
export async function readTextFile(path: string): Promise<string | undefined> {
	try {
		const {size} = await stat(path);
		if (size > largestFileBytes) {
			throw new Problem('config_unreadable', {message: `${path} is larger than 4 MB`});
		}

		return await readFile(path, 'utf8');
	} catch (error) {
		if (isMissing(error)) {
			return undefined;
		}

		throw toProblem(error, 'config_unreadable', {message: `${path} cannot be read${failureText(error)}`});
	}
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Writes a file that this user alone may read, all or nothing: temporary file, fsync, rename (docs/configuration.md, State directory). Throws a Problem `config_unreadable`. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
	try {
		await makePrivateFolder(dirname(path));
		await writeFileAtomic(path, text, {mode: 0o600});
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `${path} cannot be written${failureText(error)}`});
	}
}

/** The meaning of the system's error codes; others are shown as they are. */
const words: Readonly<Record<string, string>> = {
	EACCES: 'no permission',
	EPERM: 'no permission',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is exceeded',
	EFBIG: 'the file would be too large',
	ENOTDIR: 'a part of the path is not a folder',
	EISDIR: 'it is a folder',
	EEXIST: 'a file is in the way',
	ELOOP: 'it is a symbolic link, or symbolic links in its path form a loop',
	ENOENT: 'a folder of the path cannot be created',
	EMFILE: 'too many files are open',
	ENOLCK: 'the file system has no locks',
};

/** The reason that a file operation failed, to append to a message: `: the disk is full`. Empty for other errors. */
export function failureText(error: unknown): string {
	const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
	return code === undefined ? '' : `: ${words[code] ?? code}`;
}

/** The stamp of no file. */
export const absentStamp = 'absent';

/** Changes with the content of a file, without reading it; `absentStamp` when there is no file. */
export function fileStamp(path: string): string {
	const stats = statSync(path, {throwIfNoEntry: false});
	return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : absentStamp;
}
