import {type Writable} from 'node:stream';
import {makeNonBlocking, type TerminalStream} from './non-blocking-stdout.ts';
import {restoreScreen} from './restore-screen.ts';
import {openWorkerWriter, type WorkerWriter} from './worker-writer.ts';

/** The terminal as the window writes to it. A terminal that stops reading delays the window and nothing else. */
export type TerminalOutput = {
	/** For Ink: the terminal with the write that was there when it was opened. */
	readonly stream: NodeJS.WriteStream;
	/** True while bytes wait for the terminal. Nothing new should be drawn then. */
	readonly hold: () => boolean;
	/** Gives the terminal back, at once and once; later writes of the window are dropped. */
	readonly restore: () => void;
};

/** How the window writes: past a non-blocking descriptor, or from a thread of its own. */
export type WriterName = 'non-blocking' | 'worker';

type Write = (text: string, done?: () => void) => boolean;

/** Opens a terminal for a window. Call it before anything replaces `stdout.write`. */
export function openTerminalOutput(options: {
	readonly stdout: TerminalStream;
	/** Written to by others, and perhaps the same terminal: it must not hold up the end of the process either. */
	readonly stderr: Writable;
	readonly writer: WriterName;
}): TerminalOutput {
	const {stdout, stderr, writer} = options;
	makeNonBlocking(stderr);
	const descriptor = makeNonBlocking(stdout) ?? stdout.fd;
	// The thread too waits awake: one that sleeps in a write cannot be ended, and the process could not end without it.
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
		hold: () => (worker ? worker.waiting() : stdout.writableLength) > 0,
		restore() {
			if (!restored) {
				restored = true;
				// First, or its frames might come behind the restored screen.
				worker?.close();
				restoreScreen(descriptor);
			}
		},
	};
}

/** The same stream in everything but its `write`. */
function withWrite(stdout: NodeJS.WriteStream, write: Write): NodeJS.WriteStream {
	const replaced = (chunk: string | Uint8Array, encodingOrDone?: unknown, done?: unknown) => {
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
		const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done;
		return write(text, typeof callback === 'function' ? () => void callback() : undefined);
	};
	return new Proxy(stdout, {
		get(target, name) {
			if (name === 'write') {
				return replaced;
			}

			const member: unknown = Reflect.get(target, name, target);
			return typeof member === 'function' ? member.bind(target) : member;
		},
	});
}
