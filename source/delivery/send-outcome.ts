/** The outcome of one attempt. Details are for the log: they may quote the platform. */
export type SendOutcome =
	| {readonly kind: 'sent'}
	/** Nothing was delivered. `cause`: other settings of the platform may help. */
	| {readonly kind: 'refused'; readonly detail: string; readonly cause?: 'settings'}
	/** Nothing was delivered, because the platform could not be reached or had no capacity; `waitSeconds`: the wait it asks for. */
	| {readonly kind: 'unavailable'; readonly detail: string; readonly waitSeconds?: number}
	| {readonly kind: 'rate-limited'; readonly waitSeconds: number; readonly detail: string}
	/** Nothing was delivered because the access token is no longer valid; a new one may work. */
	| {readonly kind: 'stale-token'; readonly detail: string}
	/** It may or may not have been delivered. */
	| {readonly kind: 'unknown'; readonly detail: string};
