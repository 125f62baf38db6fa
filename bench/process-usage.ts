import {readFileSync} from 'node:fs';

const ticksPerSecond = 100;

/** Processor seconds a process has used so far, its threads included. */
export function processorSeconds(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Share of one core, in per cent, over the next seconds. */
export async function processorPercent(pid: number, seconds: number): Promise<number> {
	const before = processorSeconds(pid);
	const startedAt = performance.now();
	await new Promise(resolve => setTimeout(resolve, seconds * 1000));
	return ((processorSeconds(pid) - before) / ((performance.now() - startedAt) / 1000)) * 100;
}

/** Resident memory in MB. */
export function residentMegabytes(pid: number): number {
	const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
	return Number(line?.[1] ?? 0) / 1024;
}
