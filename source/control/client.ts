import {lstat} from 'node:fs/promises';
import {createConnection, type Socket} from 'node:net';
import {type Duplex} from 'node:stream';
import {type CallGateway, type GatewayClient} from '../state/api.ts';
import {type ConsoleOptions} from '../state/console-message.ts';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, systemErrorCode, toProblem} from '../util/problem.ts';
import {answerDeadlineMilliseconds} from './limits.ts';
import {type ConsoleClient} from './console-client.ts';

/** The client of one command, which subscribes to nothing. */
export type CommandClient = Pick<GatewayClient, 'call'> & {
	/** Turns the client into one of a tool server with all tools of the gateway; rejects as `call` does. */
	readonly serve: (options: {readonly signal: AbortSignal; readonly client?: string | undefined}) => Promise<Duplex>;
};

/**
A connection to the running gateway. A call rejects with the gateway's Problem, or `control_failed` when it does not answer or answers what nobody
understands. Aborting one ends the connection, which cancels every call on it.
*/
export type ControlClient = CommandClient & {
	/** Makes this client a console. From then on the connection is that of the console. */
	readonly openConsole: (options: ConsoleOptions) => Promise<ConsoleClient>;
	readonly close: () => void;
};

/** Connects to the gateway that listens at `path`. Undefined: none is running. Rejects with `control_failed` for any other reason. */
export async function connectControl(options: {
	readonly path: string;
	readonly clock: Clock;
	/** The profile that is asked, when the gateway serves several. */
	readonly profile?: string;
}): Promise<ControlClient | undefined> {
	await checkSocket(options.path);
	const socket = await connect(options.path);
	if (!socket) {
		return undefined;
	}

	// Only now: a dashboard that finds no gateway draws before any schema is loaded.
	const [{openRequests, parseResult}, {methods}] = await Promise.all([
		import('./open-requests.ts'),
		import('./methods.ts'),
	]);
	const requests = openRequests(socket);
	const {clock, profile: own} = options;
	const call: CallGateway = async (method, params, {signal, onNote, profile = own} = {}) => {
		const {result, deadline: wait} = methods[method];
		const reason = () => new Problem('control_failed', {message: 'The running gateway did not answer in time'});
		const deadline =
			wait === 'none' ? undefined : openDeadline(clock, answerDeadlineMilliseconds, {...(signal && {signal}), reason});
		const ending = deadline?.signal ?? signal;
		const note = onNote && ((value: JsonObject) => onNote(value));
		try {
			const answer = requests.send({
				method,
				params,
				...(profile !== undefined && {profile}),
				...(note && {onNote: note}),
			});
			return parseResult(result, ending ? await untilAborted(answer, ending) : await answer);
		} catch (error) {
			if (ending?.aborted) {
				socket.destroy();
			}

			throw toProblem(error, 'cancelled');
		} finally {
			deadline?.cancel();
		}
	};

	return {
		call,
		async serve({client, ...callOptions}) {
			await call('mcp.serve', {...(client !== undefined && {client})}, callOptions);
			requests.release();
			return socket;
		},
		async openConsole(consoleOptions) {
			// A command has no use for it.
			const {openConsoleClient} = await import('./console-client.ts');
			return openConsoleClient({requests, socket, clock, profile: own, ...consoleOptions});
		},
		close: () => socket.destroy(),
	};
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
