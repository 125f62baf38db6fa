import {type Challenge, readChallenge} from '../oauth/challenge.ts';
import {type Credentials} from '../oauth/credentials.ts';
import {loginRequired} from '../oauth/login-required.ts';
import {type ServerFetch} from '../net/server-fetch.ts';
import {Problem} from '../util/problem.ts';

type Fetch = ServerFetch['fetch'];

/** The login of one server: its tokens, and who hears what it asks for when it refuses them. */
export type ServerLogin = {
	readonly server: string;
	readonly credentials: Credentials;
	readonly onChallenge: (challenge: Challenge) => void;
	/** Hears why a request could not be authorized: the event stream of SSE keeps only the words of an error. */
	readonly onFailure?: (problem: Problem) => void;
};

/**
Sends the token of a server with every request. A refused one is renewed and the request sent once more; no login is ever started here.
Rejects with `login_required` when only a person can help, and with `wider_login_required` when the token is good but not enough.
*/
export function authorizeFetch(fetch: Fetch, login: ServerLogin): Fetch {
	const authorized = authorizedRequest(fetch, login);
	return async (url, init) => {
		try {
			return await authorized(url, init);
		} catch (error) {
			if (error instanceof Problem) {
				login.onFailure?.(error);
			}

			throw error;
		}
	};
}

function authorizedRequest(fetch: Fetch, {server, credentials, onChallenge}: ServerLogin): Fetch {
	return async (url, init = {}) => {
		const token = await credentials.token();
		const answer = await fetch(url, withToken(init, token));
		if (answer.status !== 401 && answer.status !== 403) {
			return answer;
		}

		const challenge = readChallenge(answer);
		if (answer.status === 403 && !challenge.insufficientScope) {
			return answer;
		}

		await answer.body?.cancel();
		onChallenge(challenge);
		const again = await fetch(url, withToken(init, await credentials.renew(token, challenge)));
		if (again.status !== 401) {
			return again;
		}

		await again.body?.cancel();
		throw loginRequired(server, 'the server refuses its tokens');
	};
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
	if (token === undefined) {
		return init;
	}

	const headers = new Headers(init.headers);
	headers.set('authorization', `Bearer ${token}`);
	return {...init, headers};
}
