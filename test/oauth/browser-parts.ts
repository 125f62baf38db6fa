import {createServer as createTcpServer} from 'node:net';
import {expect, onTestFinished} from 'vitest';
import {defaultDocumentUrl, documentRedirects} from '../../source/oauth/discovery/client-document.ts';
import {type LoginTools} from '../../source/oauth/login-request.ts';
import {type LoginState} from '../../source/state/person-event.ts';
import {type AuthorizationServerFixture, startAuthorizationServer} from '../simulators/authorization-server.ts';
import {type ObservedLogins, loginTarget, openObservedLogins} from './observed-logins.ts';
import {type ProtectedServer, startProtectedServer} from '../simulators/protected-server.ts';
import {browse} from '../simulators/robot.ts';

export type Parts = {
	readonly authorization: AuthorizationServerFixture;
	readonly server: ProtectedServer;
	readonly observed: ObservedLogins;
};

/** An authorization server that takes client documents, which it finds without a network. */
export function startWithDocuments(): Promise<AuthorizationServerFixture> {
	const document = {
		client_id: defaultDocumentUrl,
		client_name: 'Sluice',
		redirect_uris: documentRedirects,
		grant_types: ['authorization_code', 'refresh_token'],
		response_types: ['code'],
		token_endpoint_auth_method: 'none',
		application_type: 'native',
	};
	return startAuthorizationServer({
		features: {clientIdMetadataDocument: {enabled: true, ack: 'draft-02'}},
		fetch: async () => new Response(JSON.stringify(document), {headers: {'content-type': 'application/json'}}),
	});
}

export async function open(
	options: {
		readonly authorization?: AuthorizationServerFixture;
		readonly tools?: Partial<LoginTools>;
		readonly metadata?: Readonly<Record<string, unknown>>;
	} = {},
): Promise<Parts> {
	const authorization = options.authorization ?? (await startAuthorizationServer());
	const server = await startProtectedServer({
		authorizationServers: () => [authorization.issuer],
		isValid: authorization.isValid,
		...(options.metadata && {metadata: options.metadata}),
	});
	return {authorization, server, observed: openObservedLogins(options.tools)};
}

export function start(
	{observed, server}: Pick<Parts, 'observed' | 'server'>,
	options: Parameters<typeof loginTarget>[1] = {},
	name = 'one',
) {
	return observed.logins.start({
		target: loginTarget(server.url, options, name),
		challenge: undefined,
		document: 'try-again',
	});
}

export const isAwaiting = ({state}: LoginState) => state === 'awaiting-redirect';

/** Logs in as a person in a browser would. */
export async function logIn(parts: Parts, options?: Parameters<typeof loginTarget>[1]) {
	const end = start(parts, options);
	const {authorizationUrl = '', redirectUri = ''} = await parts.observed.until(isAwaiting);
	await browse(authorizationUrl);
	return {end: await end, authorizationUrl: new URL(authorizationUrl), redirectUri};
}

/** Comes back to the callback by hand. */
export async function comeBack(parts: Parts, change: (parameters: URLSearchParams) => void): Promise<Response> {
	const {authorizationUrl = '', redirectUri = ''} = await parts.observed.until(isAwaiting);
	const address = new URL(redirectUri);
	address.searchParams.set('state', new URL(authorizationUrl).searchParams.get('state') ?? '');
	address.searchParams.set('code', 'some-code');
	address.searchParams.set('iss', parts.authorization.issuer);
	change(address.searchParams);
	return fetch(address);
}

export async function occupy(port: number): Promise<void> {
	const server = createTcpServer();
	onTestFinished(() => void server.close());
	// Logins of tests beside this one hold a port for a moment, too.
	await expect
		.poll(
			() =>
				new Promise<boolean>(resolve => {
					server.once('error', () => resolve(false));
					server.listen(port, '127.0.0.1', () => resolve(true));
				}),
			{timeout: 20_000},
		)
		.toBe(true);
}

export const registrations = ({authorization}: Parts) =>
	authorization.requests.filter(({path}) => path === '/reg').length;
export const logLines = ({observed}: Parts) =>
	observed.events.flatMap(event => (event.type === 'log' ? [event.text] : []));
