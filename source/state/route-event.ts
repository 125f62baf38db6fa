/** One webhook route as it stands now. */
export type RouteState = {
	readonly type: 'route.state';
	readonly route: string;
	/** The profile whose agent, secrets and tools serve it. */
	readonly servedBy: string;
	readonly source: 'config' | 'subscription';
	/** `paused`: 503 until somebody resumes it. `refused`, `skipped`: it is not served, the reason says why. */
	readonly state: 'served' | 'paused' | 'refused' | 'skipped';
	readonly reason?: string;
	readonly url: string;
	readonly deliver: string;
	/** The events it takes; none named: all. */
	readonly events: readonly string[];
};

/** The life of routes. */
export type RouteEvent = RouteState | {readonly type: 'route.removed'; readonly route: string};
