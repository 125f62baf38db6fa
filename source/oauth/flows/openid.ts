import {type ClientAuth, type Configuration} from 'openid-client';
import {Problem} from '../../util/problem.ts';
import {type LoginSteps} from './login-steps.ts';
import {type KnownClient} from '../protocol/token-record.ts';

/** The package, loaded when a device login needs it. */
type OpenidClient = typeof import('openid-client');

/** The response of an authorization server: the result, or an OAuth error. */
export type Asked<Answer> =
	| {readonly kind: 'answered'; readonly answer: Answer}
	| {readonly kind: 'refused'; readonly error: string; readonly description: string | undefined};

/** Makes a request of openid-client and returns OAuth errors as values. Rejects with Problem and with errors of openid-client. */
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

/** The authorization server and Sluice as openid-client's configuration. */
export function configureOpenid(
	openid: OpenidClient,
	client: KnownClient,
	{authorizationServer, fetch}: Pick<LoginSteps, 'authorizationServer' | 'fetch'>,
): Configuration {
	const configuration = new openid.Configuration(
		authorizationServer,
		client.client_id,
		client.client_secret,
		authentication(openid, client, authorizationServer.token_endpoint_auth_methods_supported),
	);
	configuration[openid.customFetch] = (url, {body, ...init}) =>
		fetch(url, {...init, ...(body !== undefined && {body})});
	// The fetch decides where http is allowed: only on this machine.
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
