import {type Writable} from 'node:stream';

/** A terminal's output stream with its descriptor, such as `process.stdout`. */
export type TerminalStream = NodeJS.WriteStream & {readonly fd: number};

/**
Makes a terminal's output non-blocking, so that a terminal that stops reading cannot stop the process: bytes then wait in the stream.
Each stream has its own open file description, so every stream in use needs this, stderr too: the last cursor sequence goes there while the
process exits. Returns the descriptor, for writing past the stream; undefined if the stream has no handle (a file, a test).
*/
export function makeNonBlocking(stream: Writable): number | undefined {
	// Node has no public API for this; `process.stdout` has always had this handle.
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
