import {type Readable} from 'node:stream';
import {Worker} from 'node:worker_threads';
import {type Clock, type Timer} from '../../util/clock.ts';
import {ownProgram} from '../../util/own-program.ts';
import {type PageText, type SearchHit} from './page-text.ts';

/** The document for a thread. */
export type ReaderTask =
	| {readonly kind: 'html'; readonly url: string; readonly bytes: Uint8Array}
	| {readonly kind: 'pdf'; readonly bytes: Uint8Array}
	| {readonly kind: 'hits'; readonly bytes: Uint8Array};

/** The messages of a thread: for HTML the plain text first, then the parsed page. */
export type ReaderResult =
	| {readonly kind: 'plain'; readonly page: PageText}
	| {readonly kind: 'page'; readonly page: PageText}
	| {readonly kind: 'hits'; readonly hits: readonly SearchHit[]}
	| {readonly kind: 'refused'; readonly message: string}
	| {readonly kind: 'too_complex'};

/** The result of a thread; if it was stopped, its plain text when that was already sent. */
export type Reading =
	| Exclude<ReaderResult, {readonly kind: 'plain' | 'too_complex'}>
	| {
			readonly kind: 'stopped';
			readonly reason: 'too_complex' | 'time' | 'memory' | 'fault';
			readonly plain: PageText | undefined;
	  };

export type ReaderOptions = {
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Called with each line that the libraries print, at most ten per document: not safe to show. */
	readonly onLine: (line: string) => void;
};

const timeLimitMilliseconds = 15_000;
const memoryLimitBytes = 320 * 1024 * 1024;
const memoryPollMilliseconds = 50;

/*
V8's own limit is far above ours: one large allocation beyond it ends the whole process instead of the thread.
Our limit is checked from outside and includes buffers, which V8's does not.
*/
const engineLimits = {maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 16};

const maxLines = 10;

/**
Parses one document in its own thread, which has ended once this settles: after the result, at the limits of time and memory, and at once
when the signal aborts. Rejects with the reason of the signal only.
*/
export async function readInThread(task: ReaderTask, options: ReaderOptions): Promise<Reading> {
	const {clock, signal, onLine} = options;
	signal.throwIfAborted();
	const worker = new Worker(ownProgram('page-reader-thread', import.meta.url), {
		name: 'page reader',
		workerData: task,
		env: {},
		argv: [],
		stdout: true,
		stderr: true,
		resourceLimits: engineLimits,
	});
	forwardLines([worker.stdout, worker.stderr], onLine);
	const ended = Promise.withResolvers<Reading>();
	let plain: PageText | undefined;
	const stop = (reason: Extract<Reading, {readonly kind: 'stopped'}>['reason']) =>
		ended.resolve({kind: 'stopped', reason, plain});
	const onAbort = () => ended.reject(signal.reason);
	worker.on('message', (answer: ReaderResult) => {
		if (answer.kind === 'plain') {
			plain = answer.page;
		} else if (answer.kind === 'too_complex') {
			stop('too_complex');
		} else {
			ended.resolve(answer);
		}
	});
	worker.on('error', (error: unknown) => stop(isOutOfMemory(error) ? 'memory' : 'fault'));
	worker.on('exit', () => stop('fault'));
	signal.addEventListener('abort', onAbort, {once: true});
	const timer = clock.after(timeLimitMilliseconds, () => stop('time'));
	const watch = watchMemory(worker, {clock, onTooMuch: () => stop('memory')});
	try {
		return await ended.promise;
	} finally {
		timer.cancel();
		watch.cancel();
		signal.removeEventListener('abort', onAbort);
		await worker.terminate();
	}
}

/** Polls the thread's memory, buffers included; a busy thread answers too. */
function watchMemory(worker: Worker, options: {readonly clock: Clock; readonly onTooMuch: () => void}): Timer {
	const {clock, onTooMuch} = options;
	let timer: Timer | undefined;
	let isOver = false;
	const poll = async () => {
		try {
			const {used_heap_size: heap, external_memory: buffers} = await worker.getHeapStatistics();
			if (heap + buffers > memoryLimitBytes) {
				onTooMuch();
			}
		} catch {
			// The thread is not running.
		}

		pollLater();
	};

	const pollLater = () => {
		if (!isOver) {
			timer = clock.after(memoryPollMilliseconds, () => void poll());
		}
	};

	pollLater();
	return {
		cancel() {
			isOver = true;
			timer?.cancel();
		},
	};
}

function isOutOfMemory(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Forwards the first lines; the rest is read and dropped. */
function forwardLines(streams: readonly Readable[], onLine: (line: string) => void): void {
	let forwarded = 0;
	for (const stream of streams) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			for (const line of text.split('\n', maxLines + 1)) {
				if (line.trim() !== '' && forwarded < maxLines) {
					forwarded++;
					onLine(line);
				}
			}
		});
	}
}
