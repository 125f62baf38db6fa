import {z} from 'zod';
import {parseJson} from '../util/json-text.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {
	type ControlCall,
	type ControlHandlers,
	type ControlMethod,
	type HandlersOf,
	controlMethods,
} from './methods.ts';

const requestSchema = z.object({
	id: z.union([z.string().max(100), z.number()]),
	method: z.string(),
	params: z.unknown().optional(),
	/** The profile that is asked; without one the first of the gateway. */
	profile: z.string().max(100).optional(),
});

/** One line from a caller, as far as it was understood. */
export type ControlRequest = z.output<typeof requestSchema>;

/** What a line is answered with, apart from its id. */
export type ControlAnswer =
	| {readonly result: unknown}
	| {readonly error: {readonly code: string; readonly message: string}; readonly problem: Problem};

/** The request in a line; undefined when the line is none. */
export function parseRequest(line: string): ControlRequest | undefined {
	const parsed = requestSchema.safeParse(parseJson(line));
	return parsed.success ? parsed.data : undefined;
}

/** Runs the handler of a request. Never rejects. */
export async function answerRequest(
	request: ControlRequest,
	handlersOf: HandlersOf,
	call: ControlCall,
): Promise<ControlAnswer> {
	try {
		if (!isMethod(request.method)) {
			throw new Problem('bad_usage', {message: 'The running gateway does not know this method'});
		}

		const handlers = handlersOf(request.profile);
		return {result: await runMethod(request.method, {params: request.params ?? {}, handlers, call})};
	} catch (error) {
		const problem = toProblem(error);
		return {error: {code: problem.code, message: problem.message}, problem};
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
