import {type Socket} from 'node:net';
import {z} from 'zod';
import {type JsonObject, parseJson} from '../util/json-text.ts';
import {type ProblemCode, problemCodes} from '../util/problem-codes.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {controlProtocol, maximumConsoleLineBytes, maximumLineBytes} from './limits.ts';
import {createLineReader} from './line-reader.ts';
import {jsonObject} from './entity-json.ts';

const errorSchema = z.object({code: z.string(), message: z.string(), remedy: z.string().optional()});

/** Without an id: the line itself was not understood, so that it is not known which request it answers. */
const replySchema = z.union([
	z.object({id: z.null(), error: errorSchema}),
	z.object({id: z.int(), error: errorSchema}),
	z.object({id: z.int(), event: jsonObject}),
	z.object({id: z.int(), result: z.unknown()}),
]);

type Request = {
	readonly method: string;
	readonly params: JsonObject;
	readonly profile?: string;
	readonly onNote?: (note: JsonObject) => void;
	/** Aborting it rejects the request, and says so to the gateway. */
	readonly signal?: AbortSignal;
};

/** The requests of one connection that wait for their answer. */
export type OpenRequests = {
	/** Sends a request; resolves with its result, rejects with a Problem. */
	readonly send: (request: Request) => Promise<unknown>;
	/** From now on the lines are those of a console, which are longer. */
	readonly expectConsole: () => void;
	/** Reads no more answers: the connection belongs to the caller now. */
	readonly release: () => void;
};

type Waiting = {
	readonly resolve: (result: unknown) => void;
	readonly reject: (problem: Problem) => void;
	readonly onNote: ((note: JsonObject) => void) | undefined;
};

/** Matches the lines of a connected socket with the requests they answer. When the socket closes, every open request fails. */
export function openRequests(socket: Socket): OpenRequests {
	const waiting = new Map<number, Waiting>();
	let lastId = 0;
	let kind: 'command' | 'console' = 'command';
	/** The reason for the end of the connection. The gateway may send it before the first request. */
	let ending = new Problem('control_failed', {message: 'The running gateway closed the connection'});

	const failAll = (problem: Problem) => {
		for (const request of waiting.values()) {
			request.reject(problem);
		}

		waiting.clear();
	};

	const onReply = (reply: z.output<typeof replySchema>) => {
		if (reply.id === null) {
			ending = refusal(reply.error);
			failAll(ending);
			return;
		}

		settleRequest(waiting, reply);
	};

	const giveUp = (why: string) => {
		const line = kind === 'console' ? 'a line' : 'an answer';
		failAll(new Problem('control_failed', {message: `The running gateway sent ${line} that ${why}`}));
		socket.destroy();
	};

	const reader = createLineReader({
		get maximumBytes() {
			return kind === 'console' ? maximumConsoleLineBytes : maximumLineBytes;
		},
		onLine(line) {
			const reply = replySchema.safeParse(parseJson(line));
			if (reply.success) {
				onReply(reply.data);
			} else {
				giveUp('cannot be read');
			}
		},
		onTooLong: () => giveUp('is too long'),
	});

	socket.on('data', reader.push);
	socket.on('close', () => failAll(ending));

	const write = (request: JsonObject) => {
		lastId++;
		socket.write(`${JSON.stringify({id: lastId, protocol: controlProtocol, ...request})}\n`);
		return lastId;
	};

	return {
		expectConsole() {
			kind = 'console';
		},
		release() {
			socket.off('data', reader.push);
			socket.pause();
		},
		send: ({method, params, profile, onNote, signal}) =>
			new Promise((resolve, reject) => {
				if (!socket.writable) {
					reject(ending);
					return;
				}

				const id = write({method, params, ...(profile !== undefined && {profile})});
				const onAbort = () => {
					if (waiting.delete(id) && socket.writable) {
						write({method: 'request.cancel', params: {request: id}});
						reject(toProblem(signal?.reason, 'cancelled'));
					}
				};

				waiting.set(id, untilAbort({resolve, reject, onNote}, {signal, onAbort}));
			}),
	};
}

/** Hands a note or the end of a request to its caller. */
function settleRequest(
	waiting: Map<number, Waiting>,
	reply: Exclude<z.output<typeof replySchema>, {readonly id: null}>,
): void {
	const request = waiting.get(reply.id);
	if ('event' in reply) {
		request?.onNote?.(reply.event);
		return;
	}

	waiting.delete(reply.id);
	if ('error' in reply) {
		request?.reject(refusal(reply.error));
	} else {
		request?.resolve(reply.result);
	}
}

/** The same, no longer called by an abort once it has settled. */
function untilAbort(
	{resolve, reject, onNote}: Waiting,
	{signal, onAbort}: {readonly signal: AbortSignal | undefined; readonly onAbort: () => void},
): Waiting {
	signal?.addEventListener('abort', onAbort, {once: true});
	const settle = () => signal?.removeEventListener('abort', onAbort);
	return {
		onNote,
		resolve(result) {
			settle();
			resolve(result);
		},
		reject(problem) {
			settle();
			reject(problem);
		},
	};
}

function refusal({code, message, remedy}: z.output<typeof errorSchema>): Problem {
	return new Problem(isProblemCode(code) ? code : 'control_failed', {message, ...(remedy !== undefined && {remedy})});
}

function isProblemCode(code: string): code is ProblemCode {
	return Object.hasOwn(problemCodes, code);
}

/** Another version of the program may be running: its answer is parsed like anything from outside. Throws `control_failed`. */
export function parseResult<Result>(schema: z.ZodType<Result>, answer: unknown): Result {
	const parsed = schema.safeParse(answer);
	if (!parsed.success) {
		throw new Problem('control_failed', {
			message: 'The running gateway sent an answer that cannot be read',
			cause: parsed.error,
		});
	}

	return parsed.data;
}
