import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The problem of a server that only a person can log in to; `reason` completes the sentence. */
export function loginRequired(server: string, reason: string, cause?: unknown): Problem {
	return new Problem('login_required', {
		message: `A login is required: ${reason}; run \`sluice mcp login ${server}\``,
		cause,
	});
}

/** The problem of a token that is good but not enough; `scope` is what the server asks for, if it says so. */
export function widerLoginRequired(server: string, scope: string | undefined): Problem {
	const wanted = scope === undefined ? 'a wider scope' : `the scope ${safeText(scope, {maximumCharacters: 300})}`;
	return new Problem('wider_login_required', {
		message: `The server asks for ${wanted}; run \`sluice mcp login ${server}\``,
	});
}
