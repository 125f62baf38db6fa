import {lstat} from 'node:fs/promises';
import {createConnection, type Socket} from 'node:net';
import {type Duplex} from 'node:stream';
import {type z} from 'zod';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, systemErrorCode, toProblem} from '../util/problem.ts';
import {answerDeadlineMilliseconds} from './limits.ts';
import {type ControlMethod, type ControlParams, type ControlResult} from './methods.ts';

/** A line to the running gateway. */
export type ControlClient = {
	/**
	Asks for one method. Rejects with the gateway's Problem, or `control_failed` when it does not answer or answers what nobody understands.
	Aborting ends the connection, which cancels every call on it.
	*/
	readonly call: <Method extends ControlMethod>(
		method: Method,
		params: ControlParams<Method>,
		options: {
			readonly signal: AbortSignal;
			/** Takes the events that come before the answer. */
			readonly onEvent?: (event: JsonObject) => void;
		},
	) => Promise<ControlResult<Method>>;
	/** Hands out every later event (docs/cli.md, Log lines) until the gateway stops; rejects as `call` does. */
	readonly follow: (onEvent: (event: JsonObject) => void, options: {readonly signal: AbortSignal}) => Promise<void>;
	/** Turns the connection into one to a tool server with all tools of the gateway; rejects as `call` does. */
	readonly serve: (options: {readonly signal: AbortSignal}) => Promise<Duplex>;
	/** Turns the connection into that of a console, for `createConsoleClient`; rejects as `call` does, and then the connection is closed. */
	readonly openConsole: (options: {readonly signal: AbortSignal}) => Promise<Duplex>;
	readonly close: () => void;
};

/** Methods that wait for people, for deliveries or for the end; the others are held to a deadline. */
const patientMethods: ReadonlySet<ControlMethod> = new Set([
	'mcp.call',
	'mcp.install',
	'mcp.login',
	'mcp.logout',
	'uncertain.repeat',
	'runs.answer',
	'events.replay',
	'events.follow',
]);

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
	const [{openRequests}, {controlMethods}] = await Promise.all([import('./open-requests.ts'), import('./methods.ts')]);
	const requests = openRequests(socket);
	const send = async <Method extends ControlMethod>(
		request: {method: Method; params: ControlParams<Method>; onEvent?: (event: JsonObject) => void},
		signal: AbortSignal,
	): Promise<ControlResult<Method>> => {
		try {
			const answer = await untilAborted(requests.send({...request, profile: options.profile}), signal);
			return parseResult<Method>(controlMethods[request.method].result, answer);
		} catch (error) {
			if (signal.aborted) {
				socket.destroy();
			}

			throw toProblem(error, 'cancelled');
		}
	};

	const call: ControlClient['call'] = async (method, params, {signal, onEvent}) => {
		if (patientMethods.has(method)) {
			return send({method, params, ...(onEvent && {onEvent})}, signal);
		}

		const reason = () => new Problem('control_failed', {message: 'The running gateway did not answer in time'});
		const deadline = openDeadline(options.clock, answerDeadlineMilliseconds, {signal, reason});
		return send({method, params}, deadline.signal).finally(deadline.cancel);
	};

	return {
		call,
		async serve(callOptions) {
			await call('mcp.serve', {}, callOptions);
			requests.release();
			return socket;
		},
		async openConsole(callOptions) {
			try {
				await call('console.open', {}, callOptions);
			} catch (error) {
				socket.destroy();
				throw error;
			}

			requests.release();
			return socket;
		},
		async follow(onEvent, {signal}) {
			await send({method: 'events.follow', params: {}, onEvent}, signal);
		},
		close: () => socket.destroy(),
	};
}

/** Whoever made the socket could answer in the name of the gateway. Rejects with `control_socket_unsafe`. */
async function checkSocket(path: string): Promise<void> {
	if (!(await isSafe(path))) {
		throw new Problem('control_socket_unsafe', {
			message: `The control socket ${path} belongs to another user, or others may use it`,
		});
	}
}

/** What is no socket is left to the attempt to connect. */
async function isSafe(path: string): Promise<boolean> {
	const found = await lstat(path).catch(() => undefined);
	const user = process.getuid?.();
	return !found?.isSocket() || user === undefined || (found.uid === user && (found.mode & 0o077) === 0);
}

function connect(path: string): Promise<Socket | undefined> {
	return new Promise((resolve, reject) => {
		const socket = createConnection(path);
		// Once it is connected nothing is left to settle: whoever uses it learns of an error by its close.
		socket.on('error', (error: Error) => {
			const code = systemErrorCode(error);
			// Without a folder nobody listens in it either; why there is none is reported by whoever needs it.
			if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') {
				resolve(undefined);
			} else {
				reject(toProblem(error, 'control_failed', {message: 'The control socket cannot be opened'}));
			}
		});
		socket.once('connect', () => resolve(socket));
	});
}

/** Another version of the program may be running: what it answers is parsed like anything from outside. */
function parseResult<Method extends ControlMethod>(schema: z.ZodType, answer: unknown): ControlResult<Method> {
	const parsed = schema.safeParse(answer);
	if (!parsed.success) {
		throw new Problem('control_failed', {
			message: 'The running gateway sent an answer that cannot be read',
			cause: parsed.error,
		});
	}

	return parsed.data as ControlResult<Method>;
}
