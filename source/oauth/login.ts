import {type Granted} from './granted.ts';
import {type LoginOrder, type LoginTools} from './login-order.ts';
import {type LoginSteps} from './login-steps.ts';
import {openOauthFetch} from './oauth-fetch.ts';
import {prepareLogin} from './prepare-login.ts';
import {type Kept, runFlow} from './run-flow.ts';
import {type TokenRecord} from './token-record.ts';
import {type TokenStore} from './token-store.ts';

/**
One login from start to end. What the former login left stays as it was until the new tokens are there (spec/mcp-servers.md, Device-code login 8).
Rejects with Problem, with errors of the SDK (see `oauthFailure`) and with the reason of the signal.
*/
export async function login(order: LoginOrder, tools: LoginTools): Promise<void> {
	const {target} = order;
	const {server} = target;
	const {store} = tools;
	const {record, documentRefused} = await recall(order, store);
	const oauthFetch = await openOauthFetch({...tools, serverUrl: target.url, tls: target.tls, home: target.home});
	try {
		const kept = {record, documentRefused};
		const prepare = () => prepareLogin(order, {...tools, ...kept, fetch: oauthFetch.fetch});
		const {steps, granted} = await runFlow({order, tools, kept, prepare});
		order.signal.throwIfAborted();
		await store.update(server, () => toRecord(steps, granted));
		order.tell({kind: 'succeeded'});
	} finally {
		await oauthFetch.close();
	}
}

async function recall({target: {server, url}, document}: LoginOrder, store: TokenStore): Promise<Kept> {
	const marked = await store.hasRefusedDocument(server);
	const kept = await store.read(server);
	// Tokens for another address are those of another server.
	const record = kept?.serverUrl === url.href ? kept : undefined;
	if (!marked || document === 'as-marked') {
		return {record, documentRefused: marked};
	}

	// The registration that took the place of the document would keep it from being tried again.
	await store.markDocument(server, 'usable');
	return {record: undefined, documentRefused: false};
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
