import {Problem} from '../../util/problem.ts';

/** What went wrong with a call that was sent. */
export type CallFailure =
	/** The server does not know the session any more. */
	| {readonly kind: 'expired'}
	/** The connection went away before the answer came; the call may have taken effect. */
	| {readonly kind: 'lost'; readonly problem: Problem}
	/** The call never left this machine. */
	| {readonly kind: 'never-sent'; readonly problem: Problem}
	/** The server answered, but nobody can tell what: the call may have taken effect. */
	| {readonly kind: 'unreadable'; readonly problem: Problem}
	/** The server answered, if only with an error: the outcome is known. */
	| {readonly kind: 'refused'; readonly problem: Problem};

/** What to do about it. */
export type RetryDecision = {readonly kind: 'replay'} | {readonly kind: 'reject'; readonly problem: Problem};

/** Codes with which servers answer 400 when they do not know the session: the reference servers use the first, the second is older. */
const unknownSessionCodes: ReadonlySet<number> = new Set([-32_000, -32_001]);

/** A method that is not known, arguments that are not valid: about the request, whatever the words are. */
const requestFaultCodes: ReadonlySet<number> = new Set([-32_601, -32_602]);

/** About credentials. */
const credentialStatuses: ReadonlySet<number> = new Set([401, 403]);

/** What an error answer says, as far as it can tell about the session. */
export type ErrorAnswer = {
	/** Absent: the error came as an answer of the protocol, over HTTP 200. */
	readonly httpStatus?: number | undefined;
	readonly rpcCode?: number | undefined;
	readonly message?: string | undefined;
};

/**
Whether an answer says that the session has expired (docs/tool-servers.md, States): HTTP 404, HTTP 400 with JSON-RPC -32000 or -32001,
or an error that says so in words. Without a session id nothing can have expired.
*/
export function isSessionExpiry(answer: ErrorAnswer & {readonly sessionId: string | undefined}): boolean {
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

/** Whether an error says in words that the session is unknown, invalid, expired or terminated. A fault of the server itself says nothing about it. */
export function saysSessionIsGone({httpStatus, rpcCode, message = ''}: ErrorAnswer): boolean {
	const counts = httpStatus === undefined || (httpStatus < 500 && !credentialStatuses.has(httpStatus));
	const aboutRequest = rpcCode !== undefined && requestFaultCodes.has(rpcCode);
	const words = message.slice(0, mostMessageCharacters);
	return counts && !aboutRequest && goneWordings.some(wording => wording.test(words));
}

const mostMessageCharacters = 300;

/**
Sentences about the session of the protocol, as servers write them: "Session not found", "No valid session ID provided", "Your session has expired".
Another word before "session" makes it the session of something else: "the browser session has expired" is about a browser.
*/
const goneWordings = ((): readonly RegExp[] => {
	const start = String.raw`(?:^|[^\w\s-]\s*)`;
	const owner = '(?:(?:the|this|your|provided|given|mcp|http|transport)[ -]){0,3}';
	const session = String.raw`session(?:[ _-]?ids?)?\b`;
	// An id is quoted, or comes after a colon, or has a digit: "Session name is invalid" is about a name.
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

/** Why a session that has expired is gone. */
export function sessionExpired(): Problem {
	return new Problem('server_unavailable', {message: 'The session has expired'});
}

/**
Decides about a failed call (docs/tool-servers.md, Trust): only what is read-only is repeated, and only once;
everything else that may have taken effect is `outcome_uncertain`.
*/
export function decideRetry(
	failure: CallFailure,
	call: {readonly readOnly: boolean; readonly replayed: boolean},
): RetryDecision {
	switch (failure.kind) {
		case 'refused':
		case 'never-sent':
			return {kind: 'reject', problem: failure.problem};
		case 'unreadable':
			// The same call would get the same answer.
			return {kind: 'reject', problem: call.readOnly ? failure.problem : uncertain(failure)};
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

function uncertain(failure: Extract<CallFailure, {kind: keyof typeof happenings}>): Problem {
	return new Problem('outcome_uncertain', {
		message: `${happenings[failure.kind]}; the call may have taken effect. Verify before repeating it`,
		cause: failure.kind === 'expired' ? undefined : failure.problem,
	});
}

const happenings = {
	expired: 'The session had expired',
	lost: 'The connection was lost before the answer came',
	unreadable: 'The answer of the server cannot be read',
} as const;
