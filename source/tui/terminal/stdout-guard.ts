import {stripVTControlCharacters} from 'node:util';
import {safeText} from '../../util/safe-text.ts';

/** A stream of the process that others may write to behind the window's back. */
export type GuardedStream = {write: NodeJS.WriteStream['write']};

export type OutputGuard = {
	/** Gives the streams their own `write` back; an unfinished line is told. */
	readonly release: () => void;
};

/** A line longer than this is told in parts. */
const longestLine = 4000;

/**
Keeps stray writes off the screen: what anybody writes to these streams (console included, it writes through them) is told line by line instead.
The window itself draws with the `write` it took before.
*/
export function guardOutput(streams: readonly GuardedStream[], dispatch: (line: string) => void): OutputGuard {
	const releases = streams.map(stream => guardStream(stream, dispatch));
	return {
		release() {
			for (const release of releases) {
				release();
			}
		},
	};
}

function guardStream(stream: GuardedStream, dispatch: (line: string) => void): () => void {
	const original = stream.write;
	let unfinished = '';
	let telling = false;

	const take = (chunk: unknown) => {
		unfinished += typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : '';
		const lines = unfinished.split('\n');
		unfinished = lines.pop() ?? '';
		if (unfinished.length > longestLine) {
			lines.push(unfinished);
			unfinished = '';
		}

		for (const line of lines.filter(text => text.trim() !== '')) {
			dispatch(shownLine(line));
		}
	};

	const guarded = (chunk: unknown, encodingOrDone?: unknown, done?: unknown): boolean => {
		// A teller that writes itself must not go round in circles.
		if (!telling) {
			telling = true;
			try {
				take(chunk);
			} finally {
				telling = false;
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
			dispatch(shownLine(unfinished));
		}

		unfinished = '';
	};
}

/** Colours of `console` mean nothing in the log; whatever else is in a line is made safe. */
function shownLine(line: string): string {
	return safeText(stripVTControlCharacters(line).trimEnd());
}
