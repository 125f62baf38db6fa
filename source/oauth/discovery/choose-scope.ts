/** The names in a list of scopes (RFC 6749, 3.3). */
export function scopeNames(scope: string | undefined): Set<string> {
	return new Set(scope?.split(/\s+/u).filter(name => name !== ''));
}

/** All of these scopes, each once. */
export function joinScopes(...scopes: ReadonlyArray<string | undefined>): string {
	return [...scopeNames(scopes.join(' '))].join(' ');
}

/**
The scope to ask for: what a person configured, else what the server asked for, else all that it names. A token that was good but not enough
is replaced by one for everything it had and what was missing. Undefined: the server decides. Pure.
*/
export function chooseScope(request: {
	readonly configured: string | undefined;
	/** What the server asked for when it refused a request without a token. */
	readonly challenged: string | undefined;
	/** Set when the former token was not enough. */
	readonly notEnough: {readonly granted: string | undefined; readonly demanded: string} | undefined;
	readonly ofResource: readonly string[];
	readonly ofAuthorizationServer: readonly string[];
}): string | undefined {
	const {configured, challenged, notEnough, ofResource, ofAuthorizationServer} = request;
	const named = ofResource.join(' ');
	// Who says that it is not enough, but not what is missing, is asked for all it has.
	const wanted = notEnough
		? joinScopes(notEnough.granted, configured, challenged, notEnough.demanded || named)
		: joinScopes(configured ?? challenged ?? named);
	// Without it many servers give no refresh token; alone it would narrow what the server gives by itself, and what a person wrote is sent as it is.
	const offline =
		wanted !== '' && configured === undefined && ofAuthorizationServer.includes('offline_access')
			? 'offline_access'
			: undefined;
	return joinScopes(wanted, offline) || undefined;
}
