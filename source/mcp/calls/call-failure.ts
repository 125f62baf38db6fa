import {ProtocolError, SdkError, SdkErrorCode, SdkHttpError} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {networkCodeOf} from '../../net/network-failure.ts';
import {parseJson} from '../../util/json-text.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {httpStatusOf, problemInside} from '../session/connect-failure.ts';
import {streamLost} from '../transport/stream-guard.ts';

/** The reason that a sent call failed. */
export type CallFailure =
	/** The server no longer knows the session. */
	| {readonly kind: 'expired'}
	/** The connection closed before the response; the call may have taken effect. */
	| {readonly kind: 'lost'; readonly problem: Problem}
	/** The call was never sent. */
	| {readonly kind: 'never-sent'; readonly problem: Problem}
	/** The response cannot be read: the call may have taken effect. */
	| {readonly kind: 'unreadable'; readonly problem: Problem}
	/** The server responded, if only with an error: the outcome is known. */
	| {readonly kind: 'refused'; readonly problem: Problem};

/** Network errors before the first byte of a request is sent. */
const neverSentCodes = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN',
	'UND_ERR_CONNECT_TIMEOUT',
]);

/** CapabilityNotSupported belongs here: it means that the server's response asked for something we did not declare. */
const unreadableCodes: ReadonlySet<SdkErrorCode> = new Set([
	SdkErrorCode.InvalidResult,
	SdkErrorCode.UnsupportedResultType,
	SdkErrorCode.InputRequiredRoundsExceeded,
	SdkErrorCode.CapabilityNotSupported,
	SdkErrorCode.ClientHttpUnexpectedContent,
]);

/** Classifies the error of a call (docs/connections.md, States). The server's texts in it are made safe to show. */
export function callFailure(error: unknown, sessionId: string | undefined): CallFailure {
	if (error instanceof ProtocolError) {
		return protocolFailure(error, sessionId);
	}

	if (error instanceof SdkHttpError) {
		return httpFailure(error, sessionId);
	}

	const inner = problemInside(error);
	if (inner) {
		return problemFailure(inner);
	}

	if (isUnreadable(error)) {
		return {kind: 'unreadable', problem: refused('The answer of the server cannot be read', error)};
	}

	if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) {
		return {kind: 'never-sent', problem: unavailable(error)};
	}

	if (
		error instanceof SdkError &&
		error.code !== SdkErrorCode.ConnectionClosed &&
		error.code !== SdkErrorCode.SendFailed
	) {
		return {kind: 'refused', problem: refused('The request could not be sent', error)};
	}

	return neverSentCodes.has(networkCodeOf(error) ?? '')
		? {kind: 'never-sent', problem: unavailable(error)}
		: {kind: 'lost', problem: unavailable(error)};
}

/** Problems of the connection. */
function problemFailure(problem: Problem): CallFailure {
	if (problem.code === 'server_exited') {
		return {kind: 'lost', problem};
	}

	// On the way, a call fails only when its response is too large or malformed.
	return {kind: problem.code === 'call_failed' ? 'unreadable' : 'refused', problem};
}

/** True if a response came that the SDK cannot use: it is malformed, or a result of an unknown kind or one that cannot be continued. */
function isUnreadable(error: unknown): boolean {
	return error instanceof SdkError
		? unreadableCodes.has(error.code)
		: error instanceof Error && (error.name === 'SyntaxError' || error.name === 'ZodError');
}

function protocolFailure(error: ProtocolError, sessionId: string | undefined): CallFailure {
	if (error.data === streamLost) {
		return {kind: 'lost', problem: unavailable(error)};
	}

	return isSessionExpiry({sessionId, rpcCode: error.code, message: error.message})
		? {kind: 'expired'}
		: {kind: 'refused', problem: refusedBy(error)};
}

function httpFailure(error: SdkHttpError, sessionId: string | undefined): CallFailure {
	const {status} = error;
	const {text} = error.data;
	if (isSessionExpiry({sessionId, ...errorResponse(status, typeof text === 'string' ? text : '')})) {
		return {kind: 'expired'};
	}

	if (httpStatusOf(error) === 401 || status === 403) {
		const message = `The server answered ${status}: the credentials were rejected`;
		return {kind: 'refused', problem: new Problem('server_unauthorized', {message, cause: error})};
	}

	// A proxy may have timed out while the call still runs.
	return status >= 500
		? {kind: 'lost', problem: unavailable(error)}
		: {kind: 'refused', problem: refused(`The server answered ${status}`, error)};
}

function unavailable(error: unknown): Problem {
	return new Problem('server_unavailable', {detail: errorText(error), cause: error});
}

function refused(message: string, error: unknown): Problem {
	return new Problem('call_failed', {message, detail: errorText(error), cause: error});
}

/** Errors about the connection between Sluice and the server, which would mislead a client of ours: header, capability, revision, a URL to open. */
const ownErrorCodes: ReadonlySet<number> = new Set([-32_020, -32_021, -32_022, -32_042]);

/** The refusal by a JSON-RPC error, which a client of the endpoint gets as it is. */
function refusedBy(error: ProtocolError): Problem {
	const {code, message, data} = error;
	return new Problem('call_failed', {
		message: `The server answered: ${safeText(message)}`,
		detail: errorText(error),
		cause: error,
		...(!ownErrorCodes.has(code) && {rpcError: {code, message, ...(data !== undefined && {data})}}),
	});
}

/** The parts of an error response that may concern the session. */
type ErrorResponse = {
	/** Absent: a JSON-RPC error over HTTP 200. */
	readonly httpStatus?: number | undefined;
	readonly rpcCode?: number | undefined;
	readonly message?: string | undefined;
};

/** Codes of the 400 responses for an unknown session: the reference servers use the first, the second is older. */
const unknownSessionCodes: ReadonlySet<number> = new Set([-32_000, -32_001]);

/** Concerns the request, whatever its message says. */
const methodNotFound = -32_601;

/** Concerns the arguments of a request, unless its message says more of the session than that it is invalid. */
const invalidParams = -32_602;

/** Messages with -32602 that speak of the protocol session alone: an argument may name or hold a session too. */
const lostForParams = /\b(?:unknown|expired|terminated|closed|gone|not found|no longer)\b/iu;
const aboutSessionAlone = /^(?:mcp error -?\d+: )?[a-z, /]*\bsession(?: id)?\b[a-z, /]*[.!]?$/iu;

/** Concerns credentials. */
const credentialStatuses: ReadonlySet<number> = new Set([401, 403]);

/**
True if a response says that the session has expired (docs/connections.md, States): HTTP 404, HTTP 400 with JSON-RPC -32000 or -32001,
or an error message that says so. False without a session id.
*/
export function isSessionExpiry(answer: ErrorResponse & {readonly sessionId: string | undefined}): boolean {
	const {sessionId, httpStatus, rpcCode} = answer;
	if (sessionId === undefined) {
		return false;
	}

	return (
		httpStatus === 404 ||
		(httpStatus === 400 && rpcCode !== undefined && unknownSessionCodes.has(rpcCode)) ||
		saysSessionIsGone(answer)
	);
}

/** True if an error message says that the session is unknown, invalid, expired or terminated. False for an internal error of the server. */
export function saysSessionIsGone({httpStatus, rpcCode, message = ''}: ErrorResponse): boolean {
	const counts = httpStatus === undefined || (httpStatus < 500 && !credentialStatuses.has(httpStatus));
	const aboutRequest =
		rpcCode === methodNotFound ||
		(rpcCode === invalidParams && !(lostForParams.test(message) && aboutSessionAlone.test(message)));
	const words = message.slice(0, maxMessageCharacters);
	return counts && !aboutRequest && goneWordings.some(wording => wording.test(words));
}

const maxMessageCharacters = 300;

/**
Messages about the protocol session, as servers write them: "Session not found", "No valid session ID provided", "Your session has expired".
A word before "session" can make it another one: "the browser session has expired" is about a browser.
*/
const goneWordings = ((): readonly RegExp[] => {
	const start = String.raw`(?:^|[^\w\s-]\s*)`;
	const owner = '(?:(?:the|this|your|provided|given|mcp|http|transport)[ -]){0,3}';
	const session = String.raw`session(?:[ _-]?ids?)?\b`;
	// An id is quoted, follows a colon, or contains a digit: "Session name is invalid" is about a name.
	const id = String.raw`[\w.-]{1,128}`;
	const named = String.raw`(?: header)?(?:[:=] ?["']?${id}["']?| ["']${id}["']| (?=[a-z_.-]{0,128}\d)${id})?`;
	const before =
		'(?:unknown|invalid|expired|terminated|closed|missing|inactive|no (?:valid|active|such|matching|known)|no)';
	const links = '(?:(?:is|was|has|have|been|does|did|already|or|and|could) ){0,5}';
	const after = String.raw`(?:unknown|invalid|expired|terminated|closed|gone|inactive|no longer|not (?:found|valid|known|exist|active|initiali[sz]ed|recogni[sz]ed))\b`;
	const next = String.raw`(?=$| ?[^\w\s]| (?:provided|given|found|exists|header|with|for|or|and|please)\b)`;
	return [
		// "Invalid or expired session", "No valid session ID provided", "Unknown MCP session".
		new RegExp(`${start}${before}(?:(?: or | and |, ?|/)${before}){0,3} ${owner}${session}${named}${next}`, 'iu'),
		// "Session expired", "The session has been terminated", "Session 4711 not found".
		new RegExp(`${start}${owner}${session}${named},?:? ${links}${after}`, 'iu'),
	];
})();

/** The reason that an expired session is dropped. */
export function sessionExpired(): Problem {
	return new Problem('server_unavailable', {message: 'The session has expired'});
}

const rpcErrorBodySchema = z.object({error: z.object({code: z.number(), message: z.string()})});

/** The content of an HTTP error's body: the JSON-RPC error in it, or its text. */
function errorResponse(httpStatus: number, text: string): ErrorResponse {
	const error = rpcErrorBodySchema.safeParse(parseJson(text)).data?.error;
	return error ? {httpStatus, rpcCode: error.code, message: error.message} : {httpStatus, message: text};
}

/** True if the message of an HTTP error says that the session is unknown. Reads its body; never rejects. */
export async function refusesSession(answer: Response): Promise<boolean> {
	return saysSessionIsGone(errorResponse(answer.status, await answer.text().catch(() => '')));
}
