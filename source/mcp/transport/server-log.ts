import {createHash} from 'node:crypto';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {type Clock} from '../../util/clock.ts';
import {createIntervalCount} from '../../util/limits/interval-count.ts';
import {createLogWriter} from '../../util/limits/log-writer.ts';
import {maskTokens} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';

/** The file for a server's stderr. It never fails: when the file cannot be written, lines are dropped. */
export type ServerLog = {
	readonly write: (chunk: Buffer) => void;
	/** Writes a line from Sluice itself. */
	readonly note: (text: string) => void;
	/** Another process begins: what the former one wrote is no longer its end. */
	readonly begin: () => void;
	/** The file, and the last lines of the process, known secrets masked and safe to show. */
	readonly end: () => LogEnd;
	readonly close: () => Promise<void>;
};

/** The end of a log. */
export type LogEnd = {readonly path: string; readonly lines: readonly string[]};

const fileLimitBytes = 1_048_576;
const lineLimitCharacters = 4000;
const budgetCharacters = 262_144;
const secondMilliseconds = 1000;
/** The number of lines that are kept of a process, and the number that is shown. */
const keptLines = 60;
const endLines = 8;
const endLineCharacters = 300;

/** Opens the log of a server: at most two files of 1 MiB, and 256 KiB a second; further lines are counted and dropped. */
export function openServerLog(options: {
	readonly directory: string;
	readonly server: string;
	readonly clock: Clock;
	/** Masks known secrets. */
	readonly redact: (text: string) => string;
}): ServerLog {
	const path = join(options.directory, `${logFileName(options.server)}.log`);
	const file = createLogWriter({path, clock: options.clock, maxBytes: fileLimitBytes});
	const budget = createIntervalCount(options.clock, secondMilliseconds);
	let partial = '';
	let dropped = 0;
	/** As the process wrote them: most servers never end, so nothing is masked before somebody looks. */
	let last: readonly string[] = [];

	const toShow = (line: string, maximumCharacters: number) =>
		safeText(maskTokens(options.redact(line)), {maximumCharacters});

	const writeLine = (line: string) => {
		if (budget.add(line.length) > budgetCharacters) {
			dropped += line.length;
			return;
		}

		if (dropped > 0) {
			file.write(`… ${dropped} characters dropped`);
			dropped = 0;
		}

		file.write(toShow(line, lineLimitCharacters));
	};

	/** Writes a line that has no end yet. */
	const flush = () => {
		if (partial !== '') {
			writeLine(partial);
			last = [...last, partial].slice(-keptLines);
			partial = '';
		}
	};

	return {
		write(chunk) {
			const pieces = (partial + chunk.toString('utf8')).split('\n');
			partial = pieces.pop() ?? '';
			const lines = pieces.map(line => line.replace(/\r$/u, ''));
			lines.forEach(writeLine);
			last = [...last, ...lines.slice(-keptLines)].slice(-keptLines);
			if (partial.length > lineLimitCharacters) {
				flush();
			}
		},
		note: text => writeLine(`[sluice ${new Date(options.clock.now()).toISOString()}] ${text}`),
		begin() {
			flush();
			last = [];
		},
		end() {
			const lines = tellingLines([...last, partial]).slice(-endLines);
			return {path, lines: lines.map(line => toShow(line, endLineCharacters))};
		},
		async close() {
			flush();
			await file.close();
		},
	};
}

/** Without blank lines and what runtimes print around an error: places in their code, marks below it, their version. */
function tellingLines(lines: readonly string[]): readonly string[] {
	return lines.filter(line => !/^\s*(?:at .+|[\^~{}\s]*|Node\.js v[\d.]+)$/u.test(line));
}

/** A file name for a server name: unique to the server, and never outside the folder. */
export function logFileName(server: string): string {
	const plain = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/u.test(server);
	const readable = server.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, 80);
	return plain ? server : `${readable}~${createHash('sha256').update(server).digest('hex').slice(0, 8)}`;
}

const shownBytes = 65_536;

/** The end of the stderr output of a server's processes, safe to show; empty when there is none. Never rejects. */
export async function readServerLog(directory: string, server: string): Promise<string> {
	const text = await readEnd(join(directory, `${logFileName(server)}.log`));
	return safeText(text, {maximumCharacters: shownBytes, multiline: true});
}

async function readEnd(path: string): Promise<string> {
	try {
		const file = await open(path, 'r');
		try {
			const {size} = await file.stat();
			const start = Math.max(0, size - shownBytes);
			const {buffer, bytesRead} = await file.read({buffer: Buffer.alloc(Math.min(size, shownBytes)), position: start});
			const text = buffer.toString('utf8', 0, bytesRead);
			// The first line may be cut, even inside a character.
			return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
		} finally {
			await file.close();
		}
	} catch {
		return '';
	}
}
