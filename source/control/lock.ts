import {link, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {z} from 'zod';
import {failureText} from '../config/values/text-file.ts';
import {parseJson} from '../util/json-text.ts';
import {makePrivateFolder} from '../util/make-private-folder.ts';
import {Problem, systemErrorCode, toProblem} from '../util/problem.ts';
import {randomId} from '../util/random-id.ts';

/** The right to be the one gateway of a state directory. */
export type Lock = {
	/** Gives the right back. Releasing twice does nothing. */
	readonly release: () => Promise<void>;
};

const claimSchema = z.object({
	pid: z.int().positive(),
	startedAt: z.string().nullable(),
	/** Different for every attempt, so that one claim is never taken for another. */
	id: z.string().regex(/^[0-9a-f]{12}$/),
});

/** What stands in a lock file. */
type Claim = z.infer<typeof claimSchema>;

/** A lock file that cannot be read belongs to nobody: no claim is ever written half. */
const unreadableClaim = {pid: 0, startedAt: null, id: 'unreadable'};

/** How many dead successors in a row are skipped, and how often a lost race is tried again. */
const maximumSuccessors = 32;
const maximumAttempts = 32;

/**
Takes the lock at `path` (docs/configuration.md, State directory). Rejects with `gateway_running` while another process holds it; a dead holder's lock is taken over.
Every claim is written aside and then linked into place: a link either is made whole or fails, whoever else tries.
*/
export async function acquireLock(path: string): Promise<Lock> {
	const own: Claim = {pid: process.pid, startedAt: (await findProcess(process.pid))?.startedAt ?? null, id: randomId()};
	const draft = `${path}.${own.id}`;
	try {
		await makePrivateFolder(dirname(path));
		await writeFile(draft, JSON.stringify(own), {mode: 0o600, flag: 'wx'});
		await claim(path, draft);
	} catch (error) {
		throw toProblem(error, 'config_unreadable', {message: `The lock ${path} cannot be taken${failureText(error)}`});
	} finally {
		// Where no file can be made there is none to remove, and why not is the news.
		await rm(draft, {force: true}).catch(() => undefined);
	}

	return {
		async release() {
			if ((await readClaim(path))?.id === own.id) {
				await rm(path, {force: true});
			}
		},
	};
}

/** The process that holds the lock and is alive; undefined: nobody does. Rejects when the file cannot be read. */
export async function findHolder(path: string): Promise<number | undefined> {
	const holder = await readClaim(path);
	return holder && (await isAlive(holder)) ? holder.pid : undefined;
}

async function claim(path: string, draft: string): Promise<void> {
	for (let attempt = 0; attempt < maximumAttempts; attempt++) {
		if (await tryLink(draft, path)) {
			return;
		}

		const holder = await readClaim(path);
		if (holder && (await inherit({path, draft, holder}))) {
			return;
		}
	}

	throw new Problem('gateway_running', {message: 'Other gateways are being started for this state directory'});
}

/**
Takes the lock of a dead holder. Successors stand in a line of files, each named after the dead one before it, so that exactly one living
process is last in line, and it alone replaces the lock. False: the lock changed hands meanwhile.
*/
async function inherit({path, draft, holder}: {path: string; draft: string; holder: Claim}): Promise<boolean> {
	const line: string[] = [];
	let last = holder;
	for (let successors = 0; successors < maximumSuccessors; successors++) {
		if (await isAlive(last)) {
			throw new Problem('gateway_running', {
				message: `A gateway (process ${last.pid}) already holds this state directory`,
			});
		}

		const place = `${path}.after-${last.id}`;
		if (await tryLink(draft, place)) {
			return replace({path, draft, holder, line: [...line, place]});
		}

		line.push(place);
		const next = await readClaim(place);
		if (!next) {
			return false;
		}

		last = next;
	}

	return false;
}

/** Only the last in line comes here. Who came too late finds another holder and leaves the line again. */
async function replace({
	path,
	draft,
	holder,
	line,
}: {
	path: string;
	draft: string;
	holder: Claim;
	line: string[];
}): Promise<boolean> {
	const unchanged = (await readClaim(path))?.id === holder.id;
	if (unchanged) {
		await rename(draft, path);
	}

	// From the end, so that nobody can join a line that lost its first places.
	for (const place of unchanged ? line.toReversed() : line.slice(-1)) {
		await rm(place, {force: true});
	}

	return unchanged;
}

async function tryLink(existing: string, path: string): Promise<boolean> {
	try {
		await link(existing, path);
		return true;
	} catch (error) {
		if (systemErrorCode(error) === 'EEXIST') {
			return false;
		}

		throw error;
	}
}

async function readClaim(path: string): Promise<Claim | undefined> {
	try {
		const parsed = claimSchema.safeParse(parseJson(await readFile(path, 'utf8')));
		return parsed.success ? parsed.data : unreadableClaim;
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
