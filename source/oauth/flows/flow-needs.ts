import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {Problem} from '../../util/problem.ts';
import {type AuthorizationServer} from '../discovery/authorization-server.ts';
import {type Resource} from '../discovery/resource.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** What an authorization server lacks for a flow; undefined: nothing. There is no other flow instead (docs/logins.md, Device flow). Pure. */
export function lacks(server: AuthorizationServer, flow: LoginFlow): Problem | undefined {
	switch (flow) {
		case 'device':
			return lackOfDevice(server);
		case 'browser':
			return lackOfBrowser(server);
	}
}

function lackOfDevice(server: AuthorizationServer): Problem | undefined {
	if (server.device_authorization_endpoint === undefined) {
		return unsupported('it offers no device login (no `device_authorization_endpoint`)');
	}

	return server.grant_types_supported && !server.grant_types_supported.includes(deviceGrant)
		? unsupported('it does not offer the `device_code` grant')
		: undefined;
}

function unsupported(what: string): Problem {
	return new Problem('device_login_unsupported', {message: `${what}; \`--flow browser\` is the other way to log in`});
}

function lackOfBrowser(server: AuthorizationServer): Problem | undefined {
	if (server.authorization_endpoint === undefined) {
		return new Problem('login_failed', {
			message: 'it offers no browser login; `--flow device` is the other way to log in',
		});
	}

	if (server.response_types_supported && !server.response_types_supported.includes('code')) {
		return new Problem('login_failed', {message: 'it does not offer authorization codes'});
	}

	const methods = server.code_challenge_methods_supported;
	return methods && !methods.includes('S256')
		? new Problem('login_failed', {message: 'it does not offer PKCE with S256'})
		: undefined;
}

/** Servers of the first revision with logins have no metadata at all: their endpoints stand at fixed places of their own origin. */
export function assumedAuthorizationServer(resource: Resource, flow: LoginFlow): AuthorizationServer | undefined {
	const [origin] = resource.authorizationServers;
	if (flow !== 'browser' || resource.authorizationServersAre !== 'assumed' || origin === undefined) {
		return undefined;
	}

	return {
		issuer: origin,
		authorization_endpoint: `${origin}/authorize`,
		token_endpoint: `${origin}/token`,
		registration_endpoint: `${origin}/register`,
	};
}
