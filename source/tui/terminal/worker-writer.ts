import {Worker} from 'node:worker_threads';

/** Writes to a descriptor from a thread of its own, so that a terminal that stops reading blocks only that thread. */
export type WorkerWriter = {
	/** Hands a text over. `done` is called once it has been written. */
	readonly write: (text: string, done?: () => void) => boolean;
	/** Bytes handed over and not yet written. */
	readonly waiting: () => number;
	readonly close: () => void;
};

/** Opens the writer. The thread does not keep the process alive. */
export function openWorkerWriter(descriptor: number): WorkerWriter {
	const isSource = import.meta.url.endsWith('.ts');
	const worker = new Worker(new URL(`./worker-writer-thread.${isSource ? 'ts' : 'js'}`, import.meta.url), {
		workerData: descriptor,
	});
	const pending: Array<{readonly bytes: number; readonly done: (() => void) | undefined}> = [];
	let waiting = 0;
	worker.unref();
	// The thread answers each text in order; a dead thread takes no more.
	worker.on('message', () => {
		const written = pending.shift();
		waiting -= written?.bytes ?? 0;
		written?.done?.();
	});
	worker.on('error', () => void worker.terminate());
	return {
		write(text, done) {
			const bytes = Buffer.byteLength(text);
			waiting += bytes;
			pending.push({bytes, done});
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
			worker.postMessage(text);
			return true;
		},
		waiting: () => waiting,
		close: () => void worker.terminate(),
	};
}
