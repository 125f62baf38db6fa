import {writeSync} from 'node:fs';

/** Everything a window may have switched on, switched off: colours, mouse, focus reports, paste marks, held keys, hidden cursor, other screen, title. */
export const restoreSequence =
	'\u001B[0m\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?1004l\u001B[?2004l\u001B[?2026l\u001B[<u\u001B[?25h\u001B[?1049l\u001B[23;2t';

const patienceMilliseconds = 1000;
const pauseMilliseconds = 20;

/** Gives the terminal back at once, past every queue. A terminal that does not read for a second is left as it is: leaving must not hang on it. */
export function restoreScreen(descriptor: number): void {
	let rest = Buffer.from(restoreSequence);
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
