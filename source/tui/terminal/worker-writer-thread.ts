import {writeSync} from 'node:fs';
import {parentPort, workerData} from 'node:worker_threads';

const descriptor = typeof workerData === 'number' ? workerData : 1;
const pauseMilliseconds = 10;

/** Writes all of a text, however long the terminal takes. A closed terminal accepts no more. */
function writeAll(text: string): void {
	let rest: Uint8Array = Buffer.from(text);
	while (rest.length > 0) {
		try {
			rest = rest.subarray(writeSync(descriptor, rest));
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) {
				return;
			}

			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds);
		}
	}
}

parentPort?.on('message', (text: string) => {
	writeAll(text);
	parentPort?.postMessage('written', []);
});
