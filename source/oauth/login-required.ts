import {Problem} from '../util/problem.ts';

/** The problem of a server that only a person can log in to; `reason` completes the sentence. */
export function loginRequired(server: string, reason: string, cause?: unknown): Problem {
	return new Problem('login_required', {
		message: `A login is needed: ${reason}; run \`sluice mcp login ${server}\``,
		cause,
	});
}
