import {validateAuthorizationResponseIssuer} from '@modelcontextprotocol/client';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AuthorizationServer} from '../discovery/authorization-server.ts';
import {answerProblem} from '../oauth-failure.ts';

/**
The code of a redirect. Whether it comes from the right server (RFC 9207) is looked at first: texts of another one are not even read.
Throws `issuer_mismatch`, `login_denied` or `login_failed`. Pure.
*/
export function readRedirect(answer: URLSearchParams, server: AuthorizationServer): string {
	const iss = answer.get('iss') ?? undefined;
	try {
		validateAuthorizationResponseIssuer({
			iss,
			expectedIssuer: server.issuer,
			issParameterSupported: server.authorization_response_iss_parameter_supported === true,
		});
	} catch {
		const received = iss === undefined ? 'none' : safeText(iss, {maximumCharacters: 200});
		throw new Problem('issuer_mismatch', {
			message: `The redirect names the issuer ${received}, expected was ${safeText(server.issuer, {maximumCharacters: 200})}`,
		});
	}

	const error = answer.get('error');
	if (error !== null) {
		throw answerProblem(error, answer.get('error_description') ?? undefined);
	}

	const code = answer.get('code');
	if (!code) {
		throw new Problem('login_failed', {message: 'The redirect carries neither a code nor an error'});
	}

	return code;
}
