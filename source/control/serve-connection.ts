import {type Socket} from 'node:net';
import {type MethodName, type ParamsOf} from '../state/api.ts';
import {type Clock} from '../util/clock.ts';
import {createInFlight, type InFlight} from '../util/in-flight.ts';
import {lossInJson, parseJson} from '../util/json-text.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {Problem} from '../util/problem.ts';
import {
	maximumLineBytes,
	maximumOpenRequests,
	maximumWaitingBytes,
	maximumWaitingEventBytes,
	silenceMilliseconds,
} from './limits.ts';
import {createLineReader} from './line-reader.ts';
import {callHandler, type GatewayHandlers, type HandlerCall, methods} from './methods.ts';
import {
	type ControlReply,
	type ControlRequest,
	errorReply,
	noteLine,
	parseRequest,
	readMethod,
	replyLine,
} from './request.ts';
import {type ConsoleParts, serveConsole, type ServedConsole} from './serve-console.ts';

/** One caller of the control socket. */
export type ServedConnection = {
	/** Cancels the calls of this caller; resolves when each was answered. */
	readonly cancel: (reason: Problem) => Promise<void>;
};

/** The work behind the connections of a gateway. */
export type ServedGateway = {
	/** The handlers for a command and the profile it names. Throws `unknown_profile`. */
	readonly handlersOf: (profile: string | undefined) => GatewayHandlers;
	readonly consoles: ConsoleParts;
};

/**
Answers the requests of one caller, several at a time. One that never sends a request is let go. When the caller goes away its calls are cancelled.
A caller is a command until it opens a console; from then on its requests are those of that console.
*/
export function serveConnection(
	socket: Socket,
	options: ServedGateway & {readonly clock: Clock; readonly onProblem: (problem: Problem) => void},
): ServedConnection {
	const controller = new AbortController();
	const open = createInFlight();
	const speak = awaitRequest(socket, options.clock);
	let console: ServedConsole | undefined;

	const write = createWriter(socket);
	const refuse = (id: ControlRequest['id'] | null, message: string, code: ProblemCode = 'bad_usage') =>
		write(JSON.stringify({id, error: {code, message}}), maximumWaitingBytes);

	const openConsole = async (request: ControlRequest, params: ParamsOf<'console.open'>) => {
		const {clock, consoles} = options;
		const {profile, id} = request;
		console = serveConsole(socket, {...consoles, ...params, id, profile, clock, signal: controller.signal});
		await console.over;
		socket.off('data', reader.push);
		socket.destroySoon();
	};

	const answer = async (request: ControlRequest) => {
		const id = JSON.stringify(request.id);
		let isTakenOver = false;
		const reply = await replyTo(request, options, {
			...notesOf(id, write),
			signal: controller.signal,
			takeOver() {
				isTakenOver = true;
				socket.off('data', reader.push);
				write(replyLine(id, {result: {}}, maximumLineBytes), maximumWaitingBytes);
				return socket;
			},
			openConsole: params => openConsole(request, params),
		});
		if (reply === 'console') {
			return;
		}

		if ('problem' in reply && reply.problem.code === 'internal') {
			options.onProblem(reply.problem);
		}

		if (isTakenOver) {
			socket.destroySoon();
		} else {
			write(replyLine(id, reply, maximumLineBytes), maximumWaitingBytes);
		}
	};

	const take = createTake(open, {answer, refuse, onRequest: speak});
	const reader = createLineReader({
		maximumBytes: maximumLineBytes,
		onLine: line => (console ? console.onLine(line) : take(line)),
		onTooLong() {
			if (console) {
				console.onTooLong();
				return;
			}

			refuse(null, 'The line is too long');
			socket.destroySoon();
		},
	});

	socket.on('data', reader.push);
	// A close follows every error.
	socket.on('error', () => undefined);
	socket.on('close', () => controller.abort(new Problem('cancelled', {message: 'The caller disconnected'})));
	return {
		async cancel(reason) {
			controller.abort(reason);
			await open.whenSettled();
		},
	};
}

/** Reads the lines of a command, and begins what they ask for. */
function createTake(
	open: InFlight,
	{
		answer,
		refuse,
		onRequest,
	}: {
		readonly answer: (request: ControlRequest) => Promise<void>;
		readonly refuse: (id: ControlRequest['id'] | null, message: string, code?: ProblemCode) => void;
		readonly onRequest: () => void;
	},
): (line: string) => void {
	return line => {
		const request = parseRequest(parseJson(line));
		const loss = request && lossInJson(line);
		if (!request) {
			refuse(null, 'The line is not a request');
			return;
		}

		onRequest();
		if (loss !== undefined) {
			refuse(request.id, loss, 'invalid_arguments');
		} else if (open.count() >= maximumOpenRequests) {
			refuse(request.id, 'Too many requests are open on this connection');
		} else {
			void open.track(answer(request));
		}
	};
}

type Write = (line: string, waitingBytes: number) => void;

/** Sends the notes of a request. */
function notesOf(id: string, write: Write): Pick<HandlerCall, 'note' | 'noteText'> {
	const noteText = (note: string) => write(noteLine(id, note), maximumWaitingEventBytes);
	return {noteText, note: note => noteText(JSON.stringify(note))};
}

/** Writes lines, and ends a connection on which more than these bytes wait. */
function createWriter(socket: Socket): Write {
	return (line, waitingBytes) => {
		if (socket.writableLength > waitingBytes) {
			socket.destroy();
		} else if (socket.writable) {
			socket.write(`${line}\n`);
		}
	};
}

/** Ends a connection on which nothing is asked in time. Call the returned function with a request. */
function awaitRequest(socket: Socket, clock: Clock): () => void {
	const silence = clock.after(silenceMilliseconds, () => socket.destroy());
	socket.on('close', () => silence.cancel());
	return () => silence.cancel();
}

/** Runs the handler of a request. Never rejects. `console`: the connection was that of a console, and is over. */
async function replyTo(
	request: ControlRequest,
	{handlersOf}: Pick<ServedGateway, 'handlersOf'>,
	call: HandlerCall & {readonly openConsole: (params: ParamsOf<'console.open'>) => Promise<void>},
): Promise<ControlReply | 'console'> {
	try {
		const {name, params} = readMethod(request);
		if (name === 'console.open') {
			await call.openConsole(params);
			return 'console';
		}

		if (methods[name].caller === 'console') {
			throw new Problem('bad_usage', {message: 'Only a window can do that'});
		}

		const handlers = handlersOf(request.profile);
		return {result: await callHandler<MethodName>(handlers, name, params, call)};
	} catch (error) {
		return errorReply(error);
	}
}
