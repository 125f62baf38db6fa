/**
The scope to ask for: what a person configured, else what the server asked for, else all that it names. A token that was good but not enough
is replaced by one for everything it had and what was missing. Undefined: the server decides. Pure.
*/
export function chooseScope(wishes: {
	readonly configured: string | undefined;
	/** What the server asked for when it refused a request. */
	readonly challenged: string | undefined;
	/** What the former token was for, when the challenge says that it is not enough. */
	readonly granted: string | undefined;
	readonly ofResource: readonly string[];
	readonly ofAuthorizationServer: readonly string[];
}): string | undefined {
	const {configured, challenged, granted, ofResource, ofAuthorizationServer} = wishes;
	const wanted = granted === undefined ? (configured ?? challenged) : [granted, configured, challenged].join(' ');
	const scopes = new Set(wanted === undefined ? ofResource : wanted.split(/\s+/u));
	scopes.delete('');
	// Without it many servers give no refresh token; alone it would narrow what the server gives by itself, and what a person wrote is sent as it is.
	if (scopes.size > 0 && configured === undefined && ofAuthorizationServer.includes('offline_access')) {
		scopes.add('offline_access');
	}

	return scopes.size > 0 ? [...scopes].join(' ') : undefined;
}
