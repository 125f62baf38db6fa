/** A terminal's output with its descriptor, as `process.stdout` is. */
export type TerminalStream = NodeJS.WriteStream & {readonly fd: number};

/**
Makes a terminal's output non-blocking, so that a terminal that stops reading cannot stop the process: bytes then wait in the stream.
Answers the descriptor behind it, for writing past the stream; the stream's own when it has no handle (a file, a test).
*/
export function makeNonBlocking(stdout: TerminalStream): number {
	// Node has no public way; the handle is what `process.stdout` has had since its beginnings.
	const handle: unknown = Reflect.get(stdout, '_handle');
	if (typeof handle !== 'object' || handle === null) {
		return stdout.fd;
	}

	const setBlocking: unknown = Reflect.get(handle, 'setBlocking');
	if (typeof setBlocking === 'function') {
		Reflect.apply(setBlocking, handle, [false]);
	}

	const descriptor: unknown = Reflect.get(handle, 'fd');
	return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : stdout.fd;
}
