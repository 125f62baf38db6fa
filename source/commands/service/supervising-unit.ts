import {readFile} from 'node:fs/promises';
import {type RunTool} from '../cli/run-tool.ts';

/** The systemd unit that a process belongs to. */
export type SupervisingUnit = {
	readonly name: string;
	/** The systemctl command for it. */
	readonly systemctl: 'systemctl' | 'systemctl --user';
	/** True if systemd starts it again after a successful exit. */
	readonly restarts: boolean;
};

/** The service unit in a `/proc/PID/cgroup` (cgroups(7)); a shell or a terminal is in a scope, or in the service of its user. Undefined when there is none. */
export function unitOfCgroup(text: string): Pick<SupervisingUnit, 'name' | 'systemctl'> | undefined {
	const path = text.split('\n').find(line => line.startsWith('0::') || line.includes(':name=systemd:'));
	const parts = path?.slice(path.lastIndexOf(':') + 1).split('/') ?? [];
	const name = parts.at(-1) ?? '';
	if (!name.endsWith('.service') || name.startsWith('user@')) {
		return undefined;
	}

	const isOfUser = parts.some(part => part.startsWith('user@'));
	return {name, systemctl: isOfUser ? 'systemctl --user' : 'systemctl'};
}

/** The unit of a process of this host, and whether systemd starts it again. Never rejects: undefined when it cannot be said. */
export async function findSupervisingUnit(pid: number, run: RunTool): Promise<SupervisingUnit | undefined> {
	try {
		const unit = unitOfCgroup(await readFile(`/proc/${pid}/cgroup`, 'utf8'));
		if (!unit) {
			return undefined;
		}

		const [program = '', ...words] = unit.systemctl.split(' ');
		const shown = await run(program, [...words, 'show', '--property=Restart', '--value', unit.name]);
		const restart = shown.kind === 'ended' && shown.code === 0 ? shown.stdout.trim() : '';
		return {...unit, restarts: restart === 'always' || restart === 'on-success'};
	} catch {
		return undefined;
	}
}
