import {type ClientAuth, type Configuration} from 'openid-client';
import {Problem} from '../../util/problem.ts';
import {type LoginSteps} from '../login-request.ts';
import {type KnownClient} from '../tokens/token-record.ts';

/** The package, which is loaded when a device login needs it. */
type OpenidClient = typeof import('openid-client');

/** What an authorization server answered: what was asked for, or an error of OAuth. */
export type Asked<Answer> =
	| {readonly kind: 'answered'; readonly answer: Answer}
	| {readonly kind: 'refused'; readonly error: string; readonly description: string | undefined};

/** Makes a request of openid-client; errors of OAuth are answers like any other. Rejects with Problem and with errors of openid-client. */
export async function askOpenid<Answer>(openid: OpenidClient, request: () => Promise<Answer>): Promise<Asked<Answer>> {
	try {
		return {kind: 'answered', answer: await request()};
	} catch (error) {
		if (error instanceof openid.ResponseBodyError) {
			return {kind: 'refused', error: error.error, description: error.error_description};
		}

		throw error instanceof Error && error.cause instanceof Problem ? error.cause : error;
	}
}

/** The authorization server and Sluice as openid-client knows them. */
export function configureOpenid(
	openid: OpenidClient,
	client: KnownClient,
	{authorizationServer, fetch}: LoginSteps,
): Configuration {
	const configuration = new openid.Configuration(
		authorizationServer,
		client.client_id,
		client.client_secret,
		authentication(openid, client, authorizationServer.token_endpoint_auth_methods_supported),
	);
	configuration[openid.customFetch] = (url, {body, ...init}) =>
		fetch(url, {...init, ...(body !== undefined && {body})});
	// Where http is allowed at all is decided by the fetch: on this machine alone.
	openid.allowInsecureRequests(configuration);
	return configuration;
}

function authentication(
	openid: OpenidClient,
	{client_secret: secret, token_endpoint_auth_method: method}: KnownClient,
	supported: readonly string[] | undefined,
): ClientAuth {
	if (secret === undefined || method === 'none') {
		return openid.None();
	}

	const posts =
		method === 'client_secret_post' ||
		(method === undefined && supported !== undefined && !supported.includes('client_secret_basic'));
	return posts ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret);
}
