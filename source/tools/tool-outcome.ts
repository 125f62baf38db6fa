import {type ApprovalOutcome} from '../approvals/approval-queue.ts';
import {type CallOutcome, errorOutcome} from '../state/approval-event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {maskTokens} from '../util/redact.ts';
import {Problem, type RpcError} from '../util/problem.ts';
import {type ProblemCode, problemCodes} from '../util/problem-codes.ts';

/** An error as data (docs/connections.md, Results). */
type ToolError = {
	readonly code: ProblemCode;
	readonly message: string;
	readonly server?: string;
	/** The call may have taken effect. */
	readonly outcomeUncertain?: true;
	/** The server requires new credentials. */
	readonly needsReauth?: true;
	/** The JSON-RPC error with which the server refused the call. */
	readonly rpcError?: RpcError;
};

/** The outcome of a tool call for its caller. Texts are untrusted: not yet safe to show. */
export type ToolOutcome =
	| {
			readonly kind: 'result';
			readonly result: string;
			readonly structuredContent?: JsonObject;
			/** The files in which the media of the result were saved; the text contains their paths, too. */
			readonly media?: readonly string[];
	  }
	| {readonly kind: 'error'; readonly error: ToolError};

/** Problems that new credentials fix. */
const wantsLogin: ReadonlySet<ProblemCode> = new Set(['server_unauthorized', 'login_required', 'wider_login_required']);

/** Converts a problem to the error for the caller of a tool, without tokens that its server wrote into it; `server` is absent while unknown. */
export function failure(problem: Problem, server?: string): Extract<ToolOutcome, {kind: 'error'}> {
	return {
		kind: 'error',
		error: {
			code: problem.code,
			message: maskTokens(problem.message),
			...(server === undefined ? {} : {server}),
			...(problem.isOutcomeUncertain ? {outcomeUncertain: true} : {}),
			...(wantsLogin.has(problem.code) ? {needsReauth: true} : {}),
			...(problem.rpcError && {rpcError: problem.rpcError}),
		},
	};
}

/** The error for the caller of a refused call, one code for each kind of refusal; undefined when the call was approved (docs/approvals.md, How approvals end). */
export function refusal(outcome: ApprovalOutcome): Problem | undefined {
	switch (outcome.kind) {
		case 'approved':
			return undefined;
		case 'denied':
			return new Problem('denied', {message: withReason(`Denied by ${outcome.by}`, outcome.message)});
		case 'no_channel':
			return new Problem('no_channel', {message: withReason(problemCodes.no_channel.meaning, outcome.message)});
		case 'timed_out':
		case 'cancelled':
			return new Problem(outcome.kind);
	}
}

function withReason(text: string, reason: string | undefined): string {
	return reason ? `${text}: ${reason}` : text;
}

/** The same outcome; the words of an error that look like tokens are masked. */
export function withoutTokens(outcome: ToolOutcome): ToolOutcome {
	return outcome.kind === 'result'
		? outcome
		: {...outcome, error: {...outcome.error, message: maskTokens(outcome.error.message)}};
}

/** The JSON form of an error (docs/connections.md, Results). Absent members are left out. */
export function toolErrorJson(error: ToolError): {
	readonly code: string;
	readonly message: string;
	readonly server?: string;
	readonly outcome_uncertain?: true;
	readonly needs_reauth?: true;
} {
	return {
		code: error.code,
		message: error.message,
		...(error.server !== undefined && {server: error.server}),
		...(error.outcomeUncertain && {outcome_uncertain: true}),
		...(error.needsReauth && {needs_reauth: true}),
	};
}

/** The status of a finished call, for events and the journal. */
export function callOutcome(outcome: ToolOutcome): CallOutcome {
	if (outcome.kind === 'result') {
		return 'ok';
	}

	const {code, outcomeUncertain} = outcome.error;
	return errorOutcome(code, outcomeUncertain === true);
}
