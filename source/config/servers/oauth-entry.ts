import {type z} from 'zod';
import {type Problem} from '../../util/problem.ts';
import {toBoolean} from '../values/bool-like.ts';
import {documentAddressFault} from './document-address.ts';
import {toNumber} from '../values/number-like.ts';
import {approvalSeconds, type oauthSchema} from './oauth-schema.ts';
import {refuse, type Section, warn} from '../values/section.ts';

/** Which login a server wants: a browser on this machine, or a code that is entered anywhere. */
export type LoginFlow = 'browser' | 'device';

/** How Sluice logs in to a remote server. Texts still hold their variable references. */
export type OauthConfig = {
	readonly flow: LoginFlow;
	readonly clientId?: string;
	readonly clientSecret?: string;
	readonly tokenEndpointAuthMethod?: 'none' | 'client_secret_basic' | 'client_secret_post';
	readonly clientName?: string;
	readonly redirectUri?: string;
	readonly redirectPort?: number;
	readonly scope?: string;
	/** How long a device approval is waited for. */
	readonly timeoutSeconds: number;
	/** A client metadata document of the person's own. */
	readonly clientMetadataUrl?: string;
	/** register: no client document is ever named, the client always registers dynamically. */
	readonly identification: 'document' | 'register';
	/** User-Agent of token requests. */
	readonly userAgent?: string;
};

type Written = {
	readonly auth?: 'oauth' | undefined;
	readonly oauth?: z.output<ReturnType<typeof oauthSchema>> | undefined;
};

/** How an entry logs in: not at all, so, or not usable. */
export type ParsedLogin =
	| {readonly kind: 'none'}
	| {readonly kind: 'oauth'; readonly oauth: OauthConfig}
	| {readonly kind: 'broken'; readonly problem: Problem};

/** Reads `auth` and `oauth` of a remote entry; `section` stands at the entry. */
export function parseLogin({auth, oauth = {}}: Written, section: Section): ParsedLogin {
	if (auth !== 'oauth') {
		if (Object.keys(oauth).length > 0) {
			warn(section, ['oauth'], 'found without `auth: oauth`; it has no effect');
		}

		return {kind: 'none'};
	}

	const address = oauth.client_metadata_url;
	// A reference may hold any part of the address, so only a finished one is checked here.
	const fault = address && !address.includes('${') ? documentAddressFault(address) : undefined;
	if (fault !== undefined) {
		return {
			kind: 'broken',
			problem: refuse(section, ['oauth', 'client_metadata_url'], `found an address that ${fault}`),
		};
	}

	return {kind: 'oauth', oauth: toOauth(oauth)};
}

/** Empty texts are keys that were not written. */
function toOauth(written: z.output<ReturnType<typeof oauthSchema>>): OauthConfig {
	return {
		flow: written.flow ?? 'browser',
		clientId: written.client_id || undefined,
		clientSecret: written.client_secret || undefined,
		tokenEndpointAuthMethod: written.token_endpoint_auth_method,
		clientName: written.client_name || undefined,
		redirectUri: written.redirect_uri || undefined,
		redirectPort: written.redirect_port === undefined ? undefined : Number(written.redirect_port),
		scope: written.scope || undefined,
		timeoutSeconds: toNumber(written.timeout, approvalSeconds),
		clientMetadataUrl: written.client_metadata_url || undefined,
		identification: toBoolean(written.cimd ?? true) === false ? 'register' : 'document',
		userAgent: written.user_agent || undefined,
	};
}
