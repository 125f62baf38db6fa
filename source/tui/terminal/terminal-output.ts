import {writeSync} from 'node:fs';
import {type Writable} from 'node:stream';
import {Worker} from 'node:worker_threads';
import {ownProgram} from '../../util/own-program.ts';
import {makeNonBlocking, type TerminalStream} from './non-blocking-stdout.ts';
import {withMembers} from './with-members.ts';

/** The terminal output of the dashboard. A terminal that stops reading delays only the dashboard. */
export type TerminalOutput = {
	/** For Ink: the stream with the original `write`, from before the dashboard opened. */
	readonly stream: NodeJS.WriteStream;
	/** True while bytes are waiting for the terminal; nothing new should be drawn then. */
	readonly isBlocked: () => boolean;
	/** Takes the terminal again after another program had it, which may have made writes wait. */
	readonly retake: () => void;
	/** Restores the terminal at once, after the sequences that undo what is on now; a second call does nothing, and later writes are dropped. */
	readonly restore: (undo?: string) => void;
};

/** The way of writing: to a non-blocking descriptor, or in a separate thread. */
export type WriterName = 'non-blocking' | 'worker';

type Write = (text: string, done?: () => void) => boolean;

/** Opens the terminal for a dashboard. Call it before anything replaces `stdout.write`. */
export function openTerminalOutput(options: {
	readonly stdout: TerminalStream;
	/** Possibly the same terminal, written to by other code: it must not delay the exit of the process either. */
	readonly stderr: Writable;
	readonly writer: WriterName;
}): TerminalOutput {
	const {stdout, stderr, writer} = options;
	makeNonBlocking(stderr);
	const descriptor = makeNonBlocking(stdout) ?? stdout.fd;
	// The descriptor is non-blocking for the thread too: a thread blocked in a write cannot be terminated, and the process would wait for it.
	const worker: WorkerWriter | undefined = writer === 'worker' ? openWorkerWriter(descriptor) : undefined;
	const write: Write = worker ? worker.write : stdout.write.bind(stdout);
	let restored = false;
	return {
		stream: withWrite(stdout, (text, done) => {
			if (restored) {
				done?.();
				return true;
			}

			return write(text, done);
		}),
		retake() {
			makeNonBlocking(stderr);
			makeNonBlocking(stdout);
		},
		isBlocked: () => (worker ? worker.waiting() : stdout.writableLength) > 0,
		restore(undo = '') {
			if (!restored) {
				restored = true;
				// First, or its frames might follow the restored screen.
				worker?.close();
				restoreScreen(descriptor, undo);
			}
		},
	};
}

/** The same stream with a different `write`. */
function withWrite(stdout: NodeJS.WriteStream, write: Write): NodeJS.WriteStream {
	const replaced = (chunk: string | Uint8Array, encodingOrDone?: unknown, done?: unknown) => {
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
		const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done;
		return write(text, typeof callback === 'function' ? () => void callback() : undefined);
	};
	return withMembers(stdout, {write: replaced});
}

/** Writes to a descriptor in a separate thread, so that a terminal that stops reading blocks only that thread. */
type WorkerWriter = {
	/** Queues a text. `done` is called once it has been written. */
	readonly write: (text: string, done?: () => void) => boolean;
	/** Bytes queued and not yet written. */
	readonly waiting: () => number;
	readonly close: () => void;
};

/** Opens the writer. The thread does not keep the process alive. */
export function openWorkerWriter(descriptor: number): WorkerWriter {
	const worker = new Worker(ownProgram('worker-writer-thread', import.meta.url), {
		workerData: descriptor,
	});
	const pending: Array<{readonly bytes: number; readonly done: (() => void) | undefined}> = [];
	let waiting = 0;
	worker.unref();
	// The thread reports each text in order; a dead thread accepts no more.
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
			worker.postMessage(text, []);
			return true;
		},
		waiting: () => waiting,
		close: () => void worker.terminate(),
	};
}

/** Switches off colours, mouse, reports of focus and colours, paste marks, held frames and the keyboard protocol. */
const modesOff =
	'\u001B[0m\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?1004l\u001B[?2031l\u001B[?2004l\u001B[?2026l\u001B[<u';

/** Switches off everything a dashboard may have switched on: those, and the hidden cursor, the other screen, the title. */
export const restoreSequence = `${modesOff}\u001B[?25h\u001B[?1049l\u001B[23;2t`;

/**
Switches off what a program may leave on that was killed: those, and scrolling region (which moves the cursor, so that is saved), line wrap, insertion, cursor keys,
keypad, shape of the cursor, character set (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
*/
export const takeBackSequence = `${modesOff}\u001B7\u001B[r\u001B8\u001B[?7h\u001B[4l\u001B[?1l\u001B>\u001B[0 q\u001B(B`;

const patienceMilliseconds = 1000;
const pauseMilliseconds = 20;

/** Restores the terminal at once, bypassing every queue. A terminal that does not read for a second is left as it is, so that the process can exit. */
function restoreScreen(descriptor: number, undo: string): void {
	let rest = Buffer.from(`${undo}${restoreSequence}`);
	for (let waited = 0; rest.length > 0 && waited < patienceMilliseconds; ) {
		const written = tryWrite(descriptor, rest);
		if (written === 'gone') {
			return;
		}

		rest = rest.subarray(written);
		if (rest.length > 0) {
			pause(pauseMilliseconds);
			waited += pauseMilliseconds;
		}
	}
}

function tryWrite(descriptor: number, bytes: Uint8Array): number | 'gone' {
	try {
		return writeSync(descriptor, bytes);
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : 'gone';
	}
}

/** Nothing else may run here: the process may be about to end. */
function pause(milliseconds: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
