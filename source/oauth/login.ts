import {type Granted} from './tokens/granted.ts';
import {type LoginRequest, type LoginTools} from './login-request.ts';
import {type LoginSteps} from './login-steps.ts';
import {openOauthFetch} from './oauth-fetch.ts';
import {prepareLogin} from './prepare-login.ts';
import {type PreviousLogin, runFlow} from './flows/run-flow.ts';
import {fittingRecord, type TokenRecord} from './tokens/token-record.ts';
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
