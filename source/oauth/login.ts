import {type Clock} from '../util/clock.ts';
import {askChallenge} from './discovery/challenge.ts';
import {chooseScope, joinScopes} from './discovery/choose-scope.ts';
import {findAuthorizationServer} from './discovery/find-authorization-server.ts';
import {findResource} from './discovery/resource.ts';
import {browserFlow} from './flows/browser-flow.ts';
import {callbackPlan} from './flows/callback-port.ts';
import {openCallbackServer} from './flows/callback-server.ts';
import {deviceFlow} from './flows/device-flow.ts';
import {type LoginSteps} from './flows/login-steps.ts';
import {type LoginRequest, type LoginTools} from './login-request.ts';
import {createTokenFetch, type OauthFetch, openOauthFetch} from './protocol/oauth-fetch.ts';
import {fittingRecord, type Granted, type TokenRecord} from './protocol/token-record.ts';
import {type TokenStore} from './tokens/token-store.ts';

/** The reusable results of previous logins. */
type PreviousLogin = {
	readonly documentRefused: boolean;
	/** Absent when its registration must not be reused. */
	readonly record: TokenRecord | undefined;
	/** The tokens of the previous login, even when its registration is not reused. */
	readonly former: TokenRecord | undefined;
};

/** Shared by the parts of one login. */
type LoginContext = {
	readonly request: LoginRequest;
	readonly tools: LoginTools;
	readonly previous: PreviousLogin;
	readonly fetch: OauthFetch['fetch'];
};

type FlowResult = {readonly steps: LoginSteps; readonly granted: Granted};

/**
One login from start to end. The previous login's record stays unchanged until the new tokens arrive (docs/logins.md, Device flow).
Rejects with Problem, with errors of the SDK (see `oauthFailure`) and with the reason of the signal.
*/
export async function login(request: LoginRequest, tools: LoginTools): Promise<void> {
	const {target, flow, signal, dispatch} = request;
	const {store} = tools;
	const previous = await readPrevious(request, store);
	const {fetch, close} = await openOauthFetch({...tools, serverUrl: target.url, tls: target.tls, home: target.home});
	const context = {request, tools, previous, fetch};
	try {
		const {steps, granted} = flow === 'device' ? await runDeviceFlow(context) : await runBrowserFlow(context);
		signal.throwIfAborted();
		await store.update(target.server, () => toRecord(steps, granted));
		dispatch({kind: 'succeeded'});
	} finally {
		await close();
	}
}

async function readPrevious(
	{target: {server, url}, document}: LoginRequest,
	store: TokenStore,
): Promise<PreviousLogin> {
	const marked = await store.hasRefusedDocument(server);
	const former = fittingRecord(await store.read(server), url);
	if (!marked || document === 'as-marked') {
		return {record: former, former, documentRefused: marked};
	}

	// Otherwise the registration that replaced the document would be reused.
	await store.markDocument(server, 'usable');
	return {record: undefined, former, documentRefused: false};
}

async function runDeviceFlow(context: LoginContext): Promise<FlowResult> {
	const steps = await prepareLogin(context);
	return {steps, granted: await deviceFlow(steps)};
}

/** Binds the callback first: the redirect address is part of the client's identity. */
async function runBrowserFlow(context: LoginContext): Promise<FlowResult> {
	const {request, tools, previous} = context;
	const {oauth, server} = request.target;
	const {openBrowser, store} = tools;
	const {record, documentRefused} = previous;
	const callback = await openCallbackServer(callbackPlan({oauth, record, documentRefused}));
	try {
		request.onCallback(callback.accept);
		const steps = await prepareLogin(context);
		const refuseDocument = () => store.markDocument(server, 'refused');
		const granted = await browserFlow({...steps, callback, refuseDocument, ...(openBrowser && {openBrowser})});
		return {steps, granted};
	} finally {
		await callback.close();
	}
}

/** Finds the authorization server and the scope, the input of a flow. Rejects with Problem. */
async function prepareLogin(context: LoginContext): Promise<LoginSteps> {
	const {request, tools, previous} = context;
	const {target, flow, signal, dispatch, warn} = request;
	const {clock, checkDocument} = tools;
	const {record, former, documentRefused} = previous;
	const fetch: OauthFetch['fetch'] = (url, init) => context.fetch(url, {...init, signal});
	const challenge = await findChallenge(request, clock);
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
		fetch: createTokenFetch(fetch, {tokenEndpoint: authorizationServer.token_endpoint, oauth}),
		checkDocument,
		authorizationServer,
		resource: oauth.resource === 'left-out' ? undefined : resource.indicator,
		scope,
		record,
		documentRefused,
		signal,
		dispatch,
		warn,
	};
}

/** The challenge of the last refused request. One for a wider scope often lacks the metadata address: then the server is asked for a new one. */
async function findChallenge(
	{target, challenge, signal}: LoginRequest,
	clock: Clock,
): Promise<LoginRequest['challenge']> {
	return challenge?.resourceMetadataUrl === undefined
		? {insufficientScope: false, ...(await askChallenge(target, {clock, signal})), ...challenge}
		: challenge;
}

/** True if the previous token had insufficient scope: by the challenge, or by the record stored with the tokens. */
function notEnough(
	challenge: LoginRequest['challenge'],
	former: TokenRecord | undefined,
): Parameters<typeof chooseScope>[0]['notEnough'] {
	const isRefused = challenge?.insufficientScope ?? false;
	return isRefused || former?.demandedScope !== undefined
		? {
				granted: former?.tokens.scope,
				demanded: joinScopes(former?.demandedScope, isRefused ? challenge?.scope : undefined),
			}
		: undefined;
}

function toRecord({target, resource, authorizationServer}: LoginSteps, granted: Granted): TokenRecord {
	const {client, tokens, expiresAt} = granted;
	const {client_secret: secret, ...rest} = client;
	return {
		serverUrl: target.url.href,
		...(resource !== undefined && {resource}),
		authorizationServer,
		// A configured client's secret is stored only in the configuration.
		client: client.kind === 'configured' || secret === undefined ? rest : client,
		tokens,
		...(expiresAt !== undefined && {expiresAt}),
	};
}
