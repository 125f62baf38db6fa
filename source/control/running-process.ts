import {readFile} from 'node:fs/promises';
import {systemErrorCode} from './system-error.ts';

/** Names one run of a program: a process number alone is used again after some time. */
export type RunningProcess = {
	readonly pid: number;
	/** Boot and start time as the system counts them; null where the system does not tell. */
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

/** True while that very run of the program is alive. Where start times are not told, the number has to do. */
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
