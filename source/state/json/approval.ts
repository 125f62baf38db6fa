import {type JsonObject} from '../../util/json-text.ts';
import {type ApprovalScope} from '../approval-event.ts';

/**
`approvals list --json`, one row. Texts in the arguments are exact: text between `‹` and `›` is an escape, or the sign that something
was cut or masked. Times are milliseconds since the epoch.
*/
export type ApprovalJson = {
	readonly id: string;
	readonly kind: string;
	readonly server: string;
	readonly tool: string;
	readonly arguments: JsonObject;
	/** Of the arguments that are sent. */
	readonly arguments_hash: string;
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
	/** The gateway that asks, where several share a journal. */
	readonly node?: string;
	readonly requested_at: number;
	readonly expires_at: number;
	/** The arguments as they are sent, as JSON; how many bytes of that are missing here; how many values are masked. */
	readonly sent_bytes: number;
	readonly cut_bytes: number;
	readonly masked_values: number;
	/** The number of sent characters that a reader may take for others. */
	readonly marked_characters: number;
};

/** A waiting request with nothing cut out of it, as `approvals allow` prints it. Secrets are masked. */
export type WholeApprovalJson = ApprovalJson & {
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
};
