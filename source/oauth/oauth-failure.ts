import {OAuthError, RegistrationRejectedError} from '@modelcontextprotocol/client';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** Converts an OAuth error to a Problem, with the texts of the server made safe to show. */
export function oauthFailure(error: unknown): Problem {
	if (error instanceof Problem) {
		return error;
	}

	if (error instanceof OAuthError) {
		return answerProblem(error.code, error.message);
	}

	if (error instanceof RegistrationRejectedError) {
		return new Problem('login_failed', {
			message: `The authorization server refused to register Sluice (${error.status}). Register a client there and set \`oauth.client_id\``,
			detail: errorText(error),
			cause: error,
		});
	}

	return new Problem('login_failed', {
		message: 'The answer of the authorization server cannot be used',
		detail: errorText(error),
		cause: error,
	});
}

/** The error of an authorization server in its own words, which are untrusted. */
export function answerProblem(code: string, description: string | undefined): Problem {
	const words = safeText(code, {maximumCharacters: 60});
	const more = description && description !== code ? `: ${safeText(description, {maximumCharacters: 200})}` : '';
	switch (code) {
		case 'access_denied':
			return new Problem('login_denied', {message: `The login was denied${more}`});
		case 'expired_token':
			return new Problem('login_timeout', {message: 'The code expired before anyone approved the login'});
		default:
			return new Problem('login_failed', {message: `The authorization server answered ${words}${more}`});
	}
}
