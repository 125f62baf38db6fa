import {readFileSync} from 'node:fs';

/** A shell's ability to resume this program after a suspension; `unknown`: the system does not tell. */
export type JobControl = 'shell' | 'none' | 'unknown';

/** Facts about a process from the system: its parent and groups, and the handling of SIGTSTP. */
export type ProcessInfo = {
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	readonly stops: 'kept-away' | 'default';
};

/**
True if somebody can resume the process after a suspension (docs/dashboard.md, Quit): its first ancestor outside of the process group is of its
session (POSIX, Orphaned Process Group) and, as a shell with job control, keeps SIGTSTP away from itself.
*/
export function jobControlOf(pid: number, read: (pid: number) => ProcessInfo | undefined): JobControl {
	const own = read(pid);
	if (!own) {
		return 'unknown';
	}

	let ancestor: ProcessInfo = own;
	while (ancestor.group === own.group) {
		if (ancestor.parent === 0) {
			return 'none';
		}

		const parent = read(ancestor.parent);
		if (!parent) {
			return 'unknown';
		}

		ancestor = parent;
	}

	return ancestor.session === own.session && ancestor.stops === 'kept-away' ? 'shell' : 'none';
}

/** The ability of a shell to resume this process. */
export function jobControl(): JobControl {
	return jobControlOf(process.pid, readProcess);
}

/** SIGTSTP has the number 20 on Linux, the only system with these files. */
const stopBit = 1n << 19n;

function readProcess(pid: number): ProcessInfo | undefined {
	try {
		// The name of the program comes before, in parentheses, and may hold anything.
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		const [, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		const masks = [...status.matchAll(/^Sig(?:Ign|Cgt):\s*([\da-f]+)$/gmu)].map(([, mask]) => BigInt(`0x${mask}`));
		return {
			parent: Number(parent),
			group: Number(group),
			session: Number(session),
			stops: masks.some(mask => (mask & stopBit) !== 0n) ? 'kept-away' : 'default',
		};
	} catch {
		// Another system, or a process of somebody else.
		return undefined;
	}
}
