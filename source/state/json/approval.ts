import {type approvalFields} from '../entities/approval.ts';
import {type JsonRow} from '../entities/json-kind.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type ApprovalScope} from '../approval-event.ts';

/**
`approvals list --json`, one row. Texts in the arguments are exact: text between `‹` and `›` is an escape, or the sign that something
was cut or masked. Times are milliseconds since the epoch.
*/
export type ApprovalJson = JsonRow<typeof approvalFields>;

/** A waiting request with nothing cut out of it, as `approvals allow` prints it. Secrets are masked. */
export type FullApprovalJson = ApprovalJson & {
	/** The hash that an answer has to carry. */
	readonly review_hash?: string;
	readonly trust: 'full' | 'untrusted';
	/** Claims of the server about its tool. */
	readonly hints: JsonObject;
	/** The server's own words. */
	readonly description: string;
	/** The difference of the definition from the remembered one. */
	readonly definition_change: string | null;
	/** Paths of the values that the untrusted payload has word for word. */
	readonly payload_paths: readonly string[];
	/** The rule that asks, in words. */
	readonly rule: string | null;
	/** Scopes that an approval may have. */
	readonly scopes: readonly ApprovalScope[];
};

/** The end of a request: outcome, scope, and the one who decided. */
export type ApprovalEndJson = {
	readonly outcome: 'approved' | 'denied' | 'timed_out' | 'no_channel' | 'cancelled';
	readonly scope: string | null;
	readonly by: string | null;
	readonly message: string | null;
};

/** The outcome of an answer. `end` is the end that the request had before, or that of a call that was allowed and not sent; null when the gateway does not know it. */
export type AnsweredJson = {
	readonly answer: 'resolved' | 'already-settled' | 'changed' | 'not-offered';
	readonly end: ApprovalEndJson | null;
	/** The allowed call has neither begun nor ended after 30 s. */
	readonly call?: 'waiting' | undefined;
};
