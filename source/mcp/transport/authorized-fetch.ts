import {type Challenge, readChallenge} from '../../oauth/discovery/challenge.ts';
import {type Credentials} from '../../oauth/tokens/credentials.ts';
import {loginRequired} from '../../oauth/login-required.ts';
import {type ServerFetch} from '../../net/server-fetch.ts';
import {Problem} from '../../util/problem.ts';

type Fetch = ServerFetch['fetch'];

/** The login of one server: its tokens, and who hears what it asks for when it refuses them. */
export type ServerLogin = {
	readonly server: string;
	readonly credentials: Credentials;
	readonly onChallenge: (challenge: Challenge) => void;
	/** Called with why a request could not be authorized: the event stream of SSE passes only the message of an error on. */
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
		const challenge = challengeOf(answer);
		if (!challenge) {
			return answer;
		}

		await answer.body?.cancel();
		onChallenge(challenge);
		const renewed = await credentials.renew(token, challenge);
		const again = await fetch(url, withToken(init, renewed));
		const second = challengeOf(again);
		if (!second) {
			return again;
		}

		await again.body?.cancel();
		if (second.insufficientScope) {
			// A token that had to be renewed first may lack something too.
			onChallenge(second);
			await credentials.renew(renewed, second);
		}

		throw loginRequired(server, 'the server refuses its tokens');
	};
}

/** What a refusal asks for; undefined for every other answer. */
function challengeOf(answer: Response): Challenge | undefined {
	if (answer.status !== 401 && answer.status !== 403) {
		return undefined;
	}

	const challenge = readChallenge(answer);
	return answer.status === 401 || challenge.insufficientScope ? challenge : undefined;
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
	if (token === undefined) {
		return init;
	}

	const headers = new Headers(init.headers);
	headers.set('authorization', `Bearer ${token}`);
	return {...init, headers};
}
