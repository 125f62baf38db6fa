import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {safeText} from '../../util/safe-text.ts';
import {logFileName} from './server-log.ts';

const shownBytes = 65_536;

/** The end of what a server's processes wrote to stderr, safe to show; empty when they have written nothing. Never rejects. */
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
			// The first line is cut somewhere, maybe inside a character.
			return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
		} finally {
			await file.close();
		}
	} catch {
		return '';
	}
}
