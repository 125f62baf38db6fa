import {askChallenge} from './discovery/ask-challenge.ts';
import {chooseScope, joinScopes} from './discovery/choose-scope.ts';
import {findAuthorizationServer, findResource} from './discovery/discovery.ts';
import {type LoginRequest, type LoginTools} from './login-request.ts';
import {type LoginSteps} from './login-steps.ts';
import {type OauthFetch} from './oauth-fetch.ts';
import {createTokenFetch} from './tokens/token-fetch.ts';
import {type TokenRecord} from './tokens/token-record.ts';

/** Finds out all that a flow works with. Rejects with Problem. */
export async function prepareLogin(
	request: LoginRequest,
	tools: LoginTools & {
		readonly fetch: OauthFetch['fetch'];
		readonly documentRefused: boolean;
		readonly record: TokenRecord | undefined;
		readonly former: TokenRecord | undefined;
	},
): Promise<LoginSteps> {
	const {target, flow, signal, dispatch, warn} = request;
	const {clock, record, former, documentRefused, checkDocument} = tools;
	const fetch: OauthFetch['fetch'] = (url, init) => tools.fetch(url, {...init, signal});
	const challenge = await findChallenge(request, tools);
	const resource = await findResource(target.url, challenge?.resourceMetadataUrl, fetch);
	const authorizationServer = await findAuthorizationServer(resource, {flow, fetch, signal});
	const {oauth} = target;
	const scope = chooseScope({
		configured: oauth.scope,
		challenged: challenge?.scope,
		notEnough: notEnough(request.challenge, former),
		ofResource: resource.scopes,
		ofAuthorizationServer: authorizationServer.scopes_supported ?? [],
	});
	dispatch({kind: 'found'});
	return {
		target,
		clock,
		fetch: createTokenFetch(fetch, {tokenEndpoint: authorizationServer.token_endpoint, userAgent: oauth.userAgent}),
		checkDocument,
		authorizationServer,
		resource: resource.indicator,
		scope,
		record,
		documentRefused,
		signal,
		dispatch,
		warn,
	};
}

/** What the server said when it last refused a request, or says now; who asks for a wider scope often leaves out where its metadata stands. */
async function findChallenge(
	{target, challenge, signal}: LoginRequest,
	{clock}: Pick<LoginTools, 'clock'>,
): Promise<LoginRequest['challenge']> {
	return challenge?.resourceMetadataUrl === undefined
		? {insufficientScope: false, ...(await askChallenge(target, {clock, signal})), ...challenge}
		: challenge;
}

/** Whether the former token is not enough: the server has just said so, or it stands with the tokens. */
function notEnough(
	challenge: LoginRequest['challenge'],
	former: TokenRecord | undefined,
): Parameters<typeof chooseScope>[0]['notEnough'] {
	const isSaid = challenge?.insufficientScope ?? false;
	return isSaid || former?.demandedScope !== undefined
		? {
				granted: former?.tokens.scope,
				demanded: joinScopes(former?.demandedScope, isSaid ? challenge?.scope : undefined),
			}
		: undefined;
}
