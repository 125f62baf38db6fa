import {type OauthConfig} from '../../config/servers/oauth-entry.ts';
import {type TokenRecord} from '../protocol/token-record.ts';
import {callbackPath, callbackPorts} from '../discovery/client-document.ts';

/** The address on which a browser login listens for its redirect. */
export type CallbackPlan =
	/** The five ports of the client document, the first free one; a random one when all are taken. */
	| {readonly kind: 'pinned'}
	| {
			readonly kind: 'random';
			readonly why: string;
			/** The random port of a stored registration, reused when it is free. */
			readonly before?: number;
	  }
	/** The configured port, address or both. 0 is a random port. */
	| {readonly kind: 'configured'; readonly port: number; readonly address?: string};

/**
Chooses the callback (docs/logins.md, Callback ports). Pinned for any flow that could use the client document; logins driven by a web or
desktop app, which would get a random port too, do not exist here (docs/logins.md, Start a login).
*/
export function callbackPlan(options: {
	readonly oauth: OauthConfig;
	/** The record of the last login; undefined: there is none. */
	readonly record: Pick<TokenRecord, 'authorizationServer' | 'client'> | undefined;
	/** The marker `cimd-off` is set. */
	readonly documentRefused: boolean;
}): CallbackPlan {
	const {oauth, record, documentRefused} = options;
	if (oauth.redirectUri !== undefined || oauth.redirectPort !== undefined) {
		const port = oauth.redirectPort ?? portOf(oauth.redirectUri ?? '');
		return {kind: 'configured', port, ...(oauth.redirectUri !== undefined && {address: oauth.redirectUri})};
	}

	const why = reasonAgainstDocument({oauth, record, documentRefused});
	return why === undefined ? {kind: 'pinned'} : {kind: 'random', why, ...portBefore(record)};
}

function portBefore(record: Pick<TokenRecord, 'client'> | undefined): {readonly before?: number} {
	const before = portOf(record?.client.redirect_uris?.[0] ?? '');
	return before === 0 || callbackPorts.includes(before) ? {} : {before};
}

function reasonAgainstDocument({
	oauth,
	record,
	documentRefused,
}: Parameters<typeof callbackPlan>[0]): string | undefined {
	const own = (['clientId', 'clientSecret', 'clientName', 'tokenEndpointAuthMethod'] as const).find(
		key => oauth[key] !== undefined,
	);
	if (own !== undefined) {
		return 'the configuration describes the client';
	}

	if (oauth.identification === 'register') {
		return '`cimd` is false';
	}

	if (documentRefused) {
		return 'the server has rejected the client document before';
	}

	if (record?.client.kind === 'registered') {
		return 'a registration is stored';
	}

	return record && record.authorizationServer.client_id_metadata_document_supported !== true
		? 'the server does not accept client documents'
		: undefined;
}

/** The redirect address for a bound port. */
export function redirectAddress(plan: CallbackPlan, port: number): string {
	return plan.kind === 'configured' && plan.address !== undefined
		? plan.address
		: `http://127.0.0.1:${port}${callbackPath}`;
}

/** The ports to try, in order; 0 is any free one. */
export function portsToTry(plan: CallbackPlan): readonly number[] {
	switch (plan.kind) {
		case 'pinned':
			return [...callbackPorts, 0];
		case 'random':
			return plan.before === undefined ? [0] : [plan.before, 0];
		case 'configured':
			return [plan.port];
	}
}

/** Only a loopback address refers to a port of this machine. */
function portOf(address: string): number {
	const url = URL.parse(address);
	return url && /^(127\.0\.0\.1|localhost|\[::1\])$/u.test(url.hostname) ? Number(url.port || '80') : 0;
}
