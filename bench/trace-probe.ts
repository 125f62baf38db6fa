/*
Loaded into the gateway that `npm run trace` follows, and into its threads: at each SIGUSR2 it writes the programs whose functions ran since the one
before to the file `TRACE_FILE`.
*/
import {renameSync, writeFileSync} from 'node:fs';
import {Session} from 'node:inspector/promises';
import {setTimeout as wait} from 'node:timers/promises';
import {BroadcastChannel, isMainThread} from 'node:worker_threads';

const file = process.env['TRACE_FILE'] ?? '';
const threads = new BroadcastChannel('trace');
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
	threads.onmessage = ({data}: {readonly data: unknown}) => {
		(data as readonly string[]).forEach(url => programs.add(url));
	};
	threads.postMessage('take');
	(await takePrograms()).forEach(url => programs.add(url));
	await wait(threadMilliseconds);
	writeFileSync(`${file}.part`, JSON.stringify([...programs]));
	renameSync(`${file}.part`, file);
}

threads.unref();
if (isMainThread) {
	process.on('SIGUSR2', () => void write());
} else {
	threads.onmessage = () => void takePrograms().then(programs => threads.postMessage(programs));
}
