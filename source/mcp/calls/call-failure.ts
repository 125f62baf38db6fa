import {ProtocolError, SdkError, SdkErrorCode, SdkHttpError} from '@modelcontextprotocol/client';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {httpStatusOf, networkCodeOf, problemInside} from '../session/connect-failure.ts';
import {errorAnswer} from './error-answer.ts';
import {type CallFailure, isSessionExpiry} from './session-expiry.ts';
import {streamLost} from '../transport/stream-guard.ts';

/** Network errors that come before the first byte of a request has left. */
const neverSentCodes = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN',
	'UND_ERR_CONNECT_TIMEOUT',
]);

/** A capability is missed only by a server that asks for something in its answer. */
const unreadableCodes: ReadonlySet<SdkErrorCode> = new Set([
	SdkErrorCode.InvalidResult,
	SdkErrorCode.UnsupportedResultType,
	SdkErrorCode.InputRequiredRoundsExceeded,
	SdkErrorCode.CapabilityNotSupported,
	SdkErrorCode.ClientHttpUnexpectedContent,
]);

/** What the error of a call means (docs/tool-servers.md, States). Texts of the server in it are made safe to show. */
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
		return {kind: 'refused', problem: refused('The request cannot be made', error)};
	}

	return neverSentCodes.has(networkCodeOf(error) ?? '')
		? {kind: 'never-sent', problem: unavailable(error)}
		: {kind: 'lost', problem: unavailable(error)};
}

/** Problems of the way to the server and back. */
function problemFailure(problem: Problem): CallFailure {
	if (problem.code === 'server_exited') {
		return {kind: 'lost', problem};
	}

	// The only call that fails on the way is one whose answer is too large, or is none.
	return {kind: problem.code === 'call_failed' ? 'unreadable' : 'refused', problem};
}

/** Whether an answer came that the SDK can make nothing of: no message, or a result of a kind that it does not know or cannot go on with. */
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
		: {kind: 'refused', problem: refused(`The server answered: ${safeText(error.message)}`, error)};
}

function httpFailure(error: SdkHttpError, sessionId: string | undefined): CallFailure {
	const {status} = error;
	const {text} = error.data;
	if (isSessionExpiry({sessionId, ...errorAnswer(status, typeof text === 'string' ? text : '')})) {
		return {kind: 'expired'};
	}

	if (httpStatusOf(error) === 401 || status === 403) {
		const message = `The server answered ${status}: it refuses the credentials`;
		return {kind: 'refused', problem: new Problem('server_unauthorized', {message, cause: error})};
	}

	// A proxy in front of the server may have given up on a call that still runs.
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
