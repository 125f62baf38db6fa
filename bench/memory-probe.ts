/*
Loaded into the gateway that `npm run bench:memory` measures: on SIGUSR2 it writes what it is made of to the file `MEMORY_FILE`, and with
`MEMORY_SNAPSHOTS` a heap snapshot beside it.
*/
import {once} from 'node:events';
import {renameSync, writeFileSync} from 'node:fs';
import {getHeapSpaceStatistics, writeHeapSnapshot} from 'node:v8';
import {isMainThread, type Worker} from 'node:worker_threads';

const file = process.env['MEMORY_FILE'] ?? '';
const workers = new Set<Worker>();
let snapshots = 0;

async function write(): Promise<void> {
	// A thread that ends meanwhile refuses, or never answers.
	const answers = [...workers].map(async worker =>
		Promise.race([worker.getHeapStatistics(), once(worker, 'exit').then(() => undefined)]).catch(() => undefined),
	);
	const threads = (await Promise.all(answers)).filter(heap => heap !== undefined);
	const spaces = getHeapSpaceStatistics().map(space => [space.space_name, space.space_used_size, space.space_size]);
	const split = {
		...process.memoryUsage(),
		threads: threads.map(heap => ({
			used: heap.used_heap_size,
			total: heap.total_heap_size,
			external: heap.external_memory,
		})),
		spaces,
	};
	writeFileSync(`${file}.part`, JSON.stringify(split));
	renameSync(`${file}.part`, file);
	if (process.env['MEMORY_SNAPSHOTS']) {
		writeHeapSnapshot(`${file}-${snapshots++}.heapsnapshot`);
	}
}

if (isMainThread && file !== '') {
	process.on('worker', worker => {
		workers.add(worker);
		worker.once('exit', () => workers.delete(worker));
	});
	process.on('SIGUSR2', () => void write());
}
