import {mkdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {type Clock, sleep} from '../../util/clock.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {randomId} from '../../util/random-id.ts';

/** A holder is done long before: every request it makes is bounded. */
const abandonedAfterMilliseconds = 120_000;

const pauseMilliseconds = 50;
const patienceMilliseconds = 60_000;

/** Does `work` while no other process does work under the same lock file. Rejects with `config_unreadable` when the lock cannot be had in time. */
export async function withFileLock(path: string, clock: Clock, work: () => Promise<void>): Promise<void> {
	const id = `${process.pid} ${randomId()}`;
	await take(path, id, clock);
	try {
		await work();
	} finally {
		if ((await contentOf(path)) === id) {
			await rm(path, {force: true});
		}
	}
}

async function take(path: string, id: string, clock: Clock): Promise<void> {
	const giveUpAt = clock.elapsed() + patienceMilliseconds;
	while (!(await make(path, id))) {
		const holder = await contentOf(path);
		if (holder !== undefined && (await isAbandoned(path, holder, clock))) {
			await clearAway(path, holder, clock);
		} else if (clock.elapsed() > giveUpAt) {
			throw new Problem('config_unreadable', {message: `${path} is held by another process; remove it if none runs`});
		} else {
			await sleep(clock, pauseMilliseconds);
		}
	}
}

/** True when the file is made; false when there is one. */
async function make(path: string, content: string): Promise<boolean> {
	try {
		await mkdir(dirname(path), {recursive: true, mode: 0o700});
		await writeFile(path, content, {flag: 'wx', mode: 0o600});
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
			return false;
		}

		throw toProblem(error, 'config_unreadable', {message: `${path} cannot be written`});
	}
}

async function isAbandoned(path: string, holder: string, clock: Clock): Promise<boolean> {
	const pid = Number(holder.split(' ')[0]);
	if (Number.isSafeInteger(pid) && pid > 0 && !isRunning(pid)) {
		return true;
	}

	return isOld(path, clock);
}

async function isOld(path: string, clock: Clock): Promise<boolean> {
	const stats = await stat(path).catch(() => undefined);
	return stats !== undefined && clock.now() - stats.mtimeMs > abandonedAfterMilliseconds;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/** Removes the lock of one dead holder. Only one process at a time may, or a second one would remove the lock that the first has just made. */
async function clearAway(path: string, holder: string, clock: Clock): Promise<void> {
	const cleanupLock = `${path}.broom`;
	if (!(await make(cleanupLock, ''))) {
		if (await isOld(cleanupLock, clock)) {
			await rm(cleanupLock, {force: true});
		}

		await sleep(clock, pauseMilliseconds);
		return;
	}

	try {
		if ((await contentOf(path)) === holder) {
			await rm(path, {force: true});
		}
	} finally {
		await rm(cleanupLock, {force: true});
	}
}

async function contentOf(path: string): Promise<string | undefined> {
	return readFile(path, 'utf8').catch(() => undefined);
}
