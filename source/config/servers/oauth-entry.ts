import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {type Problem} from '../../util/problem.ts';
import {field} from '../values/field-rule.ts';
import {boolLike, choice, numberLike, text, toBoolean, toNumber} from '../values/fields.ts';
import {refuse, type Section, warn} from '../values/section.ts';

/** The time for a person to approve a login, in seconds (docs/tool-servers.md, Timeouts and limits). */
export const approvalSeconds = 300;

/** The keys of `oauth` in config.yaml (docs/logins.md, Client identification). */
const oauthSchema = lazy(() =>
	z.strictObject({
		client_id: text('Identifier of a client registered beforehand.'),
		client_secret: text('Secret of a client registered beforehand.'),
		token_endpoint_auth_method: choice(['none', 'client_secret_basic', 'client_secret_post'], {
			description: 'How the client authenticates at the token endpoint.',
			notice: 'the method is chosen from what the server offers',
		}),
		client_name: text('Name under which the client registers.'),
		redirect_uri: text('Replaces the redirect address.'),
		redirect_port: numberLike('Replaces the callback port.', {
			fallback: undefined,
			minimum: 0,
			maximum: 65_535,
			whole: true,
		}),
		scope: text('Scope to request.'),
		timeout: numberLike('How long to wait for the approval of a device login, in seconds.', {
			fallback: approvalSeconds,
			minimum: 0.001,
			unit: 'seconds',
		}),
		flow: field(z.enum(['device', 'browser']), {
			description: 'Which login is used.',
			allowed: 'device, browser',
		}).optional(),
		client_metadata_url: text('HTTPS address of a client metadata document of your own.'),
		cimd: boolLike('false: always register dynamically.', true),
		user_agent: field(z.string().nullable(), {
			description: 'User-Agent of token requests; empty: that of the program.',
			allowed: 'text',
		}).optional(),
	}),
);

/** The two keys of a server entry about logins. */
export const loginShape = lazy(() => ({
	auth: field(z.enum(['oauth']), {description: 'oauth: log in with OAuth 2.1.', allowed: 'oauth'}).optional(),
	oauth: field(oauthSchema(), {
		description: 'Options of the login.',
		allowed: `a mapping with ${Object.keys(oauthSchema().shape).join(', ')}`,
	}).optional(),
}));

type WrittenLogin = {
	readonly auth?: 'oauth' | undefined;
	readonly oauth?: z.output<ReturnType<typeof oauthSchema>> | undefined;
};

/** Log in with a browser on this machine, or with a code that a person enters on any device. */
export type LoginFlow = 'browser' | 'device';

/** The login settings of a remote server, with variable references unresolved. */
export type OauthConfig = {
	readonly flow: LoginFlow;
	readonly clientId?: string;
	readonly clientSecret?: string;
	readonly tokenEndpointAuthMethod?: 'none' | 'client_secret_basic' | 'client_secret_post';
	readonly clientName?: string;
	readonly redirectUri?: string;
	readonly redirectPort?: number;
	readonly scope?: string;
	/** The time limit for the approval of a device login. */
	readonly timeoutSeconds: number;
	/** The person's own client metadata document. */
	readonly clientMetadataUrl?: string;
	/** register: never uses a client document, always registers dynamically. */
	readonly identification: 'document' | 'register';
	/** User-Agent of token requests. */
	readonly userAgent?: string;
};

/** The settings of a login for which nothing is configured. */
export const usualOauth: OauthConfig = {flow: 'browser', timeoutSeconds: approvalSeconds, identification: 'document'};

/** The login settings of an entry; broken: they are unusable. */
export type ParsedLogin =
	| {readonly kind: 'none'}
	| {readonly kind: 'oauth'; readonly oauth: OauthConfig}
	| {readonly kind: 'broken'; readonly problem: Problem};

/** Reads `auth` and `oauth` of a remote entry; `section` is the entry. */
export function parseLogin({auth, oauth = {}}: WrittenLogin, section: Section): ParsedLogin {
	if (auth !== 'oauth') {
		if (Object.keys(oauth).length > 0) {
			warn(section, ['oauth'], 'found without `auth: oauth`; it has no effect');
		}

		return {kind: 'none'};
	}

	const address = oauth.client_metadata_url;
	// A reference may hold any part of the address, so only an address without one is checked here.
	const fault = address && !address.includes('${') ? documentAddressFault(address) : undefined;
	if (fault !== undefined) {
		return {
			kind: 'broken',
			problem: refuse(section, ['oauth', 'client_metadata_url'], `found an address that ${fault}`),
		};
	}

	return {kind: 'oauth', oauth: toOauth(oauth)};
}

/** An empty string counts as a missing key. */
function toOauth(written: NonNullable<WrittenLogin['oauth']>): OauthConfig {
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

/** What is wrong with the address of a client metadata document (docs/logins.md, Your own client document), to complete "an address that"; undefined: nothing. */
export function documentAddressFault(address: string): string | undefined {
	const url = URL.parse(address);
	if (url?.protocol !== 'https:') {
		return 'is not https, allowed: an https:// address with a path';
	}

	if (url.pathname === '/') {
		return 'has no path, allowed: an https:// address with a path';
	}

	if (address.includes('#')) {
		return 'has a fragment, allowed: none';
	}

	if (url.username !== '' || url.password !== '' || /^https:\/*[^/?#]*@/iu.test(address)) {
		return 'holds credentials, allowed: none';
	}

	// The parser has already resolved such segments, so check the text itself.
	return /\/(?:\.|%2e){1,2}(?:[/?]|$)/iu.test(address) ? 'has . or .. in its path, allowed: none' : undefined;
}
