import {type Duplex, duplexPair} from 'node:stream';
import {type CallGateway, type MethodName, type NoteOf, type ParamsOf} from '../state/api.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type CommandClient} from './client.ts';
import {callHandler, type GatewayHandlers, type HandlerCall} from './methods.ts';

/** Finds the handlers of one call. Rejects for a method that this process does not have. */
type FindHandlers = (
	method: MethodName,
	params: ParamsOf<MethodName>,
	profile: string | undefined,
) => Partial<GatewayHandlers> | Promise<Partial<GatewayHandlers>>;

type InMemoryOptions = {
	readonly handlersOf: FindHandlers;
	/** Ends calls that have no signal of their own. */
	readonly signal: AbortSignal;
};

/** Calls the handlers of this process. */
export function createInMemoryCall(
	{handlersOf, signal: ending}: InMemoryOptions,
	takeOver: HandlerCall['takeOver'] = refuseTakeOver,
): CallGateway {
	return async (method, params, {signal = ending, onNote, profile} = {}) => {
		const note = (value: NoteOf<typeof method>) => onNote?.(value);
		const found = handlersOf(method, params, profile);
		// A handler that is there begins at once: the next call of its caller meets its effect.
		const handlers = found instanceof Promise ? await found : found;
		return callHandler(handlers, method, params, {
			signal,
			note,
			noteText: text => note(JSON.parse(text) as NoteOf<typeof method>),
			takeOver,
		});
	};
}

function refuseTakeOver(): never {
	throw new Problem('bad_usage', {message: 'A window cannot hand over its connection'});
}

/** A client of a command for the handlers of its own process. */
export function createInMemoryClient(options: InMemoryOptions): CommandClient {
	return {
		call: createInMemoryCall(options),
		serve: ({client: name, ...callOptions}) =>
			new Promise<Duplex>((resolve, reject) => {
				const [served, client] = duplexPair();
				const call = createInMemoryCall(options, () => {
					resolve(client);
					return served;
				});
				void call('mcp.serve', {...(name !== undefined && {client: name})}, callOptions)
					.catch((caught: unknown) => reject(toProblem(caught)))
					.finally(() => served.end());
			}),
	};
}
