import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {access, lstat, readFile, realpath, rm, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {makePrivateFolder} from '../../util/make-private-folder.ts';
import {Problem, systemErrorCode, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {failureText} from '../values/text-file.ts';

/** A settings file of another program as it was read. */
export type ProgramFile = {
	/** The path by which the program opens it. */
	readonly path: string;
	/** The file behind symbolic links. */
	readonly target: string;
	/** The whole text, with its byte order mark; undefined: there is no file. */
	readonly text: string | undefined;
	/** Differs for other bytes. */
	readonly digest: string;
};

/** Settings are smaller; a larger file is not theirs. */
const largestBytes = 4 * 1_048_576;

const absentDigest = 'absent';

/** The digest of a text as a file has it; undefined: of no file. */
export function digestOf(text: string | undefined): string {
	return text === undefined ? absentDigest : createHash('sha256').update(text).digest('hex');
}

/** Reads a file through symbolic links. Rejects with `program_settings` for one that cannot be read as text. */
export async function readProgramFile(path: string): Promise<ProgramFile> {
	const target = await targetOf(path);
	try {
		const stats = await stat(target);
		if (!stats.isFile()) {
			throw unusable(path, stats.isDirectory() ? 'is a folder' : 'is not a regular file');
		}

		if (stats.size > largestBytes) {
			throw unusable(path, 'is larger than 4 MB');
		}

		const bytes = await readFile(target);
		const text = decode(bytes);
		if (text === undefined) {
			throw unusable(path, 'is not UTF-8 text');
		}

		return {path, target, text, digest: digestOf(text)};
	} catch (error) {
		if (systemErrorCode(error) === 'ENOENT') {
			return {path, target, text: undefined, digest: absentDigest};
		}

		throw toProblem(error, 'program_settings', {message: `${safeText(path)} cannot be read${failureText(error)}`});
	}
}

/** Throws `program_settings` for a file that its owner protects from changes, before anybody is asked about one. */
export async function assertWritable({path, target, text}: ProgramFile): Promise<void> {
	try {
		if (text === undefined) {
			return;
		}

		const {mode} = await stat(target);
		// root may write it all the same, and a rename would replace it.
		if ((mode & 0o200) === 0) {
			throw unusable(path, 'is read-only');
		}

		await access(target, constants.W_OK);
		await access(dirname(target), constants.W_OK);
	} catch (error) {
		throw toProblem(error, 'program_settings', {message: `${safeText(path)} cannot be written${failureText(error)}`});
	}
}

/** Throws `config_changed` if the file has other bytes than when it was read. */
export async function assertSameFile(file: ProgramFile): Promise<void> {
	const now = await readProgramFile(file.path);
	if (now.digest !== file.digest || now.target !== file.target) {
		throw new Problem('config_changed', {
			message: `${safeText(file.path)} has changed since it was read; nothing was written`,
		});
	}
}

/**
Writes the file behind symbolic links, all or nothing, with the mode and the owner that it has; undefined removes it. Rejects with `config_changed`
when it has changed since it was read, and with `program_settings` when it cannot be written.
*/
export async function writeProgramFile(file: ProgramFile, text: string | undefined): Promise<void> {
	await assertSameFile(file);
	try {
		if (text === undefined) {
			await rm(file.target, {force: true});
			return;
		}

		await makePrivateFolder(dirname(file.target));
		await writeFileAtomic(file.target, text, file.text === undefined ? {mode: 0o600} : {});
	} catch (error) {
		throw toProblem(error, 'program_settings', {
			message: `${safeText(file.path)} cannot be written${failureText(error)}`,
		});
	}
}

async function targetOf(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if (systemErrorCode(error) !== 'ENOENT') {
			throw toProblem(error, 'program_settings', {message: `${safeText(path)} cannot be read${failureText(error)}`});
		}

		const stats = await lstat(path).catch(() => undefined);
		if (stats?.isSymbolicLink()) {
			throw unusable(path, 'is a symbolic link to a file that is not there');
		}

		return path;
	}
}

function decode(bytes: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
	} catch {
		return undefined;
	}
}

function unusable(path: string, why: string): Problem {
	return new Problem('program_settings', {message: `${safeText(path)} ${why}; nothing was changed`});
}
