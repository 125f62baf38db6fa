import {createInterface} from 'node:readline';

/*
A program of its own. It reads `+<group>` and `-<group>` lines; when its input ends, the gateway is gone and what is
still on the list is ended: asked first, and killed when it has not gone a second later.
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
		// Nothing else is left to do here, so the thread may simply stand still.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, graceMilliseconds);
		for (const group of alive) {
			signalGroup(group, 'SIGKILL');
		}
	}
});

/** True when there was somebody to signal. */
function signalGroup(group: number, signal: NodeJS.Signals): boolean {
	try {
		return process.kill(-group, signal);
	} catch {
		return false;
	}
}
