import {lstat} from 'node:fs/promises';
import {createConnection, type Socket} from 'node:net';
import {Problem, systemErrorCode, toProblem} from '../util/problem.ts';

/** Connects to the control socket at `path`. Undefined: no gateway listens there. Rejects with `control_socket_unsafe`, or `control_failed` for any other reason. */
export async function connectSocket(path: string): Promise<Socket | undefined> {
	await checkSocket(path);
	return connect(path);
}

/** Anyone who created the socket could answer in the gateway's name. Rejects with `control_socket_unsafe`. */
async function checkSocket(path: string): Promise<void> {
	if (!(await isSafe(path))) {
		throw new Problem('control_socket_unsafe', {
			message: `The control socket ${path} belongs to another user, or is open to others`,
		});
	}
}

/** A path that is no socket counts as safe: the attempt to connect reports it. */
async function isSafe(path: string): Promise<boolean> {
	const found = await lstat(path).catch(() => undefined);
	const user = process.getuid?.();
	return !found?.isSocket() || user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
}

function connect(path: string): Promise<Socket | undefined> {
	return new Promise((resolve, reject) => {
		const socket = createConnection(path);
		// A later error has nothing left to settle: users of the socket learn of it by its close.
		socket.on('error', (error: Error) => {
			const code = systemErrorCode(error);
			// Without a folder there is no gateway; the part that needs the folder reports the reason.
			if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') {
				resolve(undefined);
			} else {
				reject(toProblem(error, 'control_failed', {message: 'The control socket cannot be opened'}));
			}
		});
		socket.once('connect', () => resolve(socket));
	});
}
