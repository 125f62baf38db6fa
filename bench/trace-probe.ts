/*
Loaded into the gateway that `npm run trace` follows, and into its threads: at each SIGUSR2 it writes the programs whose functions ran since the one
before to the file `TRACE_FILE`.
*/
import {renameSync, writeFileSync} from 'node:fs';
import {Session} from 'node:inspector/promises';
import {setTimeout as wait} from 'node:timers/promises';
import {isMainThread, postMessageToThread, type Worker} from 'node:worker_threads';

const file = process.env['TRACE_FILE'] ?? '';
const mainThread = 0;
const threads = new Set<number>();
/** Threads that are busy answer later, or not at all. */
const threadMilliseconds = 300;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: false});

async function takePrograms(): Promise<readonly string[]> {
	const {result} = await session.post('Profiler.takePreciseCoverage');
	return result
		.filter(({functions}) => functions.some(({ranges}) => ranges.some(({count}) => count > 0)))
		.map(({url}) => url);
}

async function write(): Promise<void> {
	const programs = new Set<string>();
	const add = (urls: readonly string[]) => urls.forEach(url => programs.add(url));
	process.on('workerMessage', add);
	// A thread that has ended takes no message.
	await Promise.allSettled([...threads].map(thread => postMessageToThread(thread, 'take')));
	add(await takePrograms());
	await wait(threadMilliseconds);
	process.off('workerMessage', add);
	writeFileSync(`${file}.part`, JSON.stringify([...programs]));
	renameSync(`${file}.part`, file);
}

if (isMainThread) {
	process.on('worker', ({threadId}: Worker) => threads.add(threadId));
	process.on('SIGUSR2', () => void write());
} else {
	process.on('workerMessage', () => void takePrograms().then(programs => postMessageToThread(mainThread, programs)));
}
