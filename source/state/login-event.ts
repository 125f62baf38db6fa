/** How a person logs in: on any device with a code, or in a browser of this host. */
export type LoginFlow = 'device' | 'browser';

/** The states of one login (design: architecture, state machines). */
export type LoginStatus =
	| 'discovering'
	| 'registering'
	| 'awaiting-redirect'
	| 'awaiting-device'
	| 'exchanging'
	| 'succeeded'
	| 'failed'
	| 'cancelled';

/** One login as it stands now; a server has at most one. Times are milliseconds since the epoch. */
export type LoginState = {
	readonly type: 'login.state';
	readonly server: string;
	readonly state: LoginStatus;
	readonly flow: LoginFlow;
	/** Device flow: where the person types the code, and the same address with the code in it. */
	readonly verificationUri?: string;
	readonly verificationUriComplete?: string;
	readonly userCode?: string;
	/** Browser flow: the address to open, and where the redirect is awaited. */
	readonly authorizationUrl?: string;
	readonly redirectUri?: string;
	/** Browser flow over SSH: the command that forwards the callback port. */
	readonly tunnelCommand?: string;
	readonly expiresAt?: number;
	/** Device flow: how often the server was asked, and when it will be asked again. */
	readonly polls?: number;
	readonly nextPollAt?: number;
	/** Why it failed or was cancelled, safe to show. */
	readonly reason?: string;
};
