import {type Clock, sleep} from '../../util/clock.ts';

const graceMilliseconds = 2000;
const remainderMilliseconds = 500;

/**
Ends a process and all its descendants: closes its input, then sends SIGTERM, then SIGKILL to the group, each after a bounded wait.
Resolves when the process has exited and its group was signalled, within about five seconds.
*/
export async function endGroup(options: {
	readonly clock: Clock;
	readonly group: number;
	readonly closeInput: () => void;
	/** Resolves when the process itself has exited. */
	readonly exited: Promise<void>;
}): Promise<void> {
	const {clock, group, exited} = options;
	options.closeInput();
	const gone = await endsWithin(clock, graceMilliseconds, exited);
	// Also after a clean exit: children may remain.
	if (!signalGroup(group, 'SIGTERM')) {
		return;
	}

	await (gone ? groupEnds(clock, group) : endsWithin(clock, graceMilliseconds, exited));
	if (signalGroup(group, 'SIGKILL')) {
		await endsWithin(clock, remainderMilliseconds, exited);
	}
}

async function endsWithin(clock: Clock, milliseconds: number, exited: Promise<void>): Promise<boolean> {
	const over = new AbortController();
	const timeUp = sleep(clock, milliseconds, over.signal).then(
		() => false,
		() => false,
	);
	const ended = await Promise.race([exited.then(() => true), timeUp]);
	over.abort();
	return ended;
}

/** Waits for the last member of a group by polling, since the system sends no event for it. */
async function groupEnds(clock: Clock, group: number): Promise<void> {
	const turns = 10;
	for (let turn = 0; turn < turns && signalGroup(group, 0); turn++) {
		await sleep(clock, remainderMilliseconds / turns);
	}
}

/** Signals every member of a group; false when it is empty. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(-group, signal);
	} catch {
		return false;
	}
}
