/** What the approval check needs to know about a call. `readOnlyHint` is whatever the server wrote, so it may be of any type. */
export type PolicyQuestion = {
	readonly trust: 'full' | 'untrusted';
	readonly readOnlyHint: unknown;
	/** A person approved this very definition before, for longer than once. */
	readonly remembered: boolean;
};

/**
Whether a call runs at once or a person is asked first (docs/tool-servers.md, Trust).
Only `true` itself is a read-only claim; everything that is not plainly allowed asks.
*/
export function decide(call: PolicyQuestion): 'run' | 'ask' {
	const isAllowed = call.trust === 'full' || call.readOnlyHint === true || call.remembered;
	return isAllowed ? 'run' : 'ask';
}
