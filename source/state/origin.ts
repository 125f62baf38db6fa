/** Where a tool call or a run comes from. Shown on approval cards and kept in the journal. */
export type Origin =
	| {readonly kind: 'command-line'}
	| {readonly kind: 'endpoint'; readonly client: string}
	| {readonly kind: 'demo'; readonly client: string}
	| RunOrigin
	| {readonly kind: 'dashboard'};

/** A run. Route and delivery are empty when no webhook started it; `job` is the name of its cron job. */
type RunOrigin = {
	readonly kind: 'run';
	readonly runId: string;
	readonly route: string;
	readonly deliveryId: string;
	readonly job?: string;
};

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
			return runText(origin);
		case 'dashboard':
			return 'dashboard';
	}
}

/** The delivery id of a run without a route is its own and says nothing. */
function runText({runId, job = '', route, deliveryId}: RunOrigin): string {
	const parts = [
		['run', runId],
		['job', job],
		['route', route],
		['delivery', route === '' ? '' : deliveryId],
	] as const;
	return parts.flatMap(([what, name]) => (name === '' ? [] : [`${what} ${name}`])).join(' · ');
}
