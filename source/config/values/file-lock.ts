import {existsSync} from 'node:fs';
import {dirname} from 'node:path';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type ProcessLock, tryProcessLockSync, waitForProcessLock} from '../../util/process-lock.ts';
import {failureText} from './text-file.ts';

/** A lock is held while a small file is read and written, never while a person is asked. */
const patienceMilliseconds = 10_000;

/** The file of the lock under which another file is changed (docs/configuration.md, State directory). */
export function lockPathOf(path: string): string {
	return `${path}.lock`;
}

/** Runs `work` under the lock of `config.yaml` and `.env`, as `withFileLock` does. */
export function withConfigLock<Result>(
	paths: {readonly config: string},
	clock: Clock,
	work: () => Promise<Result>,
): Promise<Result> {
	return withFileLock(lockPathOf(paths.config), {clock}, work);
}

/**
Runs `work` under the lock at `lock`, which excludes other processes and other work of this one. A free lock is taken before the first await.
Not reentrant: `work` must not take the same lock. Rejects as `work` does, or with `config_unreadable` when the lock is not available in time.
*/
export async function withFileLock<Result>(
	lock: string,
	options: {readonly clock: Clock; readonly patienceMilliseconds?: number},
	work: () => Result | Promise<Result>,
): Promise<Result> {
	const held = takeFree(lock) ?? (await waitFor(lock, options));
	try {
		return await work();
	} finally {
		held.release();
	}
}

function takeFree(lock: string): ProcessLock | undefined {
	try {
		return existsSync(dirname(lock)) ? tryProcessLockSync(lock) : undefined;
	} catch (error) {
		throw unusableLock(lock, error);
	}
}

async function waitFor(
	lock: string,
	{clock, patienceMilliseconds: patience = patienceMilliseconds}: Parameters<typeof withFileLock>[1],
): Promise<ProcessLock> {
	const reason = () => new Problem('config_unreadable', {message: `${lock} is held by another process`});
	const deadline = openDeadline(clock, patience, {reason});
	try {
		return await waitForProcessLock(lock, clock, deadline.signal);
	} catch (error) {
		throw unusableLock(lock, error);
	} finally {
		deadline.cancel();
	}
}

function unusableLock(lock: string, error: unknown): Problem {
	return toProblem(error, 'config_unreadable', {message: `${lock} cannot be written${failureText(error)}`});
}
