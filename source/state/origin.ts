/** Where a tool call or a run comes from. Shown on approval cards and kept in the journal. */
export type Origin =
	| {readonly kind: 'command-line'}
	| {readonly kind: 'endpoint'; readonly client: string}
	| {readonly kind: 'demo'; readonly client: string}
	| {readonly kind: 'run'; readonly runId: string; readonly route: string; readonly deliveryId: string}
	| {readonly kind: 'dashboard'};

/** The origin in a few words. */
export function originText(origin: Origin): string {
	switch (origin.kind) {
		case 'command-line':
			return 'command line';
		case 'endpoint':
			return `endpoint client ${origin.client}`;
		case 'demo':
			return origin.client;
		case 'run':
			return `run ${origin.runId} · route ${origin.route} · delivery ${origin.deliveryId}`;
		case 'dashboard':
			return 'dashboard';
	}
}
