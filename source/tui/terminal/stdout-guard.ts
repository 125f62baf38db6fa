import {stripVTControlCharacters} from 'node:util';
import {safeText} from '../../util/safe-text.ts';

/** A stream of the process that other code may write to while the dashboard draws. */
export type GuardedStream = {write: NodeJS.WriteStream['write']};

export type OutputGuard = {
	/** Restores the streams' own `write`; an unfinished line is reported. */
	readonly release: () => void;
};

/** A longer line is reported in parts. */
const longestLine = 4000;

/**
Keeps stray writes off the screen: output to these streams (including that of `console`) is reported line by line instead.
The dashboard itself draws with the original `write`.
*/
export function guardOutput(streams: readonly GuardedStream[], onLine: (line: string) => void): OutputGuard {
	const releases = streams.map(stream => guardStream(stream, onLine));
	return {
		release() {
			for (const release of releases) {
				release();
			}
		},
	};
}

function guardStream(stream: GuardedStream, onLine: (line: string) => void): () => void {
	const original = stream.write;
	let unfinished = '';
	let isReporting = false;

	const take = (chunk: unknown) => {
		unfinished += typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : '';
		const lines = unfinished.split('\n');
		unfinished = lines.pop() ?? '';
		if (unfinished.length > longestLine) {
			lines.push(unfinished);
			unfinished = '';
		}

		for (const line of lines.filter(text => text.trim() !== '')) {
			onLine(shownLine(line));
		}
	};

	const guarded = (chunk: unknown, encodingOrDone?: unknown, done?: unknown): boolean => {
		// A listener that writes to the stream itself must not loop.
		if (!isReporting) {
			isReporting = true;
			try {
				take(chunk);
			} finally {
				isReporting = false;
			}
		}

		const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done;
		if (typeof callback === 'function') {
			queueMicrotask(() => void callback());
		}

		return true;
	};

	stream.write = guarded;
	return () => {
		if (stream.write === guarded) {
			stream.write = original;
		}

		if (unfinished.trim() !== '') {
			onLine(shownLine(unfinished));
		}

		unfinished = '';
	};
}

/** Removes the colours of `console`, which mean nothing in the log, and makes the rest of a line safe. */
function shownLine(line: string): string {
	return safeText(stripVTControlCharacters(line).trimEnd());
}
