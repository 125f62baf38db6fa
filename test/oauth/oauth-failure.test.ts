import {OAuthError, RegistrationRejectedError} from '@modelcontextprotocol/client';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {oauthFailure} from '../../source/oauth/protocol/oauth-failure.ts';
import {Problem} from '../../source/util/problem.ts';

function thrownBy(work: () => unknown): unknown {
	try {
		return work();
	} catch (error) {
		return error;
	}
}

function rejected(body: string) {
	return new RegistrationRejectedError({status: 400, body, submittedMetadata: {redirect_uris: []}});
}

describe('a login that fails says why', () => {
	test.each([
		[
			'a member that does not fit',
			thrownBy(() => z.object({tokens: z.object({access_token: z.string()})}).parse({tokens: {}})),
			/cannot be used: `tokens\.access_token`: Invalid input/u,
		],
		['text that is no JSON', thrownBy(() => JSON.parse('sk-secretsecret')), /cannot be used: it is not JSON$/u],
		[
			'the words of a library',
			new Error('no jwks', {cause: new Error('too old')}),
			/cannot be used: no jwks: too old$/u,
		],
		[
			'a refused registration',
			rejected('{"error": "invalid_redirect_uri", "error_description": "loopback is not allowed"}'),
			/refused to register Sluice \(400\): invalid_redirect_uri: loopback is not allowed\. Register/u,
		],
		[
			'a refused registration without JSON',
			rejected('Forbidden by policy'),
			/\(400\): Forbidden by policy\. Register/u,
		],
		['a refused registration without words', rejected(''), /\(400\): it did not say why\. Register/u],
		[
			'an error of the server',
			new OAuthError('invalid_grant', 'The code was used'),
			/invalid_grant: The code was used/u,
		],
	])('%s', (_, error, message) => {
		expect(oauthFailure(error).message).toMatch(message);
	});

	test.each([
		new Error('"Bearer abcdefghijkl" is no header value'),
		rejected('{"error": "x", "error_description": "refresh_token=abcdefghijkl is unknown"}'),
		new OAuthError('invalid_grant', 'ghp_abcdefghijkl has expired'),
	])('and never a token: %s', error => {
		const {message} = oauthFailure(error);
		expect(message).toMatch(/‹redacted \d+ chars›/u);
		expect(message).not.toContain('abcdefghijkl');
	});

	test('a problem of our own stays as it is', () => {
		const problem = new Problem('login_timeout');
		expect(oauthFailure(problem)).toBe(problem);
	});
});
