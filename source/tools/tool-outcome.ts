import {type CallOutcome} from '../state/approval-event.ts';
import {type JsonObject} from '../util/json-text.ts';
import {type Problem} from '../util/problem.ts';
import {type ProblemCode} from '../util/problem-codes.ts';

/** An error as data (docs/tool-servers.md, Results). */
export type ToolError = {
	readonly code: ProblemCode;
	readonly message: string;
	readonly server?: string;
	/** The call may have taken effect. */
	readonly outcomeUncertain?: true;
	/** The server wants new credentials. */
	readonly needsReauth?: true;
};

/** How a tool call ended, for its caller. Texts are those of the server: not yet safe to show. */
export type ToolOutcome =
	| {
			readonly kind: 'result';
			readonly result: string;
			readonly structuredContent?: JsonObject;
			/** Where the media of the result were saved; the text has their paths too. */
			readonly media?: readonly string[];
	  }
	| {readonly kind: 'error'; readonly error: ToolError};

/** Problems that new credentials cure. */
const wantsLogin: ReadonlySet<ProblemCode> = new Set(['server_unauthorized', 'login_required', 'wider_login_required']);

/** A problem as the caller of a tool gets it; `server` is absent while none is known. */
export function failure(problem: Problem, server?: string): Extract<ToolOutcome, {kind: 'error'}> {
	return {
		kind: 'error',
		error: {
			code: problem.code,
			message: problem.message,
			...(server === undefined ? {} : {server}),
			...(problem.code === 'outcome_uncertain' ? {outcomeUncertain: true} : {}),
			...(wantsLogin.has(problem.code) ? {needsReauth: true} : {}),
		},
	};
}

/** An error as it travels (docs/tool-servers.md, Results). Absent members are left out. */
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

/** Errors that are ends of their own; every other one counts as `failed`. */
const ends = {
	tool_error: 'tool_error',
	outcome_uncertain: 'outcome_uncertain',
	denied: 'denied',
	timed_out: 'timed_out',
	no_channel: 'no_channel',
	cancelled: 'cancelled',
} as const satisfies Partial<Record<ProblemCode, CallOutcome>>;

/** The end of a call in one word, for events and the journal. */
export function callOutcome(outcome: ToolOutcome): CallOutcome {
	if (outcome.kind === 'result') {
		return 'ok';
	}

	const {code} = outcome.error;
	return isEnd(code) ? ends[code] : 'failed';
}

function isEnd(code: ProblemCode): code is keyof typeof ends {
	return Object.hasOwn(ends, code);
}
