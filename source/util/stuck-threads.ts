import {type Clock, keepProcessAwake, sleep} from './clock.ts';

/** The threads of this process, Node's own for files included: `process.exit` waits for them, for ever where one waits for a disk that hangs. */
export type Threads = {
	/** Ends the threads that are left. False: one still hangs after a second, and `process.exit` would never return. */
	readonly end: () => Promise<boolean>;
};

/** More than a thread needs that can end. */
const patienceMilliseconds = 1000;
const pauseMilliseconds = 10;

/** Watches the threads that are started from now on. */
export function watchThreads(clock: Clock): Threads {
	const workers = new Set<{readonly terminate: () => Promise<number>}>();
	process.on('worker', worker => {
		workers.add(worker);
		worker.once('exit', () => workers.delete(worker));
	});
	const areGone = () => workers.size === 0 && !process.getActiveResourcesInfo().some(isFileRequest);
	return {
		async end() {
			// One that hangs in a call of the system ends when that returns.
			workers.forEach(worker => void worker.terminate());
			const awake = keepProcessAwake();
			const begun = clock.elapsed();
			while (!areGone() && clock.elapsed() - begun < patienceMilliseconds) {
				await sleep(clock, pauseMilliseconds);
			}

			awake.cancel();
			return areGone();
		},
	};
}

/** As Node.js names what a thread of its pool does with a file. */
function isFileRequest(resource: string): boolean {
	return resource.startsWith('FSReq');
}
