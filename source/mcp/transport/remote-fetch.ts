import {homedir} from 'node:os';
import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {openServerFetch, type ServerFetch} from '../../net/server-fetch.ts';
import {expandTls} from '../../net/tls-options.ts';
import {Problem} from '../../util/problem.ts';
import {authorizeFetch, type ServerLogin} from './authorized-fetch.ts';

export type RemoteConfig = Exclude<TransportConfig, {kind: 'stdio'}>;

/** The address of a remote server, and a fetch with its headers, certificates and redirect rules. */
export type RemoteFetch = ServerFetch & {readonly url: URL};

/** The largest message a server may send. */
export const messageLimitBytes = 10 * 1024 * 1024;

/** Opens the fetch of a remote entry; variables are expanded here. Rejects with config_invalid, file_missing. */
export async function createRemoteFetch(
	config: RemoteConfig,
	options: {
		readonly expand: (text: string) => string;
		readonly environment: Readonly<Record<string, string | undefined>>;
		/** Absent for servers without a login. */
		readonly login?: ServerLogin | undefined;
	},
): Promise<RemoteFetch> {
	const {expand, login} = options;
	const url = parseAddress(expand(config.url));
	const serverFetch = await openServerFetch({
		url,
		headers: expandValues(config.headers, expand),
		tls: expandTls(config.tls, expand),
		home: options.environment['HOME'] ?? homedir(),
		messageLimitBytes,
	});
	return {...serverFetch, url, ...(login && {fetch: authorizeFetch(serverFetch.fetch, login)})};
}

function parseAddress(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
		// The text may contain an expanded secret, so it is not quoted.
		throw new Problem('config_invalid', {message: '`url` must be an http:// or https:// address'});
	}

	return url;
}

/** The members of an object with their variable references replaced. */
export function expandValues(
	values: Readonly<Record<string, string>>,
	expand: (text: string) => string,
): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));
}
