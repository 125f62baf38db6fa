import {type JsonRow} from '../entities/json-kind.ts';
import {type loginFields} from '../entities/login.ts';

/** `logins list --json`, one row. Times are milliseconds since the epoch. */
export type LoginJson = JsonRow<typeof loginFields>;

/** A server that logs in. */
export type LoginServerJson = {
	readonly name: string;
	readonly flow: 'device' | 'browser';
	readonly enabled: boolean;
};

/** The end of a login. A command gets a failed one as an error, a console as a result: its events have said it. */
export type LoginEndJson =
	| {readonly outcome: 'succeeded'}
	| {readonly outcome: 'cancelled' | 'failed'; readonly reason: string};

/** The result of revoking tokens at a logout. */
export type RevocationJson =
	| {readonly kind: 'no-tokens'}
	| {readonly kind: 'not-possible'}
	| {readonly kind: 'revoked'; readonly issuer: string}
	| {readonly kind: 'failed'; readonly issuer: string; readonly why: string};

/** A report of a login under way. */
export type LoginReportJson =
	| {readonly type: 'log'; readonly text: string}
	| {
			readonly type: 'login.state';
			readonly server: string;
			readonly state:
				| 'discovering'
				| 'registering'
				| 'awaiting-redirect'
				| 'awaiting-device'
				| 'exchanging'
				| 'succeeded'
				| 'failed'
				| 'cancelled';
			readonly flow: 'device' | 'browser';
			readonly verification_uri?: string;
			readonly verification_uri_complete?: string;
			readonly user_code?: string;
			readonly authorization_url?: string;
			readonly redirect_uri?: string;
			readonly expires_at?: number;
			readonly polls?: number;
			readonly next_poll_at?: number;
			readonly reason?: string;
	  };

/** `mcp login --json`, and `mcp reauth` of one server. */
export type LoggedInJson = {readonly server: string; readonly outcome: 'succeeded'};

/** `mcp reauth --all --json`, one row. */
export type LoginAgainJson = {
	readonly server: string;
	readonly flow: 'device' | 'browser';
	readonly outcome: 'succeeded' | 'cancelled' | 'failed';
	/** Null for a login that succeeded. */
	readonly reason: string | null;
};

/** `mcp logout --json`. */
export type LogoutJson = {readonly server: string; readonly revocation: RevocationJson};
