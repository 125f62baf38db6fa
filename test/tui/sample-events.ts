import {type GatewayEvent, type GatewayEventBody} from '../../source/state/event.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {emptySnapshot, type Snapshot} from '../../source/state/snapshot.ts';

/** When everything in these samples happens. */
export const sampleTime = 1_700_000_000_000;

/** Stamps bodies in order, from `firstSeq` on. */
export function stamp(bodies: readonly GatewayEventBody[], firstSeq = 1): GatewayEvent[] {
	return bodies.map((body, index) => ({seq: firstSeq + index, time: sampleTime, profile: 'default', ...body}));
}

/** The snapshot after these events. */
export function snapshotOf(bodies: readonly GatewayEventBody[]): Snapshot {
	return reduceAll(emptySnapshot, stamp(bodies));
}

export function started(change: Partial<Extract<GatewayEventBody, {type: 'gateway.started'}>> = {}): GatewayEventBody {
	return {
		type: 'gateway.started',
		version: '0.1.0',
		pid: 7,
		webhookUrl: null,
		configured: {servers: 1, routes: 1},
		demo: false,
		...change,
	};
}

export function server(
	name: string,
	change: Partial<Extract<GatewayEventBody, {type: 'server.state'}>> = {},
): GatewayEventBody {
	return {
		type: 'server.state',
		server: name,
		state: 'connected',
		tools: 3,
		transport: 'stdio',
		trust: 'full',
		address: 'node server.js',
		...change,
	};
}

export function approval(
	id: string,
	change: Partial<Extract<GatewayEventBody, {type: 'approval.requested'}>> = {},
): GatewayEventBody {
	return {
		type: 'approval.requested',
		id,
		kind: 'tool-call',
		server: 'github',
		tool: 'create_issue',
		registeredName: 'mcp__github__create_issue',
		trust: 'untrusted',
		transport: 'http',
		address: 'https://mcp.example.com/mcp',
		hints: {},
		description: 'Creates an issue.',
		arguments: {repo: 'acme/app', title: 'Broken'},
		argumentsHash: `hash-of-${id}`,
		origin: {kind: 'demo', client: 'robot'},
		requestedAt: sampleTime,
		expiresAt: sampleTime + 300_000,
		...change,
	};
}

export function settled(
	id: string,
	change: Partial<Extract<GatewayEventBody, {type: 'approval.settled'}>> = {},
): GatewayEventBody {
	return {
		type: 'approval.settled',
		id,
		server: 'github',
		tool: 'create_issue',
		outcome: 'approved',
		scope: 'once',
		by: 'dashboard',
		...change,
	};
}

export function webhook(
	route: string,
	change: Partial<Extract<GatewayEventBody, {type: 'webhook.settled'}>> = {},
): GatewayEventBody {
	return {
		type: 'webhook.settled',
		eventId: 'e1',
		route,
		event: 'push',
		deliveryId: 'd1',
		status: 202,
		outcome: 'accepted',
		ms: 4,
		...change,
	};
}

export function run(
	runId: string,
	change: Partial<Extract<GatewayEventBody, {type: 'run.state'}>> = {},
): GatewayEventBody {
	return {type: 'run.state', runId, state: 'queued', route: 'push', event: 'push', deliveryId: 'd1', ...change};
}

export function log(text: string, change: Partial<Extract<GatewayEventBody, {type: 'log'}>> = {}): GatewayEventBody {
	return {type: 'log', level: 'info', area: 'mcp', text, ...change};
}
