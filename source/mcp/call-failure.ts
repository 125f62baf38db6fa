import {ProtocolError, SdkError, SdkErrorCode, SdkHttpError} from '@modelcontextprotocol/client';
import * as z from 'zod';
import {parseJson} from '../util/json-text.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {httpStatusOf, networkCodeOf, problemInside} from './connect-failure.ts';
import {type CallFailure, isSessionExpiry} from './session-expiry.ts';
import {streamLost} from './stream-guard.ts';

/** Network errors that come before the first byte of a request has left. */
const neverSentCodes = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN',
	'UND_ERR_CONNECT_TIMEOUT',
]);

const rpcErrorBodySchema = z.object({error: z.object({code: z.number(), message: z.string()})});

/** What the error of a call means (spec/decisions.md, D5). Texts of the server in it are made safe to show. */
export function callFailure(error: unknown, sessionId: string | undefined): CallFailure {
	if (error instanceof ProtocolError) {
		return protocolFailure(error, sessionId);
	}

	if (error instanceof SdkHttpError) {
		return httpFailure(error, sessionId);
	}

	const inner = problemInside(error);
	if (inner) {
		return inner.code === 'server_exited' ? {kind: 'lost', problem: inner} : {kind: 'refused', problem: inner};
	}

	if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) {
		return {kind: 'never-sent', problem: unavailable(error)};
	}

	if (
		error instanceof SdkError &&
		error.code !== SdkErrorCode.ConnectionClosed &&
		error.code !== SdkErrorCode.SendFailed
	) {
		return {kind: 'refused', problem: refused('The answer of the server is not valid', error)};
	}

	return neverSentCodes.has(networkCodeOf(error) ?? '')
		? {kind: 'never-sent', problem: unavailable(error)}
		: {kind: 'lost', problem: unavailable(error)};
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
	const body = rpcErrorBodySchema.safeParse(parseJson(typeof text === 'string' ? text : '')).data?.error;
	if (isSessionExpiry({sessionId, httpStatus: status, rpcCode: body?.code, message: body?.message})) {
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
