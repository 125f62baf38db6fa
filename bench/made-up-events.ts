import {type GatewayEventBody, type Publish} from '../source/state/event.ts';

const outcomes: ReadonlyArray<
	Pick<Extract<GatewayEventBody, {type: 'webhook.settled'}>, 'status' | 'outcome' | 'reason'>
> = [
	{status: 202, outcome: 'accepted'},
	{status: 200, outcome: 'ignored', reason: 'filter'},
	{status: 401, outcome: 'rejected', reason: 'Invalid signature'},
	{status: 429, outcome: 'rejected', reason: 'Rate limit exceeded'},
];

/** Tells of a gateway with eight servers, then of webhooks at a steady rate per second, for as long as the process lives. */
export function publishLoad(publish: Publish, rate: number): void {
	publish({
		type: 'gateway.started',
		version: 'bench',
		pid: process.pid,
		webhookUrl: null,
		configured: {servers: 8, routes: 4},
		demo: false,
	});
	publish({type: 'webhook.state', state: 'listening', url: 'http://127.0.0.1:8644', routes: 4});
	for (let index = 0; index < 8; index++) {
		publish({
			type: 'server.state',
			server: `server-${index}`,
			state: 'connected',
			tools: 12 + index,
			transport: index % 2 ? 'http' : 'stdio',
			trust: index % 3 ? 'full' : 'untrusted',
			latencyMs: 20 + index,
			address: 'npx some-server',
		});
	}

	let made = 0;
	const startedAt = performance.now();
	setInterval(() => {
		const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
		for (; made < due; made++) {
			publish({
				type: 'webhook.settled',
				eventId: `event-${made}`,
				route: `route-${made % 5}`,
				event: made % 2 ? 'push' : 'pull_request',
				deliveryId: `delivery-${made}`,
				ms: made % 40,
				...(outcomes[made % outcomes.length] ?? {status: 202, outcome: 'accepted'}),
			});
		}
	}, 10);
}
