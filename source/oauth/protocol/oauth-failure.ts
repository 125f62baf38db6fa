import {OAuthError, RegistrationRejectedError} from '@modelcontextprotocol/client';
import {z} from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {maskTokens} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';

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
			message: `The authorization server refused to register Sluice (${error.status}): ${refusalOf(error)}. Register a client there and set \`oauth.client_id\``,
			detail: errorText(error),
			cause: error,
		});
	}

	return new Problem('login_failed', {
		message: `The answer of the authorization server cannot be used: ${reasonOf(error)}`,
		detail: errorText(error),
		cause: error,
	});
}

const issuesSchema = z.object({
	issues: z.array(z.object({path: z.array(z.union([z.string(), z.number()])), message: z.string()})).min(1),
});

/** The reason that an answer cannot be used, without tokens that it holds: the member that does not fit, or the words of the error. */
function reasonOf(error: unknown): string {
	const [issue] = issuesSchema.safeParse(error).data?.issues ?? [];
	if (issue) {
		return shown(issue.path.length > 0 ? `\`${issue.path.join('.')}\`: ${issue.message}` : issue.message);
	}

	// The words of a SyntaxError quote the text, which may be a token.
	return error instanceof SyntaxError ? 'it is not JSON' : shown(errorText(error));
}

const refusalSchema = z.object({error: z.string(), error_description: z.string().optional()});

/** The answer of a server that refused a registration. */
function refusalOf({body}: RegistrationRejectedError): string {
	const said = refusalSchema.safeParse(parseJson(body)).data;
	return shown(said ? [said.error, said.error_description].filter(Boolean).join(': ') : body || 'it did not say why');
}

/** The words of a server or a library: safe to show, without tokens. */
function shown(text: string): string {
	return safeText(maskTokens(text), {maximumCharacters: 200});
}

/** The error of an authorization server in its own words, which are untrusted. */
export function answerProblem(code: string, description: string | undefined): Problem {
	const words = safeText(maskTokens(code), {maximumCharacters: 60});
	const more = description && description !== code ? `: ${shown(description)}` : '';
	switch (code) {
		case 'access_denied':
			return new Problem('login_denied', {message: `The login was denied${more}`});
		case 'expired_token':
			return new Problem('login_timeout', {message: 'The code expired before anyone approved the login'});
		default:
			return new Problem('login_failed', {message: `The authorization server answered ${words}${more}`});
	}
}
