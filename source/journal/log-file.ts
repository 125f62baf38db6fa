import {once} from 'node:events';
import {open, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import sonicBoom, {type SonicBoom} from 'sonic-boom';
import {eventJson} from '../state/event-json.ts';
import {type GatewayEvent} from '../state/event.ts';
import {type Clock, type Timer} from '../util/clock.ts';
import {makePrivateFolder} from '../util/make-private-folder.ts';
import {type Problem, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** `logs/sluice.log`: every event of the event bus, one JSON object per line as in `--log json` (docs/cli.md, Log lines). */
type LogFile = {
	/** Never throws and never waits for the disk. */
	readonly write: (event: GatewayEvent) => void;
	/** Resolves when everything written is in the file. */
	readonly close: () => Promise<void>;
};

/** The stream, which writes in the background. */
type Destination = SonicBoom;

/** One file of this size and its predecessor (`.1`) are retained. */
const rotateAtBytes = 10 * 1024 * 1024;
/** The most that may wait for a slow disk; further lines are dropped. */
const mostWaitingBytes = 16 * 1024 * 1024;

/**
Lines are written in blocks of this size, or after a short delay. The stream gets whole blocks only: each write makes it measure
its whole buffer and wakes a thread, which costs more than formatting the line.
*/
const blockCharacters = 65_536;
const flushMilliseconds = 100;

/** Opens the file (0600) for appending. Rejects with `config_unreadable`, whose message names the path; the first later failure goes to `report`. */
export async function openLogFile(options: {
	readonly path: string;
	readonly clock: Clock;
	readonly maximumBytes?: number;
	readonly report?: (problem: Problem) => void;
}): Promise<LogFile> {
	const {path, clock, maximumBytes = rotateAtBytes} = options;
	const report = onlyOnce(options.report);
	let bytes = await prepareFile(path, maximumBytes);
	const destination = new sonicBoom.SonicBoom({dest: path, sync: false, mode: 0o600, maxLength: mostWaitingBytes});
	const opened = waitUntilOpened(destination);
	destination.on('error', (error: Error) => report(logProblem(path, error)));
	let closing: Promise<void> | undefined;
	let rotated = Promise.resolve();
	let lines: string[] = [];
	let characters = 0;
	let flush: Timer | undefined;
	const handOver = () => {
		flush?.cancel();
		flush = undefined;
		if (lines.length === 0) {
			return;
		}

		const block = `${lines.join('\n')}\n`;
		lines = [];
		characters = 0;
		bytes += Buffer.byteLength(block);
		destination.write(block);
		if (bytes >= maximumBytes) {
			bytes = 0;
			rotated = rotated
				.then(() => opened)
				.then(() => rotate(path, destination))
				.catch(caught => report(logProblem(path, caught)));
		}
	};

	const flushAtExit = () => {
		handOver();
		flushNow(destination);
	};

	process.once('exit', flushAtExit);
	return {
		write(event) {
			if (closing) {
				return;
			}

			const line = eventJson(event);
			lines.push(line);
			characters += line.length;
			if (characters >= blockCharacters) {
				handOver();
			} else {
				flush ??= clock.after(flushMilliseconds, handOver);
			}
		},
		close() {
			process.off('exit', flushAtExit);
			handOver();
			closing ??= rotated.then(() => opened).then(isOpen => (isOpen ? end(destination) : undefined));
			return closing;
		},
	};
}

/** What is written meanwhile goes to the file that is put aside. A stream that is to end must have reopened its file, or it never does. */
async function rotate(path: string, destination: Destination): Promise<void> {
	await rename(path, `${path}.1`);
	const reopened = once(destination, 'ready');
	destination.reopen();
	await reopened;
}

/** Creates folder and file with owner-only permissions, rotates a full file, and returns the size of the file in bytes. */
async function prepareFile(path: string, maximumBytes: number): Promise<number> {
	try {
		await makePrivateFolder(dirname(path));
		const bytes = await makeFile(path);
		if (bytes < maximumBytes) {
			return bytes;
		}

		await rename(path, `${path}.1`);
		return await makeFile(path);
	} catch (caught) {
		throw logProblem(path, caught);
	}
}

/** Creates the file unless it is there, for its owner only, and returns its size in bytes. */
async function makeFile(path: string): Promise<number> {
	const file = await open(path, 'a', 0o600);
	try {
		await file.chmod(0o600);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

function logProblem(path: string, caught: unknown): Problem {
	return toProblem(caught, 'config_unreadable', {message: `The log cannot be written: ${safeText(path)}`});
}

/** Reports the first problem only: a report is an event, and events go to the log. */
function onlyOnce(report: ((problem: Problem) => void) | undefined): (problem: Problem) => void {
	let isReported = false;
	return problem => {
		if (!isReported) {
			isReported = true;
			report?.(problem);
		}
	};
}

/** False when the file could not be opened: such a stream never emits that it has ended. */
function waitUntilOpened(destination: Destination): Promise<boolean> {
	return new Promise(resolve => {
		destination.once('ready', () => resolve(true));
		destination.once('error', () => resolve(false));
	});
}

/** Writes the buffered lines synchronously. */
function flushNow(destination: Destination): void {
	try {
		destination.flushSync();
	} catch {
		// The file is not open, or could not be opened. The process exits, so there is nobody to report it to.
	}
}

function end(destination: Destination): Promise<void> {
	return new Promise(resolve => {
		destination.once('close', () => resolve());
		destination.once('error', () => resolve());
		destination.end();
	});
}
