import {type Duplex} from 'node:stream';
import {type MethodName, type NoteOf, type ParamsOf, type ResultOf} from '../state/api.ts';
import {Problem} from '../util/problem.ts';
import {type MethodDescriptions} from './method-description.ts';
import {approvalMethods, serverMethods} from './tool-methods.ts';
import {eventMethods, gatewayMethods, runMethods} from './work-methods.ts';

/** Every method of a gateway (docs/configuration.md, State directory): the schemas of its parameters, result and notes, and what its caller needs to be. */
export const methods: MethodDescriptions = {
	...gatewayMethods,
	...serverMethods,
	...approvalMethods,
	...runMethods,
	...eventMethods,
};

/** Methods that work across protocol numbers: they look, or put an end to things. */
export const methodsOfAnyProtocol: ReadonlySet<MethodName> = new Set([
	'status',
	'stop',
	'hold',
	'approvals.list',
	'approvals.deny',
]);

/** A call as its handler gets it. */
export type HandlerCall<Name extends MethodName = MethodName> = {
	/** Aborts when the caller goes away or aborts the call, or the gateway stops. */
	readonly signal: AbortSignal;
	/** Sends a note ahead of the result. */
	readonly note: (note: NoteOf<Name>) => void;
	/** Sends a note that is JSON already. */
	readonly noteText: (json: string) => void;
	/** Sends the result and hands over the connection, which ends with the handler. Only `mcp.serve` does. */
	readonly takeOver: () => Duplex;
};

/** The methods that a console, or its connection, itself has. */
export type ConnectionMethod = 'console.open' | 'console.here' | 'console.key' | 'request.cancel';

export type HandledMethod = Exclude<MethodName, ConnectionMethod>;

/** The work behind each method. A handler rejects with a Problem; its code and public text reach the caller. */
export type GatewayHandlers = {
	readonly [Name in HandledMethod]: (
		params: ParamsOf<Name>,
		call: HandlerCall<Name>,
	) => Promise<ResultOf<Name>> | ResultOf<Name>;
};

/** Calls the handler of a method. Rejects with `bad_usage` for one that the connection of a console itself has. */
export async function callHandler<Name extends MethodName>(
	handlers: Partial<GatewayHandlers>,
	method: Name,
	params: ParamsOf<Name>,
	call: HandlerCall<Name>,
): Promise<ResultOf<Name>> {
	if (!Object.hasOwn(handlers, method)) {
		throw new Problem('bad_usage', {message: 'Only a window can do that'});
	}

	// The handler and its parameters have the same name, which the checker cannot follow through the table.
	const handler = (handlers as Readonly<Record<string, unknown>>)[method] as (
		params: ParamsOf<Name>,
		call: HandlerCall<Name>,
	) => ResultOf<Name> | Promise<ResultOf<Name>>;
	return handler(params, call);
}
