import {documentAddressFault, type OauthConfig, usualOauth} from '../../config/servers/oauth-entry.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {expandTls, type TlsChoice} from '../../net/tls-options.ts';
import {Problem} from '../../util/problem.ts';

/** A server to log in to, with every variable reference replaced. */
export type LoginTarget = {
	readonly server: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly tls: TlsChoice;
	/** The folder that `~` in paths refers to. */
	readonly home: string;
	readonly oauth: OauthConfig;
};

type Expansion = {readonly expand: (text: string) => string; readonly home: string};

/**
The login target of an entry, its references replaced; undefined when the entry has no login.
Throws `config_invalid` when one of its addresses is invalid after the replacement.
*/
export function toLoginTarget({name, transport}: ServerConfig, {expand, home}: Expansion): LoginTarget | undefined {
	if (transport.kind === 'stdio' || !transport.oauth) {
		return undefined;
	}

	const url = webAddress(expand(transport.url), 'url');
	const oauth = expandTexts(transport.oauth, expand);
	if (oauth.redirectUri !== undefined) {
		webAddress(oauth.redirectUri, 'oauth.redirect_uri');
	}

	const fault = oauth.clientMetadataUrl && documentAddressFault(oauth.clientMetadataUrl);
	if (fault) {
		throw new Problem('config_invalid', {message: `\`client_metadata_url\` ${fault}`});
	}

	const headers = Object.fromEntries(Object.entries(transport.headers).map(([key, text]) => [key, expand(text)]));
	return {server: name, url, headers, tls: expandTls(transport.tls, expand), home, oauth};
}

/**
The target for revoking the stored tokens of a server (docs/logins.md, Log out), whose entry may have lost its login, or be gone, since they were issued.
Throws `config_invalid` as `toLoginTarget` does.
*/
export function toRevocationTarget(
	{server, config}: {readonly server: string; readonly config: ServerConfig | undefined},
	expansion: Expansion,
): Omit<LoginTarget, 'url'> {
	const target = config && toLoginTarget(config, expansion);
	if (target) {
		return target;
	}

	const tls: TlsChoice =
		config && config.transport.kind !== 'stdio'
			? expandTls(config.transport.tls, expansion.expand)
			: {verification: {kind: 'system'}};
	return {server, headers: {}, tls, home: expansion.home, oauth: usualOauth};
}

/** Throws `config_invalid`. The text may contain an expanded secret, so it is not quoted. */
function webAddress(text: string, key: string): URL {
	const url = URL.parse(text);
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
		throw new Problem('config_invalid', {message: `\`${key}\` must be an http:// or https:// address`});
	}

	return url;
}

function expandTexts(oauth: OauthConfig, expand: Expansion['expand']): OauthConfig {
	const text = (written: string | undefined) => (written === undefined ? undefined : expand(written));
	const texts = (written: Readonly<Record<string, string>> | undefined) =>
		written && Object.fromEntries(Object.entries(written).map(([name, value]) => [name, expand(value)]));
	return {
		...oauth,
		clientId: text(oauth.clientId),
		clientSecret: text(oauth.clientSecret),
		clientName: text(oauth.clientName),
		redirectUri: text(oauth.redirectUri),
		scope: text(oauth.scope),
		clientMetadataUrl: text(oauth.clientMetadataUrl),
		userAgent: text(oauth.userAgent),
		authorizeParams: texts(oauth.authorizeParams),
		tokenParams: texts(oauth.tokenParams),
	};
}
