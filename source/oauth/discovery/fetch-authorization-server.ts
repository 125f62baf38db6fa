import {buildDiscoveryUrls} from '@modelcontextprotocol/client';
import {parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AuthorizationServer, authorizationServerSchema} from './authorization-server.ts';
import {type OauthFetch} from '../oauth-fetch.ts';

/** An authorization server as the tool server names it, and what its metadata may call itself. */
export type NamedAuthorizationServer = {readonly address: string; readonly issuers: readonly string[]};

/**
Fetches the metadata of an authorization server (RFC 8414, then OpenID Connect Discovery). Its issuer must be one of `issuers`, character by character.
Undefined: there is none. Rejects with `issuer_mismatch` naming both, with `login_failed` when it cannot be used, and with the problems of the fetch.
*/
export async function fetchAuthorizationServer(
	{address, issuers}: NamedAuthorizationServer,
	fetch: OauthFetch['fetch'],
): Promise<AuthorizationServer | undefined> {
	if (!URL.canParse(address)) {
		throw new Problem('login_failed', {message: 'its address is not one'});
	}

	for (const {url} of buildDiscoveryUrls(address)) {
		const answer = await fetch(url, {headers: {accept: 'application/json'}});
		if (answer.ok) {
			return parseMetadata(await answer.text(), {address, issuers});
		}

		if (answer.status >= 500 && answer.status !== 502) {
			throw new Problem('login_failed', {message: `its metadata answered ${answer.status}`});
		}
	}

	return undefined;
}

function parseMetadata(text: string, {address, issuers}: NamedAuthorizationServer): AuthorizationServer {
	const parsed = authorizationServerSchema.safeParse(parseJson(text));
	if (!parsed.success) {
		const key = parsed.error.issues[0]?.path.join('.') ?? '';
		throw new Problem('login_failed', {message: `its metadata cannot be used: ${key || 'it is no JSON object'}`});
	}

	const {issuer} = parsed.data;
	if (!issuers.includes(issuer)) {
		throw new Problem('issuer_mismatch', {
			message: `its metadata is of the issuer ${shown(issuer)}, but ${shown(address)} was asked`,
		});
	}

	return parsed.data;
}

function shown(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}
