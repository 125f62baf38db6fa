import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {quoted, safeText} from '../../util/safe-text.ts';

/** The problem of a server that requires a login by a person; `reason` completes the sentence. */
export function loginRequired(server: string, reason: string, cause?: unknown): Problem {
	return new Problem('login_required', {
		message: `A login is required: ${reason}; run \`sluice mcp login ${shellWord(safeText(server))}\``,
		cause,
	});
}

/** The problem of a token with insufficient scope; `scope` is the required scope, if the server names it. */
export function widerLoginRequired(server: string, scope: string | undefined): Problem {
	const wanted = scope === undefined ? 'a wider scope' : `the scope ${quoted(scope, {maximumCharacters: 300})}`;
	return new Problem('wider_login_required', {
		message: `The server asks for ${wanted}; run \`sluice mcp login ${shellWord(safeText(server))}\``,
	});
}
