import {z} from 'zod';
import {type MethodName, type ParamsOf} from '../state/api.ts';
import {problemCodes} from '../util/problem-codes.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {controlProtocol} from './limits.ts';
import {methods, methodsOfAnyProtocol} from './methods.ts';

const requestSchema = z.object({
	id: z.union([z.string().max(100), z.number()]),
	method: z.string(),
	params: z.unknown().optional(),
	protocol: z.int().optional(),
	/** The profile that is asked; without one the first of the gateway. */
	profile: z.string().max(100).optional(),
});

/** One line from a caller, as far as it was understood. */
export type ControlRequest = z.output<typeof requestSchema>;

/** The reply to a request, apart from its id. */
export type ControlReply =
	| {readonly result: unknown}
	| {
			readonly error: {readonly code: string; readonly message: string; readonly remedy?: string};
			readonly problem: Problem;
	  };

/** A method that is called, with its parameters. */
export type AskedMethod = {
	readonly [Name in MethodName]: {readonly name: Name; readonly params: ParamsOf<Name>};
}[MethodName];

/** The request in the value of a line; undefined when it is none. */
export function parseRequest(value: unknown): ControlRequest | undefined {
	const parsed = requestSchema.safeParse(value);
	return parsed.success ? parsed.data : undefined;
}

/** The method of a request. Throws `gateway_version` for another protocol, `bad_usage` for a method or parameters that are unknown. */
export function readMethod({method, params, protocol}: ControlRequest): AskedMethod {
	if (!isMethod(method)) {
		throw new Problem('bad_usage', {message: 'The running gateway does not know this method'});
	}

	if (protocol !== controlProtocol && !methodsOfAnyProtocol.has(method)) {
		const asked = protocol === undefined ? 'none' : `${protocol}`;
		throw new Problem('gateway_version', {
			message: `The running gateway uses protocol ${controlProtocol}, this command ${asked}; their versions differ`,
		});
	}

	const parsed = methods[method].params.safeParse(params ?? {});
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		throw new Problem('bad_usage', {message: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`});
	}

	// The schema and the method have the same name, which the checker cannot follow through the table.
	return {name: method, params: parsed.data} as AskedMethod;
}

function isMethod(name: string): name is MethodName {
	return Object.hasOwn(methods, name);
}

/** The reply of a method that has failed. */
export function errorReply(caught: unknown): Extract<ControlReply, {error: unknown}> {
	const problem = toProblem(caught);
	const {code, message, remedy} = problem;
	// The caller has the table of remedies too.
	return {error: {code, message, ...(remedy !== problemCodes[code].remedy && {remedy})}, problem};
}

/** The line of a reply. One that the caller would refuse to read becomes an error. `id` is JSON. */
export function replyLine(id: string, reply: ControlReply, maximumBytes: number): string {
	const body = 'error' in reply ? {error: reply.error} : {result: reply.result};
	const line = `{"id":${id},${JSON.stringify(body).slice(1)}`;
	if (Buffer.byteLength(line) <= maximumBytes) {
		return line;
	}

	return `{"id":${id},"error":${JSON.stringify({code: 'control_failed', message: 'The answer is too large'})}}`;
}

/** The line of a note. */
export function noteLine(id: string, note: string): string {
	return `{"id":${id},"event":${note}}`;
}
