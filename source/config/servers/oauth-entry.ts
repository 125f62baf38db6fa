import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {type Problem} from '../../util/problem.ts';
import {field} from '../values/field-rule.ts';
import {boolLike, choice, numberLike, text, textMapping, toBoolean, toNumber, toTextMapping} from '../values/fields.ts';
import {safeText} from '../../util/safe-text.ts';
import {refuse, type Section, warn} from '../values/section.ts';

/** The time for a person to approve a login, in seconds (docs/connections.md, Timeouts and limits). */
export const approvalSeconds = 300;

/** The keys of `oauth` in config.yaml (docs/logins.md, Client identification). */
const oauthSchema = lazy(() =>
	z.strictObject({
		client_id: text('Identifier of a client registered beforehand.'),
		client_secret: text('Secret of a client registered beforehand.'),
		token_endpoint_auth_method: choice(['none', 'client_secret_basic', 'client_secret_post'], {
			description: 'How the client authenticates at the token endpoint.',
			notice: 'The method is chosen from those that the server offers',
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
			description: 'The kind of login.',
			allowed: 'device, browser',
			noun: 'flow',
		}).optional(),
		client_metadata_url: text('HTTPS address of a client metadata document of your own.'),
		cimd: boolLike('false: always register dynamically.', true),
		user_agent: field(z.string().nullable(), {
			description: 'User-Agent of token requests; empty: that of the program.',
			allowed: 'text',
		}).optional(),
		resource: boolLike('false: send no `resource` (RFC 8707), for servers that refuse it.', true),
		authorize_params: textMapping(
			'More parameters of the authorization request, of the browser and of the device flow.',
		),
		token_params: textMapping('More parameters of the requests for tokens: code, device code and refresh.'),
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
	/** left-out: no resource indicator (RFC 8707) is sent. */
	readonly resource?: 'left-out';
	/** More parameters of the authorization request, none that the login sets itself. */
	readonly authorizeParams?: Readonly<Record<string, string>>;
	/** The same of the requests for tokens. */
	readonly tokenParams?: Readonly<Record<string, string>>;
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
			warn(section, ['oauth'], '`oauth` has no effect without `auth: oauth`');
		}

		return {kind: 'none'};
	}

	const address = oauth.client_metadata_url;
	// A reference may hold any part of the address, so only an address without one is checked here.
	const fault = address && !address.includes('${') ? documentAddressFault(address) : undefined;
	if (fault !== undefined) {
		return {
			kind: 'broken',
			problem: refuse(section, ['oauth', 'client_metadata_url'], `The address ${fault}`),
		};
	}

	const problem = refuseParameters(oauth, section);
	return problem ? {kind: 'broken', problem} : {kind: 'oauth', oauth: toOauth(oauth)};
}

/** Parameters that the login sets itself, or that would replace or reveal them; with `_` for `-` and `.`, as some servers read names. */
const ownParameters: ReadonlySet<string> = new Set(
	`response_type response_mode client_id redirect_uri state scope resource code_challenge code_challenge_method
	code_verifier code grant_type refresh_token device_code client_secret client_assertion client_assertion_type
	request request_uri`.split(/\s+/u),
);

/** Reports every parameter that cannot be configured and returns the last problem; undefined: there is none. */
function refuseParameters(oauth: NonNullable<WrittenLogin['oauth']>, section: Section): Problem | undefined {
	let problem: Problem | undefined;
	for (const key of ['authorize_params', 'token_params'] as const) {
		for (const name of Object.keys(toTextMapping(oauth[key]))) {
			const fault = parameterFault(name);
			problem = fault === undefined ? problem : refuse(section, ['oauth', key, name], fault);
		}
	}

	return problem;
}

function parameterFault(name: string): string | undefined {
	if (!/^[\w.-]+$/u.test(name)) {
		return 'The name is not allowed for a parameter. Allowed: letters, digits, `_`, `-` and `.`';
	}

	return ownParameters.has(name.toLowerCase().replaceAll(/[.-]/gu, '_'))
		? `"${safeText(name, {maximumCharacters: 60})}" is set by the login itself. Remove it`
		: undefined;
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
		resource: toBoolean(written.resource ?? true) === false ? 'left-out' : undefined,
		authorizeParams: written.authorize_params && toTextMapping(written.authorize_params),
		tokenParams: written.token_params && toTextMapping(written.token_params),
	};
}

/** The fault of the address of a client metadata document (docs/logins.md, Your own client document), to complete "The address"; undefined if none. */
export function documentAddressFault(address: string): string | undefined {
	const url = URL.parse(address);
	if (url?.protocol !== 'https:') {
		return 'is not https. Allowed: an https:// address with a path';
	}

	if (url.pathname === '/') {
		return 'has no path. Allowed: an https:// address with a path';
	}

	if (address.includes('#')) {
		return 'has a fragment. Remove `#` and the text after it';
	}

	if (url.username !== '' || url.password !== '' || /^https:\/*[^/?#]*@/iu.test(address)) {
		return 'contains credentials. Remove them';
	}

	// The parser has already resolved such segments, so check the text itself.
	return /\/(?:\.|%2e){1,2}(?:[/?]|$)/iu.test(address) ? 'has `.` or `..` in its path. Remove them' : undefined;
}
