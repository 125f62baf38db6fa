/** The names in a list of scopes (RFC 6749, 3.3). */
export function scopeNames(scope: string | undefined): Set<string> {
	return new Set(scope?.split(/\s+/u).filter(name => name !== ''));
}

/** The union of these scopes, without duplicates. */
export function joinScopes(...scopes: ReadonlyArray<string | undefined>): string {
	return [...scopeNames(scopes.join(' '))].join(' ');
}

/**
The scope to request: the configured one, else the one the server asked for, else all that it supports. A token with insufficient scope
is replaced by one with its scopes and the missing ones. Undefined: the server decides. Pure.
*/
export function chooseScope(request: {
	readonly configured: string | undefined;
	/** The scope in the challenge to a request without a token. */
	readonly challenged: string | undefined;
	/** Set when the previous token had insufficient scope. */
	readonly notEnough: {readonly granted: string | undefined; readonly demanded: string} | undefined;
	readonly ofResource: readonly string[];
	readonly ofAuthorizationServer: readonly string[];
}): string | undefined {
	const {configured, challenged, notEnough, ofResource, ofAuthorizationServer} = request;
	const named = ofResource.join(' ');
	// If the server does not say what is missing, request every scope it supports.
	const wanted = notEnough
		? joinScopes(notEnough.granted, configured, challenged, notEnough.demanded || named)
		: joinScopes(configured ?? challenged ?? named);
	// Without it many servers issue no refresh token; alone it would narrow the server's default, and a configured scope is sent unchanged.
	const offline =
		wanted !== '' && configured === undefined && ofAuthorizationServer.includes('offline_access')
			? 'offline_access'
			: undefined;
	return joinScopes(wanted, offline) || undefined;
}
