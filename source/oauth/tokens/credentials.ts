import {type Challenge} from '../discovery/challenge.ts';

/** The token of one server, as its requests need it. */
export type Credentials = {
	/** The token to send; refreshed when it is about to expire. Undefined: there is none, the server may say what it wants. */
	readonly token: (signal?: AbortSignal) => Promise<string | undefined>;
	/**
	A token to try instead of the one the server refused. Rejects with `login_required` when only a person can help, with `wider_login_required`
	when the token is good but not enough (what is missing is kept for the next login), and with `fetch_failed` when the authorization server does not answer.
	*/
	readonly renew: (refused: string | undefined, challenge: Challenge) => Promise<string>;
};
