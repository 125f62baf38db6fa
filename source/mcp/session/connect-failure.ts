import {
	ProtocolError,
	SdkError,
	SdkErrorCode,
	SdkHttpError,
	SseError,
	UnauthorizedError,
} from '@modelcontextprotocol/client';
import {networkReason} from '../../net/network-failure.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {maskTokens} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ConnectFailure} from './connection-state.ts';

/** Problems that a retry cannot fix (docs/connections.md, States). */
const permanentCodes: ReadonlySet<ProblemCode> = new Set([
	'command_not_found',
	'config_invalid',
	'file_missing',
	'not_an_mcp_server',
	'server_unauthorized',
]);

/** Problems that a login fixes. */
const loginCodes: ReadonlySet<ProblemCode> = new Set(['login_required', 'wider_login_required']);

/** Statuses of servers that do not support the transport. */
const otherTransportStatuses = new Set([400, 404, 405, 406]);

/** Classifies the error of a connect attempt, with a plain reason; what it quotes of a server is safe to show. */
export function connectFailure(error: unknown): ConnectFailure {
	const problem = connectProblem(error);
	if (loginCodes.has(problem.code)) {
		return {kind: 'login', problem};
	}

	return {kind: permanentCodes.has(problem.code) ? 'permanent' : 'transient', problem};
}

/** The HTTP status inside an error of the SDK. */
export function httpStatusOf(error: unknown): number | undefined {
	if (error instanceof UnauthorizedError) {
		return 401;
	}

	return error instanceof SdkHttpError ? error.status : error instanceof SseError ? error.code : undefined;
}

/** True if the response to Streamable HTTP suggests an older server that speaks SSE (docs/connections.md, States). */
export function suggestsSse(error: unknown): boolean {
	return otherTransportStatuses.has(httpStatusOf(error) ?? 0);
}

/** The first Problem in a chain of causes. */
export function problemInside(error: unknown): Problem | undefined {
	let inner = error;
	for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
		if (inner instanceof Problem) {
			return inner;
		}

		inner = inner.cause;
	}

	return undefined;
}

function connectProblem(error: unknown): Problem {
	const inner = problemInside(error);
	if (inner) {
		// On the way, a request fails so only when its answer is too large or malformed.
		return inner.code === 'call_failed' ? new Problem('invalid_answer', {message: inner.message, cause: inner}) : inner;
	}

	const detail = errorText(error);
	const status = httpStatusOf(error);
	if (status === 401 || status === 403) {
		return new Problem('server_unauthorized', {
			message: `The server answered ${status}: it needs a login or other credentials`,
			detail,
			cause: error,
		});
	}

	if (status !== undefined) {
		return new Problem('connect_failed', {message: `The server answered ${status}`, detail, cause: error});
	}

	const fault = protocolFault(error);
	if (fault !== undefined && networkReason(error) === undefined) {
		return new Problem('invalid_answer', {message: fault, detail, cause: error});
	}

	if (isUnexpectedContent(error)) {
		return new Problem('not_an_mcp_server', {
			message: 'The server does not speak MCP',
			detail,
			cause: error,
		});
	}

	const words = networkReason(error);
	return words === undefined
		? new Problem('connect_failed', {message: `The handshake failed: ${shown(detail)}`, detail, cause: error})
		: new Problem('connect_failed', {message: `The server cannot be reached: ${words}`, detail, cause: error});
}

/** An answer of a server that the protocol does not allow, in words; undefined for any other error. */
function protocolFault(error: unknown): string | undefined {
	const text = error instanceof Error ? error.message : '';
	const revision = /^Server's protocol version is not supported: (.*)$/su.exec(text)?.[1];
	if (revision !== undefined) {
		return `The server uses the revision "${shown(revision)}" of the protocol, which Sluice does not support`;
	}

	if (error instanceof ProtocolError) {
		return `The server refused the handshake: ${shown(text)}`;
	}

	// A probe that got a page, for example, wraps what is wrong with it.
	if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed && !isUnexpectedContent(error)) {
		return `The handshake failed: ${shown(text)}`;
	}

	if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) {
		return undefined;
	}

	const [, method = 'a request', why = ''] = /^Invalid result for ([\w/]+): (.*)$/su.exec(text) ?? [];
	const member = /"path":\s*\[\s*"([\w.-]+)"/u.exec(why)?.[1] ?? /^([\w.]+):/u.exec(why)?.[1];
	return member === undefined
		? `Its answer to ${method} is not valid`
		: `Its answer to ${method} is not valid: \`${member}\` is missing or of the wrong type`;
}

/** Words of a server or of a library, which may quote one. */
function shown(text: string): string {
	return safeText(maskTokens(text), {maximumCharacters: 100});
}

/** A successful response whose content type or body is not MCP. */
function isUnexpectedContent(error: unknown): boolean {
	let inner = error;
	for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
		if (
			(inner instanceof SdkError && inner.code === SdkErrorCode.ClientHttpUnexpectedContent) ||
			inner.name === 'SyntaxError' ||
			inner.name === 'ZodError'
		) {
			return true;
		}

		inner = inner.cause;
	}

	return false;
}
