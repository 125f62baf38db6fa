import {createInterface} from 'node:readline';

/*
A separate program. It reads `+<group>` and `-<group>` lines; when its input ends, the gateway has exited and the groups
still listed are ended: with SIGTERM, and a second later with SIGKILL.
*/

const graceMilliseconds = 1000;
const groups = new Set<number>();

const input = createInterface({input: process.stdin});
input.on('line', line => {
	const group = Number(line.slice(1));
	// Never 0 or 1: their negatives mean "my own group" and "everyone".
	if (!Number.isSafeInteger(group) || group < 2) {
		return;
	}

	if (line.startsWith('+')) {
		groups.add(group);
	} else {
		groups.delete(group);
	}
});
input.on('close', () => {
	const alive = [...groups].filter(group => signalGroup(group, 'SIGTERM'));
	if (alive.length > 0) {
		// Nothing else runs here, so blocking the thread is fine.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, graceMilliseconds);
		for (const group of alive) {
			signalGroup(group, 'SIGKILL');
		}
	}
});

/** True when the group had a process to signal. */
function signalGroup(group: number, signal: NodeJS.Signals): boolean {
	try {
		return process.kill(-group, signal);
	} catch {
		return false;
	}
}
