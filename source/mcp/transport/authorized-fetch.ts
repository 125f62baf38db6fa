import {AsyncLocalStorage} from 'node:async_hooks';
import {type Challenge, readChallenge} from '../../oauth/discovery/challenge.ts';
import {type Credentials} from '../../oauth/tokens/credentials.ts';
import {loginRequired} from '../../oauth/protocol/login-required.ts';
import {type ServerFetch} from '../../net/server-fetch.ts';
import {Problem} from '../../util/problem.ts';

type Fetch = ServerFetch['fetch'];

/** The login of one server: its tokens, and the callbacks for a refusal. */
export type ServerLogin = {
	readonly server: string;
	readonly credentials: Credentials;
	readonly onChallenge: (challenge: Challenge) => void;
	/** Called with the reason why a request could not be authorized: the event stream of SSE passes on only the message of an error. */
	readonly onFailure?: (problem: Problem) => void;
};

/** The check of the message that is being sent; absent once it was answered, so that what is sent to its server in return passes none. */
const sending = new AsyncLocalStorage<{check?: () => void}>();

/** Sends a message whose requests pass `check` directly before each leaves: a refresh of the token may take seconds. */
export function withSendCheck<Value>(check: () => void, send: () => Promise<Value>): Promise<Value> {
	return sending.run({check}, send);
}

/**
Sends the token of a server with every request. A refused token is refreshed and the request sent once more; a login is never started here.
Rejects with `login_required` when a login is needed, and with `wider_login_required` when the token is valid but its scope insufficient.
*/
export function authorizeFetch(fetch: Fetch, login: ServerLogin): Fetch {
	const authorized = authorizedRequest((url, init) => {
		sending.getStore()?.check?.();
		return fetch(url, init);
	}, login);
	return async (url, init) => {
		try {
			return await authorized(url, init);
		} catch (error) {
			if (error instanceof Problem) {
				login.onFailure?.(error);
			}

			throw error;
		} finally {
			delete sending.getStore()?.check;
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
			// A refreshed token may have an insufficient scope, too.
			onChallenge(second);
			await credentials.renew(renewed, second);
		}

		throw loginRequired(server, 'the server refused its tokens');
	};
}

/** The challenge of a 401 or 403; undefined for any other response. */
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
