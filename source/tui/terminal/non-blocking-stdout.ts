import {type Writable} from 'node:stream';

/** A terminal's output with its descriptor, as `process.stdout` is. */
export type TerminalStream = NodeJS.WriteStream & {readonly fd: number};

/**
Makes a terminal's output non-blocking, so that a terminal that stops reading cannot stop the process: bytes then wait in the stream.
Each stream has a description of the terminal of its own, so this is needed for each one that anybody writes to, the last cursor sequence
on stderr while the process ends included. Answers the descriptor behind it, for writing past the stream; undefined when it has no
handle (a file, a test).
*/
export function makeNonBlocking(stream: Writable): number | undefined {
	// Node has no public way; the handle is what `process.stdout` has had since its beginnings.
	const handle: unknown = Reflect.get(stream, '_handle');
	if (typeof handle !== 'object' || handle === null) {
		return undefined;
	}

	const setBlocking: unknown = Reflect.get(handle, 'setBlocking');
	if (typeof setBlocking === 'function') {
		Reflect.apply(setBlocking, handle, [false]);
	}

	const descriptor: unknown = Reflect.get(handle, 'fd');
	return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
}
