import {chmod, lstat, mkdir, rm} from 'node:fs/promises';
import {createServer, type Server, type Socket} from 'node:net';
import {dirname} from 'node:path';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {Problem, systemErrorCode, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {closeDeadlineMilliseconds, maximumConnections, refusalMilliseconds} from './limits.ts';
import {type ServedConnection, type ServedGateway, serveConnection} from './serve-connection.ts';

/** The control socket of a running gateway. */
export type ControlServer = {
	/** Takes no more callers, cancels the open calls, lets their answers out and removes the socket. */
	readonly close: () => Promise<void>;
};

/**
Listens on the Unix socket at `path` (docs/configuration.md, State directory). Call it only while holding the lock of the state directory: a socket that is
still there was left by a dead gateway and is replaced. Rejects with `config_unreadable` when the socket cannot be made.
*/
export async function openControlServer(
	options: ServedGateway & {readonly path: string; readonly clock: Clock; readonly publish: Publish},
): Promise<ControlServer> {
	const {clock} = options;
	const connections = new Map<Socket, ServedConnection>();
	const refused = new Set<Socket>();
	const server = createServer(socket => {
		if (connections.size >= maximumConnections) {
			refuseConnection(socket, clock, refused);
			return;
		}

		const connection = serveConnection(socket, {...options, onProblem: report(options.publish)});
		connections.set(socket, connection);
		socket.on('close', () => connections.delete(socket));
	});

	try {
		await mkdir(dirname(options.path), {recursive: true, mode: 0o700});
		await removeStaleSocket(options.path);
		await listen(server, options.path);
		await chmod(options.path, 0o600);
	} catch (error) {
		server.close();
		throw toProblem(error, 'config_unreadable', {message: `The control socket ${options.path} cannot be created`});
	}

	return {
		async close() {
			const closed = new Promise<void>(resolve => void server.close(() => resolve()));
			const reason = new Problem('cancelled', {message: 'The gateway is stopping'});
			const answered = Promise.all([...connections.values()].map(connection => connection.cancel(reason)));
			await withinDeadline(clock, answered);
			for (const socket of connections.keys()) {
				socket.destroySoon();
			}

			await withinDeadline(clock, closed);
			for (const socket of [...connections.keys(), ...refused]) {
				socket.destroy();
			}

			await closed;
		},
	};
}

/**
Says why before it hangs up. The other side may be about to write its request, and would lose the reason with a connection
that is closed under it: what it writes is read and thrown away until it hangs up, too.
*/
function refuseConnection(socket: Socket, clock: Clock, refused: Set<Socket>): void {
	const message = `${maximumConnections} windows and commands are already connected to the gateway`;
	const timer = clock.after(refusalMilliseconds, () => socket.destroy());
	const [oldest] = refused;
	if (oldest && refused.size >= maximumConnections) {
		oldest.destroy();
	}

	refused.add(socket);
	socket.on('error', () => undefined);
	socket.on('close', () => {
		refused.delete(socket);
		timer.cancel();
	});
	socket.resume();
	socket.end(`${JSON.stringify({id: null, error: {code: 'control_busy', message}})}\n`);
}

function report(publish: Publish): (problem: Problem) => void {
	return problem =>
		publish({type: 'log', level: 'error', area: 'control', text: safeText(problem.detail ?? problem.message)});
}

async function removeStaleSocket(path: string): Promise<void> {
	try {
		if (!(await lstat(path)).isSocket()) {
			throw new Problem('config_unreadable', {message: `${path} exists and is not a socket`});
		}

		await rm(path);
	} catch (error) {
		if (systemErrorCode(error) !== 'ENOENT') {
			throw error;
		}
	}
}

/** Listens on a socket of this user alone. */
function listen(server: Server, path: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		// The socket is made within this call. A mode that is set afterwards comes too late: until then others could connect, and windows would refuse it.
		// Others may make folders at the same time: those keep what their owner needs to enter them.
		const mask = process.umask(0o077);
		try {
			server.listen(path, () => {
				server.off('error', reject);
				resolve();
			});
		} finally {
			process.umask(mask);
		}
	});
}

/** Resolves when the work is over or time is up, whichever comes first. */
function withinDeadline(clock: Clock, work: Promise<unknown>): Promise<void> {
	return new Promise(resolve => {
		const timer = clock.after(closeDeadlineMilliseconds, resolve);
		void work.finally(() => {
			timer.cancel();
			resolve();
		});
	});
}
