import {writeSync} from 'node:fs';
import {type FileHandle, open, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {type Clock, type Timer} from '../clock.ts';
import {makePrivateFolder} from '../make-private-folder.ts';

/** Writes lines to a log file (0600) in the background. A full file is renamed to `.1`, which replaces an earlier one. */
export type LogWriter = {
	/** Adds a line without its line break. Never throws and never waits for the disk; after `close`, or when too much waits, the line is dropped. */
	readonly write: (line: string) => void;
	/** Creates folder and file. Rejects with the error of the system. The first line does the same. */
	readonly open: () => Promise<void>;
	/** Resolves when everything written is in the file. Never rejects. */
	readonly close: () => Promise<void>;
};

type LogWriterOptions = {
	readonly path: string;
	readonly clock: Clock;
	/** The file is renamed once it has this size; its last line may go beyond. */
	readonly maxBytes: number;
	/** Receives each failure; the lines of that write are lost. Writing is tried again after 10 seconds. */
	readonly onFailure?: (error: unknown) => void;
};

/** The maximum that waits for a slow disk. */
const maxWaitingCharacters = 8 * 1024 * 1024;

/** Lines are written together, after this delay or at this length: each write wakes a thread, which costs more than formatting the line. */
const blockCharacters = 65_536;
const delayMilliseconds = 100;
const retryMilliseconds = 10_000;

/** Creates a writer; nothing is opened yet. */
export function createLogWriter({path, clock, maxBytes, onFailure}: LogWriterOptions): LogWriter {
	const lines = createWaitingLines();
	const file = createLogFile(path, maxBytes);
	let timer: Timer | undefined;
	let phase: 'open' | 'paused' | 'closed' = 'open';
	let written = Promise.resolve();

	const start = () => {
		timer?.cancel();
		timer = undefined;
		phase = phase === 'paused' ? 'open' : phase;
		written = written.then(writeWaiting);
	};

	const writeWaiting = async () => {
		try {
			while (lines.characters() > 0) {
				await file.append(room => lines.take(room));
			}
		} catch (error) {
			if (phase !== 'closed') {
				phase = 'paused';
				timer?.cancel();
				timer = clock.after(retryMilliseconds, start);
			}

			onFailure?.(error);
			await file.close();
		}
	};

	const flushAtExit = () => file.appendNow(() => lines.take(Number.POSITIVE_INFINITY));
	return {
		write(line) {
			if (phase === 'closed' || lines.characters() + line.length > maxWaitingCharacters) {
				return;
			}

			beforeExit.add(flushAtExit);
			lines.add(`${line}\n`);
			if (phase === 'open' && lines.characters() >= blockCharacters) {
				start();
			} else {
				timer ??= clock.after(delayMilliseconds, start);
			}
		},
		open: file.open,
		async close() {
			if (phase === 'open') {
				start();
			}

			phase = 'closed';
			timer?.cancel();
			await written;
			beforeExit.remove(flushAtExit);
			await file.close();
		},
	};
}

/** The lines that are not in the file yet. */
function createWaitingLines() {
	let lines: string[] = [];
	let characters = 0;
	return {
		characters: () => characters,
		add(line: string) {
			lines.push(line);
			characters += line.length;
		},
		/** Removes and returns as many lines as `room` bytes have space for; at least one. */
		take(room: number): string {
			let left = room;
			const over = lines.findIndex((line, index) => (left -= Buffer.byteLength(line)) < 0 && index > 0);
			const text = (over === -1 ? lines : lines.slice(0, over)).join('');
			lines = over === -1 ? [] : lines.slice(over);
			characters -= text.length;
			return text;
		},
	};
}

/** A file that is renamed when it is full. One call at a time. */
function createLogFile(path: string, maxBytes: number) {
	let file: FileHandle | undefined;
	let bytes = 0;

	const openFile = async (): Promise<FileHandle> => {
		if (!file) {
			await makePrivateFolder(dirname(path));
			file = await open(path, 'a', 0o600);
			await file.chmod(0o600);
			bytes = (await file.stat()).size;
		}

		return file;
	};

	const close = async () => {
		const closing = file;
		file = undefined;
		await closing?.close().catch(() => undefined);
	};

	/** The file, with room for more. */
	const openWithRoom = async (): Promise<FileHandle> => {
		const opened = await openFile();
		if (bytes < maxBytes) {
			return opened;
		}

		await rename(path, `${path}.1`);
		await close();
		return openFile();
	};

	return {
		open: async () => void (await openWithRoom()),
		close,
		/** Appends the text that `take` returns for the bytes that have room. */
		async append(take: (room: number) => string): Promise<void> {
			const opened = await openWithRoom();
			const text = take(maxBytes - bytes);
			bytes += Buffer.byteLength(text);
			await opened.appendFile(text);
		},
		/** Appends synchronously, to a file that is open. Never throws. */
		appendNow(take: () => string): void {
			try {
				if (file) {
					writeSync(file.fd, take());
				}
			} catch {
				// The process exits: nobody is left to report it to.
			}
		},
	};
}

/** Runs functions when the process exits, with one listener for all of them. */
function createExitHooks() {
	const hooks = new Set<() => void>();
	const runAll = () => hooks.forEach(hook => hook());
	return {
		add(hook: () => void) {
			if (hooks.size === 0) {
				process.on('exit', runAll);
			}

			hooks.add(hook);
		},
		remove(hook: () => void) {
			hooks.delete(hook);
			if (hooks.size === 0) {
				process.off('exit', runAll);
			}
		},
	};
}

const beforeExit = createExitHooks();
