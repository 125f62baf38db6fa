import {Problem} from '../util/problem.ts';

/** What went wrong with a call that was sent. */
export type CallFailure =
	/** The server does not know the session any more. */
	| {readonly kind: 'expired'}
	/** The connection went away before the answer came; the call may have taken effect. */
	| {readonly kind: 'lost'; readonly problem: Problem}
	/** The call never left this machine. */
	| {readonly kind: 'never-sent'; readonly problem: Problem}
	/** The server answered, if only with an error: the outcome is known. */
	| {readonly kind: 'refused'; readonly problem: Problem};

/** What to do about it. */
export type CallRescue = {readonly kind: 'replay'} | {readonly kind: 'reject'; readonly problem: Problem};

const unknownSessionCode = -32001;

/**
Whether an answer says that the session has expired (spec/decisions.md, D5): HTTP 404, or the server's own error for it
(code -32001 about a session, alone or as the body of HTTP 400). Without a session id nothing can have expired.
*/
export function isSessionExpiry(answer: {
	readonly sessionId: string | undefined;
	readonly httpStatus?: number;
	readonly rpcCode?: number;
	readonly message?: string;
}): boolean {
	if (answer.sessionId === undefined) {
		return false;
	}

	const namesSession = /\bsession\b/iu.test(answer.message ?? '');
	return (
		answer.httpStatus === 404 ||
		((answer.httpStatus === undefined || answer.httpStatus === 400) &&
			answer.rpcCode === unknownSessionCode &&
			namesSession)
	);
}

/** Why a session that has expired is gone. */
export function sessionExpired(): Problem {
	return new Problem('server_unavailable', {message: 'The session has expired'});
}

/**
Decides about a failed call (spec/mcp-servers.md, Trust rules 3): only what is read-only is repeated, and only once;
everything else that may have taken effect is `outcome_uncertain`.
*/
export function rescueCall(
	failure: CallFailure,
	call: {readonly readOnly: boolean; readonly replayed: boolean},
): CallRescue {
	switch (failure.kind) {
		case 'refused':
		case 'never-sent':
			return {kind: 'reject', problem: failure.problem};
		case 'expired':
		case 'lost':
			if (!call.readOnly) {
				return {kind: 'reject', problem: uncertain(failure)};
			}

			return call.replayed
				? {
						kind: 'reject',
						problem: new Problem('server_unavailable', {
							message: 'The connection was lost twice during the call',
						}),
					}
				: {kind: 'replay'};
	}
}

function uncertain(failure: Extract<CallFailure, {kind: 'expired' | 'lost'}>): Problem {
	const happened =
		failure.kind === 'expired' ? 'The session had expired' : 'The connection was lost before the answer came';
	return new Problem('outcome_uncertain', {
		message: `${happened}; the call may have taken effect. Verify before repeating it`,
		cause: failure.kind === 'lost' ? failure.problem : undefined,
	});
}
