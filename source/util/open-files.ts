import {closeSync, openSync} from 'node:fs';
import {devNull} from 'node:os';
import {Problem} from './problem.ts';

/** The process, or the whole system, has no file descriptor left. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
const maxCauses = 8;

/** True if the error or one of its causes says that no more files or connections can be opened. */
export function isOutOfFiles(caught: unknown): boolean {
	let error = caught;
	for (let depth = 0; depth < maxCauses && error instanceof Error; depth++) {
		if (
			(error instanceof Problem && error.code === 'too_many_open_files') ||
			('code' in error && codes.has(error.code))
		) {
			return true;
		}

		error = error.cause;
	}

	return false;
}

/** Opens a file and closes it again, which takes microseconds. Throws `too_many_open_files` when none can be opened now. */
export function needOpenFile(): void {
	try {
		closeSync(openSync(devNull, 'r'));
	} catch (caught) {
		throw isOutOfFiles(caught) ? tooManyOpenFiles(caught) : caught;
	}
}

/** True if a request failed for that reason. Without a file descriptor not even a host name can be resolved, and the error then only says that the host is unknown. */
export function hadNoFile(caught: unknown): boolean {
	if (isOutOfFiles(caught)) {
		return true;
	}

	const cause = caught instanceof Error ? caught.cause : undefined;
	const isLookup = cause instanceof Error && 'syscall' in cause && cause.syscall === 'getaddrinfo';
	if (!isLookup) {
		return false;
	}

	try {
		needOpenFile();
		return false;
	} catch (caughtNow) {
		return isOutOfFiles(caughtNow);
	}
}

/** The Problem for an error accepted by `isOutOfFiles`. */
export function tooManyOpenFiles(cause: unknown): Problem {
	return cause instanceof Problem && cause.code === 'too_many_open_files'
		? cause
		: new Problem('too_many_open_files', {cause});
}
