const prefix = 'sluice://resources/';
const appPrefix = 'ui://';

/** A resource, or a template of resources, of a server. */
export type OwnUri = {readonly server: string; readonly uri: string};

/**
The address under which the endpoint serves a resource or a template: the name of its server in front of the server's own address, which stays as it
is (docs/endpoint.md, Resources and prompts). User interfaces keep their scheme, by which programs know them.
*/
export function servedUri({server, uri}: OwnUri): string {
	const name = encodeURIComponent(server);
	return uri.startsWith(appPrefix) ? `${appPrefix}${name}/${uri.slice(appPrefix.length)}` : `${prefix}${name}/${uri}`;
}

/** The resource that is served under an address; undefined for every address that `servedUri` does not make. */
export function ownUri(served: string): OwnUri | undefined {
	const isApp = served.startsWith(appPrefix);
	const rest = isApp ? served.slice(appPrefix.length) : served.startsWith(prefix) ? served.slice(prefix.length) : '';
	const end = rest.indexOf('/');
	const server = end > 0 ? decoded(rest.slice(0, end)) : undefined;
	if (server === undefined) {
		return undefined;
	}

	const own = {server, uri: `${isApp ? appPrefix : ''}${rest.slice(end + 1)}`};
	return servedUri(own) === served ? own : undefined;
}

function decoded(name: string): string | undefined {
	try {
		return decodeURIComponent(name);
	} catch {
		return undefined;
	}
}
