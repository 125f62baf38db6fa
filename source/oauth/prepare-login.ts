import {askChallenge} from './ask-challenge.ts';
import {chooseScope} from './choose-scope.ts';
import {findAuthorizationServer, findResource} from './discovery.ts';
import {type LoginOrder, type LoginTools} from './login-order.ts';
import {type LoginSteps} from './login-steps.ts';
import {type OauthFetch} from './oauth-fetch.ts';
import {createTokenFetch} from './token-fetch.ts';
import {type TokenRecord} from './token-record.ts';

/** Finds out all that a flow works with. Rejects with Problem. */
export async function prepareLogin(
	order: LoginOrder,
	tools: LoginTools & {
		readonly fetch: OauthFetch['fetch'];
		readonly record: TokenRecord | undefined;
		readonly documentRefused: boolean;
	},
): Promise<LoginSteps> {
	const {target, flow, signal, tell, remark} = order;
	const {clock, record, documentRefused, checkDocument} = tools;
	const fetch: OauthFetch['fetch'] = (url, init) => tools.fetch(url, {...init, signal});
	const challenge = order.challenge ?? (await askChallenge(target, {clock, signal}));
	const resource = await findResource(target.url, challenge?.resourceMetadataUrl, fetch);
	const authorizationServer = await findAuthorizationServer(resource, {flow, fetch, signal});
	const {oauth} = target;
	const scope = chooseScope({
		configured: oauth.scope,
		challenged: challenge?.scope,
		granted: challenge?.insufficientScope ? record?.tokens.scope : undefined,
		ofResource: resource.scopes,
		ofAuthorizationServer: authorizationServer.scopes_supported ?? [],
	});
	tell({kind: 'found'});
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
		tell,
		remark,
	};
}
