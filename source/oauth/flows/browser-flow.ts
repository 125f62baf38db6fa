import {randomBytes} from 'node:crypto';
import {
	exchangeAuthorization,
	OAuthError,
	startAuthorization,
	validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import {approvalSeconds} from '../../config/servers/oauth-entry.ts';
import {openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type AuthorizationServer} from '../protocol/authorization-server.ts';
import {obtainClient} from '../discovery/obtain-client.ts';
import {type LoginSteps} from './login-steps.ts';
import {answerProblem} from '../protocol/oauth-failure.ts';
import {type Granted, toGranted} from '../protocol/token-record.ts';
import {type CallbackServer} from './callback-server.ts';
import {quoted} from '../../util/safe-text.ts';

export type BrowserSteps = LoginSteps & {
	/** Listening since the port was chosen. */
	readonly callback: CallbackServer;
	/** Opens a browser on this machine; absent when none should be opened. */
	readonly openBrowser?: (url: string) => Promise<void>;
	/** Writes the marker `cimd-off`. */
	readonly refuseDocument: () => Promise<void>;
};

/**
Logs in through a browser: authorization code with PKCE, `state`, RFC 9207 issuer and resource indicator. When the token endpoint refuses the client document,
that is recorded and the flow restarts with a registration (docs/logins.md, Client identification). Rejects with Problem and with the errors of the SDK; see `oauthFailure`.
*/
export async function browserFlow(steps: BrowserSteps): Promise<Granted> {
	const client = await findClient(steps, steps.documentRefused);
	try {
		return await authorize(client, steps);
	} catch (error) {
		if (client.kind !== 'document' || !(error instanceof OAuthError) || error.code !== 'invalid_client') {
			throw error;
		}

		await steps.refuseDocument();
		steps.warn(
			`the authorization server refused the client document ${client.client_id}; from now on Sluice registers itself there`,
		);
		steps.dispatch({kind: 'document-refused'});
		return authorize(await findClient(steps, true), steps);
	}
}

function findClient(steps: BrowserSteps, documentRefused: boolean): Promise<Granted['client']> {
	const {target, authorizationServer, callback, record, scope, clock} = steps;
	const {redirectUri} = callback;
	const request = {flow: 'browser', oauth: target.oauth, authorizationServer, redirectUri, record, scope} as const;
	return obtainClient({...request, documentRefused, now: clock.now()}, steps);
}

async function authorize(client: Granted['client'], steps: BrowserSteps): Promise<Granted> {
	const {authorizationServer, callback, resource, scope, clock, target} = steps;
	const metadata = forSdk(authorizationServer);
	const common = {metadata, clientInformation: client, ...(resource !== undefined && {resource})};
	const state = randomBytes(32).toString('base64url');
	const {authorizationUrl, codeVerifier} = await startAuthorization(authorizationServer.issuer, {
		...common,
		redirectUrl: callback.redirectUri,
		state,
		...(scope !== undefined && {scope}),
	});
	for (const [name, value] of Object.entries(target.oauth.authorizeParams ?? {})) {
		authorizationUrl.searchParams.set(name, value);
	}

	const answer = await awaitRedirect(authorizationUrl.href, {client, state, steps});
	const code = readRedirect(answer, authorizationServer);
	steps.dispatch({kind: 'redirected'});
	const tokens = await exchangeAuthorization(authorizationServer.issuer, {
		...common,
		authorizationCode: code,
		...(answer.has('iss') && {iss: answer.get('iss') ?? ''}),
		codeVerifier,
		redirectUri: callback.redirectUri,
		fetchFn: steps.fetch,
	});
	return toGranted(tokens, {client, now: clock.now(), ...(scope !== undefined && {scope})});
}

/** The SDK requires members that discovery has already checked. */
function forSdk(server: BrowserSteps['authorizationServer']) {
	return {
		...server,
		authorization_endpoint: server.authorization_endpoint ?? '',
		response_types_supported: server.response_types_supported ?? ['code'],
	};
}

type Awaiting = {readonly client: Granted['client']; readonly state: string; readonly steps: BrowserSteps};

async function awaitRedirect(authorizationUrl: string, {client, state, steps}: Awaiting): Promise<URLSearchParams> {
	const {callback, clock, openBrowser} = steps;
	const limit = openDeadline(clock, approvalSeconds * 1000, {
		signal: steps.signal,
		reason: () => new Problem('login_timeout', {message: timeoutText(client)}),
	});
	try {
		const namesIssuer = steps.authorizationServer.authorization_response_iss_parameter_supported === true;
		const redirected = callback.await({state, bareCode: namesIssuer ? 'refused' : 'taken'});
		steps.dispatch({
			kind: 'redirect-awaited',
			awaited: {
				authorizationUrl,
				redirectUri: callback.redirectUri,
				expiresAt: clock.now() + approvalSeconds * 1000,
			},
		});
		await openBrowser?.(authorizationUrl).catch(() =>
			steps.warn('no browser could be opened; open the address yourself'),
		);
		return await untilAborted(redirected, limit.signal);
	} finally {
		limit.cancel();
	}
}

/** A server that rejects the document shows that only in the browser; Sluice gets no redirect (docs/logins.md, Client identification). */
function timeoutText(client: Granted['client']): string {
	const waited = `No redirect arrived within ${approvalSeconds / 60} minutes`;
	return client.kind === 'document'
		? `${waited}. If the browser showed an error about an invalid client, the authorization server cannot use the client document ${client.client_id}. Set \`cimd: false\` under \`oauth\` and log in again`
		: waited;
}

/**
The code of a redirect. The issuer (RFC 9207) is checked first: texts of another server are not even read.
Throws `issuer_mismatch`, `login_denied` or `login_failed`. Pure.
*/
function readRedirect(answer: URLSearchParams, server: AuthorizationServer): string {
	const iss = answer.get('iss') ?? undefined;
	try {
		validateAuthorizationResponseIssuer({
			iss,
			expectedIssuer: server.issuer,
			issParameterSupported: server.authorization_response_iss_parameter_supported === true,
		});
	} catch {
		const received = iss === undefined ? 'none' : quoted(iss, {maximumCharacters: 200});
		throw new Problem('issuer_mismatch', {
			message: `The redirect names the issuer ${received} instead of ${quoted(server.issuer, {maximumCharacters: 200})}`,
		});
	}

	const error = answer.get('error');
	if (error !== null) {
		throw answerProblem(error, answer.get('error_description') ?? undefined);
	}

	const code = answer.get('code');
	if (!code) {
		throw new Problem('login_failed', {message: 'The redirect has neither a code nor an error'});
	}

	return code;
}
