import {type LoginFlow} from '../config/servers/oauth-entry.ts';
import {askChallenge} from './discovery/challenge.ts';
import {chooseScope, joinScopes} from './discovery/choose-scope.ts';
import {findAuthorizationServer} from './discovery/find-authorization-server.ts';
import {findResource} from './discovery/resource.ts';
import {browserFlow} from './flows/browser-flow.ts';
import {callbackPlan} from './flows/callback-port.ts';
import {openCallbackServer} from './flows/callback-server.ts';
import {deviceFlow} from './flows/device-flow.ts';
import {type LoginRequest, type LoginSteps, type LoginTools} from './login-request.ts';
import {createTokenFetch, type OauthFetch, openOauthFetch} from './oauth-fetch.ts';
import {fittingRecord, type Granted, type TokenRecord} from './tokens/token-record.ts';
import {type TokenStore} from './tokens/token-store.ts';

/**
One login from start to end. What the former login left stays as it was until the new tokens are there (docs/logins.md, Device flow).
Rejects with Problem, with errors of the SDK (see `oauthFailure`) and with the reason of the signal.
*/
export async function login(request: LoginRequest, tools: LoginTools): Promise<void> {
	const {target} = request;
	const {server} = target;
	const {store} = tools;
	const previous = await recall(request, store);
	const oauthFetch = await openOauthFetch({...tools, serverUrl: target.url, tls: target.tls, home: target.home});
	try {
		const prepare = () => prepareLogin(request, {...tools, ...previous, fetch: oauthFetch.fetch});
		const {steps, granted} = await runFlow({request, tools, previous, prepare});
		request.signal.throwIfAborted();
		await store.update(server, () => toRecord(steps, granted));
		request.dispatch({kind: 'succeeded'});
	} finally {
		await oauthFetch.close();
	}
}

async function recall({target: {server, url}, document}: LoginRequest, store: TokenStore): Promise<PreviousLogin> {
	const marked = await store.hasRefusedDocument(server);
	const former = fittingRecord(await store.read(server), url);
	if (!marked || document === 'as-marked') {
		return {record: former, former, documentRefused: marked};
	}

	// The registration that took the place of the document would keep it from being tried again.
	await store.markDocument(server, 'usable');
	return {record: undefined, former, documentRefused: false};
}

function toRecord({target, resource, authorizationServer}: LoginSteps, granted: Granted): TokenRecord {
	const {client, tokens, expiresAt} = granted;
	const {client_secret: secret, ...rest} = client;
	return {
		serverUrl: target.url.href,
		...(resource !== undefined && {resource}),
		authorizationServer,
		// The secret of a configured client stands in the configuration, and nowhere else.
		client: client.kind === 'configured' || secret === undefined ? rest : client,
		tokens,
		...(expiresAt !== undefined && {expiresAt}),
	};
}

/** Finds out all that a flow works with. Rejects with Problem. */
async function prepareLogin(
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

/** What former logins left that this one may use. */
type PreviousLogin = {
	readonly documentRefused: boolean;
	/** Absent when its registration is not to be used again. */
	readonly record: LoginSteps['record'];
	/** The tokens of the former login, whatever becomes of its registration. */
	readonly former: LoginSteps['record'];
};

type FlowContext = {
	readonly request: LoginRequest;
	readonly tools: LoginTools;
	readonly previous: PreviousLogin;
	readonly prepare: () => Promise<LoginSteps>;
};

type FlowResult = {readonly steps: LoginSteps; readonly granted: Granted};

/** Runs the flow that was requested, and no other. Rejects as the flows do. */
function runFlow(context: FlowContext): Promise<FlowResult> {
	return flows[context.request.flow](context);
}

const flows: Readonly<Record<LoginFlow, (context: FlowContext) => Promise<FlowResult>>> = {
	async device({prepare}) {
		const steps = await prepare();
		return {steps, granted: await deviceFlow(steps)};
	},
	async browser({request, tools, previous, prepare}) {
		const {oauth, server} = request.target;
		const {openBrowser, store} = tools;
		const callback = await openCallbackServer(
			callbackPlan({oauth, record: previous.record, documentRefused: previous.documentRefused}),
		);
		try {
			request.onCallback(callback.accept);
			const steps = await prepare();
			const refuseDocument = () => store.markDocument(server, 'refused');
			const granted = await browserFlow({...steps, callback, refuseDocument, ...(openBrowser && {openBrowser})});
			return {steps, granted};
		} finally {
			await callback.close();
		}
	},
};
