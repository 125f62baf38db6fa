import {type FileHandle, open, stat} from 'node:fs/promises';
import {type Clock, sleep} from '../../util/clock.ts';
import {systemErrorCode} from '../../util/problem.ts';

const chunkBytes = 65_536;
/** Bytes that are kept of a line without an end. */
const longestLineBytes = 1_048_576;
const maxAtOnceBytes = 1_048_576;
const pauseMilliseconds = 200;

/** A file that is open, and the place behind its last whole line that was read. */
export type OpenLog = {readonly file: FileHandle; readonly position: number};

/** Opens a log; undefined when there is none. Rejects with the error of the system. */
export async function openLog(path: string): Promise<FileHandle | undefined> {
	try {
		return await open(path, 'r');
	} catch (error) {
		if (systemErrorCode(error) === 'ENOENT') {
			return undefined;
		}

		throw error;
	}
}

/** The whole lines of a file from its end to its beginning, in pieces; what follows the last line break is left out. */
export async function* linesFromEnd(file: FileHandle, end: number): AsyncGenerator<string> {
	let position = end;
	let rest: Buffer = Buffer.alloc(0);
	let isWhole = false;
	while (position > 0) {
		const length = Math.min(chunkBytes, position);
		position -= length;
		const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(length), position});
		let chunk = Buffer.concat([buffer.subarray(0, bytesRead), rest]);
		for (let at = chunk.lastIndexOf(0x0a); at !== -1; at = chunk.lastIndexOf(0x0a)) {
			if (isWhole) {
				yield chunk.toString('utf8', at + 1);
			}

			isWhole = true;
			chunk = chunk.subarray(0, at);
		}

		rest = chunk.length > longestLineBytes ? chunk.subarray(0, longestLineBytes) : chunk;
	}

	if (isWhole) {
		yield rest.toString('utf8');
	}
}

/** The offset at which the last complete line of a file ends. */
export async function endOfLines(file: FileHandle): Promise<number> {
	let {size: end} = await file.stat();
	while (end > 0) {
		const length = Math.min(chunkBytes, end);
		const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(length), position: end - length});
		const at = buffer.subarray(0, bytesRead).lastIndexOf(0x0a);
		if (at !== -1) {
			return end - length + at + 1;
		}

		end -= length;
	}

	return 0;
}

/**
Hands out the lines that are written from now on, until the signal aborts. A file that is put aside is read to its end before the new one; one
that is not there yet is waited for. Nothing is read while `isReady` says no: the file keeps it.
*/
export async function followLog(
	path: string,
	start: OpenLog | undefined,
	options: {
		readonly clock: Clock;
		readonly signal: AbortSignal;
		readonly isReady: () => boolean;
		readonly onLine: (line: string) => void;
	},
): Promise<void> {
	let current: Following | undefined = start && {...start, rest: Buffer.alloc(0)};
	let isPutAside = false;
	try {
		while (!options.signal.aborted) {
			current ??= await openNew(path);
			if (current && options.isReady()) {
				const next: Following = await readOn(current, options.onLine);
				const read = next.position - current.position;
				current = next;
				if (read >= maxAtOnceBytes) {
					continue;
				}

				if (isPutAside && read === 0) {
					await next.file.close();
					current = undefined;
					isPutAside = false;
					continue;
				}

				// Its writer may still be at the former file for a moment: it is left once nothing came for a while.
				isPutAside = await isOther(path, next.file);
			}

			await sleep(options.clock, pauseMilliseconds, options.signal).catch(() => undefined);
		}
	} finally {
		await current?.file.close();
	}
}

type Following = OpenLog & {readonly rest: Buffer};

async function openNew(path: string): Promise<Following | undefined> {
	const file = await openLog(path);
	return file && {file, position: 0, rest: Buffer.alloc(0)};
}

async function readOn({file, position, rest}: Following, onLine: (line: string) => void): Promise<Following> {
	const {size} = await file.stat();
	const from = size < position ? 0 : position;
	const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(maxAtOnceBytes), position: from});
	const text = Buffer.concat([from === position ? rest : Buffer.alloc(0), buffer.subarray(0, bytesRead)]);
	const end = text.lastIndexOf(0x0a);
	if (end !== -1) {
		text.toString('utf8', 0, end).split('\n').forEach(onLine);
	}

	const left = text.subarray(end + 1);
	return {
		file,
		position: from + bytesRead,
		rest: left.length > longestLineBytes ? left.subarray(0, longestLineBytes) : left,
	};
}

async function isOther(path: string, file: FileHandle): Promise<boolean> {
	const [now, own] = await Promise.all([stat(path).catch(() => undefined), file.stat()]);
	return now !== undefined && (now.ino !== own.ino || now.dev !== own.dev);
}
