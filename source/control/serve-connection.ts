import {type Socket} from 'node:net';
import {z} from 'zod';
import {type Clock} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {lossInJson, parseJson} from '../util/json-text.ts';
import {type ProblemCode, problemCodes} from '../util/problem-codes.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {
	maximumLineBytes,
	maximumOpenRequests,
	maximumWaitingBytes,
	maximumWaitingEventBytes,
	silenceMilliseconds,
} from './limits.ts';
import {createLineReader} from './line-reader.ts';
import {
	type ControlCall,
	type ControlHandlers,
	type ControlMethod,
	controlMethods,
	controlProtocol,
	methodsOfAnyProtocol,
	type HandlersOf,
} from './methods.ts';

/** One caller of the control socket. */
export type ServedConnection = {
	/** Cancels the calls of this caller; resolves when each was answered. */
	readonly cancel: (reason: Problem) => Promise<void>;
};

const requestSchema = z.object({
	id: z.union([z.string().max(100), z.number()]),
	method: z.string(),
	params: z.unknown().optional(),
	protocol: z.int().optional(),
	/** The profile that is asked; without one the first of the gateway. */
	profile: z.string().max(100).optional(),
});

/** One line from a caller, as far as it was understood. */
type ControlRequest = z.output<typeof requestSchema>;

/** What a line is answered with, apart from its id. */
type ControlAnswer =
	| {readonly result: unknown}
	| {
			readonly error: {readonly code: string; readonly message: string; readonly remedy?: string};
			readonly problem: Problem;
	  };

/** Answers the requests of one caller, several at a time. One that never sends a request is let go. When the caller goes away its calls are cancelled. */
export function serveConnection(
	socket: Socket,
	options: {
		readonly clock: Clock;
		readonly handlersOf: HandlersOf;
		readonly onProblem: (problem: Problem) => void;
	},
): ServedConnection {
	const controller = new AbortController();
	const open = createInFlight();
	const speak = awaitRequest(socket, options.clock);

	const write = createWriter(socket);
	const refuse = (id: ControlRequest['id'] | null, message: string, code: ProblemCode = 'bad_usage') =>
		write(JSON.stringify({id, error: {code, message}}), maximumWaitingBytes);

	const answer = async (request: ControlRequest) => {
		const id = JSON.stringify(request.id);
		let isTakenOver = false;
		const answered = await answerRequest(request, options.handlersOf, {
			signal: controller.signal,
			sendEvent: json => write(`{"id":${id},"event":${json}}`, maximumWaitingEventBytes),
			takeOver() {
				isTakenOver = true;
				socket.off('data', reader.push);
				write(answerLine(id, {result: {}}), maximumWaitingBytes);
				return socket;
			},
		});
		if ('problem' in answered && answered.problem.code === 'internal') {
			options.onProblem(answered.problem);
		}

		if (isTakenOver) {
			socket.destroySoon();
		} else {
			write(answerLine(id, answered), maximumWaitingBytes);
		}
	};

	const reader = createLineReader({
		maximumBytes: maximumLineBytes,
		onLine(line) {
			const request = parseRequest(line);
			const loss = request && lossInJson(line);
			if (!request) {
				refuse(null, 'The line is not a request');
				return;
			}

			speak();
			if (loss !== undefined) {
				refuse(request.id, loss, 'invalid_arguments');
			} else if (open.count() >= maximumOpenRequests) {
				refuse(request.id, 'Too many requests are open on this connection');
			} else {
				void open.track(answer(request));
			}
		},
		onTooLong() {
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

/** Writes lines, and ends a connection on which more than these bytes wait. */
function createWriter(socket: Socket): (line: string, waitingBytes: number) => void {
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

/** The line of an answer. One that the caller would refuse to read becomes an error. `id` is JSON. */
function answerLine(id: string, answer: ControlAnswer): string {
	const body = 'error' in answer ? {error: answer.error} : {result: answer.result};
	const line = `{"id":${id},${JSON.stringify(body).slice(1)}`;
	if (Buffer.byteLength(line) <= maximumLineBytes) {
		return line;
	}

	return `{"id":${id},"error":${JSON.stringify({code: 'control_failed', message: 'The answer is too large'})}}`;
}

/** The request in a line; undefined when the line is none. */
function parseRequest(line: string): ControlRequest | undefined {
	const parsed = requestSchema.safeParse(parseJson(line));
	return parsed.success ? parsed.data : undefined;
}

/** Runs the handler of a request. Never rejects. */
async function answerRequest(
	request: ControlRequest,
	handlersOf: HandlersOf,
	call: ControlCall,
): Promise<ControlAnswer> {
	try {
		if (!isMethod(request.method)) {
			throw new Problem('bad_usage', {message: 'The running gateway does not know this method'});
		}

		if (request.protocol !== controlProtocol && !methodsOfAnyProtocol.has(request.method)) {
			const asked = request.protocol === undefined ? 'none' : `${request.protocol}`;
			throw new Problem('gateway_version', {
				message: `The running gateway speaks protocol ${controlProtocol}, this command ${asked}: they are of different versions`,
			});
		}

		const handlers = handlersOf(request.profile);
		return {result: await runMethod(request.method, {params: request.params ?? {}, handlers, call})};
	} catch (error) {
		const problem = toProblem(error);
		const {code, message, remedy} = problem;
		// The caller has the table of remedies too.
		return {error: {code, message, ...(remedy !== problemCodes[code].remedy && {remedy})}, problem};
	}
}

function isMethod(name: string): name is ControlMethod {
	return Object.hasOwn(controlMethods, name);
}

async function runMethod(
	method: ControlMethod,
	request: {params: unknown; handlers: ControlHandlers; call: ControlCall},
): Promise<unknown> {
	const parsed = controlMethods[method].params.safeParse(request.params);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		throw new Problem('bad_usage', {message: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`});
	}

	// The parser and the handler stand under the same name, which the checker cannot follow through the table.
	const handler = request.handlers[method] as (params: unknown, call: ControlCall) => unknown;
	return handler(parsed.data, request.call);
}
