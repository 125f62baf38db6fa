import {constants} from 'node:fs';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {z} from 'zod';
import {failureText} from '../config/values/text-file.ts';
import {parseJson} from '../util/json-text.ts';
import {Problem, systemErrorCode, toProblem} from '../util/problem.ts';
import {tryProcessLock} from '../util/process-lock.ts';

/** The right to be the one gateway of a state directory. */
export type Lock = {
	/** Gives the right back. Releasing twice does nothing. */
	readonly release: () => Promise<void>;
};

/** Creates or empties the file for writing; fails with ELOOP where it is a symbolic link (open(2)). Windows has no such flag. */
const writeNoLink = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

const holderSchema = z.object({pid: z.int().positive(), startedAt: z.string().nullable()});

/**
Takes the lock at `path` (docs/configuration.md, State directory). Rejects with `gateway_running` while another process holds it.
The file names its holder and decides nothing; `<path>.db` beside it is what is locked.
*/
export async function acquireLock(path: string): Promise<Lock> {
	try {
		return await lockAndName(path);
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `The lock ${path} cannot be taken${failureText(error)}`});
	}
}

async function lockAndName(path: string): Promise<Lock> {
	const lock = await tryProcessLock(`${path}.db`);
	if (!lock) {
		const pid = await findHolder(path);
		const holder = pid === undefined ? 'Another gateway' : `A gateway (process ${pid})`;
		throw new Problem('gateway_running', {message: `${holder} is already using this state directory`});
	}

	try {
		const own = (await findProcess(process.pid)) ?? {pid: process.pid, startedAt: null};
		await writeFile(path, JSON.stringify(own), {mode: 0o600, flag: writeNoLink});
	} catch (error) {
		// The first error is thrown: it tells the user why the lock cannot be written.
		await rm(path, {force: true}).catch(() => undefined);
		lock.release();
		throw error;
	}

	let isHeld = true;
	return {
		async release() {
			if (isHeld) {
				isHeld = false;
				await removeOwn(path).finally(lock.release);
			}
		},
	};
}

/** The folder may have been removed and made again meanwhile, and be another gateway's now. */
async function removeOwn(path: string): Promise<void> {
	if ((await readHolder(path))?.pid === process.pid) {
		await rm(path, {force: true});
	}
}

/** The process that holds the lock and is alive; undefined: nobody does. Rejects when the file cannot be read. */
export async function findHolder(path: string): Promise<number | undefined> {
	const holder = await readHolder(path);
	return holder && (await isAlive(holder)) ? holder.pid : undefined;
}

/** Undefined when there is no file, or none that names a process: it is being written, or was when its writer died. */
async function readHolder(path: string): Promise<RunningProcess | undefined> {
	try {
		return holderSchema.safeParse(parseJson(await readFile(path, 'utf8'))).data;
	} catch (error) {
		if (systemErrorCode(error) === 'ENOENT') {
			return undefined;
		}

		throw error;
	}
}

/** Names one run of a program: a process number alone is used again after some time. */
type RunningProcess = {
	readonly pid: number;
	/** Boot and start time as the system counts them; null where the system does not say. */
	readonly startedAt: string | null;
};

/** The process with that number as it is now; undefined when there is none, or only its unread exit status is left. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
	if (!answersSignals(pid)) {
		return undefined;
	}

	try {
		const [stat, boot] = await Promise.all([
			readFile(`/proc/${pid}/stat`, 'utf8'),
			readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
		]);
		// The program's name comes second, in parentheses, and may hold blanks and parentheses itself.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const ended = fields[0] === 'Z' || fields[0] === 'X';
		return ended ? undefined : {pid, startedAt: `${boot.trim()}/${fields[19] ?? ''}`};
	} catch {
		// No /proc, or the process ended between the two looks.
		return answersSignals(pid) ? {pid, startedAt: null} : undefined;
	}
}

/** True while that very run of the program is alive. Where start times are unknown, the number has to do. */
export async function isAlive(process: RunningProcess): Promise<boolean> {
	const now = await findProcess(process.pid);
	if (!now) {
		return false;
	}

	return now.startedAt === null || process.startedAt === null || now.startedAt === process.startedAt;
}

function answersSignals(pid: number): boolean {
	// 0 and below would ask whole process groups.
	if (pid <= 0) {
		return false;
	}

	try {
		return process.kill(pid, 0);
	} catch (error) {
		// EPERM: it lives, but belongs to somebody else.
		return systemErrorCode(error) === 'EPERM';
	}
}
