import {type Duplex} from 'node:stream';
import {type CallGateway} from '../state/api.ts';
import {type GatewayClient} from '../state/gateway-call.ts';
import {type ConsoleOptions} from '../state/console-message.ts';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {connectSocket} from './connect-socket.ts';
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
	const socket = await connectSocket(options.path);
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
