import {type Connection} from '../mcp/connection.ts';
import {type Connections} from '../mcp/connections.ts';
import {sleep} from '../util/clock.ts';
import {type UnreadyReason} from '../webhooks/http/outcome.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Readiness for new requests from a balancer (docs/reverse-proxy.md, Behind a balancer). */
export type Readiness = {
	/** The reasons not to be ready; empty: ready. Never rejects. */
	readonly unready: () => Promise<readonly UnreadyReason[]>;
	/** Says that a stop has begun. Resolves after `gateway.drain_delay`, during which nothing is refused, or once `skip` aborts. */
	readonly drain: (reason: string, skip: AbortSignal) => Promise<void>;
	/** Says that a stop has begun. */
	readonly end: () => void;
	/** The servers of the first profile are there now; before it, all that are required are away. */
	readonly watchServers: (list: Connections['list']) => void;
};

/** Creates the readiness of a gateway whose configuration has been read. */
export function createReadiness(
	{clock, publish, current, inForce}: Pick<ProfileContext, 'clock' | 'publish' | 'current' | 'inForce'>,
	isJournalReached: () => Promise<boolean>,
): Readiness {
	let phase: 'serving' | 'draining' = 'serving';
	let connections: Connections['list'] = () => [];
	const areServersThere = () => {
		const {requiredServers} = current().config.gateway;
		const there = requiredServers.length === 0 ? [] : connections().filter(isThere);
		return requiredServers.every(name => there.some(({config}) => config.name === name));
	};

	const end = () => {
		phase = 'draining';
	};

	return {
		end,
		watchServers(list) {
			connections = list;
		},
		async unready() {
			const isReached = await isJournalReached();
			return [
				...(isReached ? [] : ['journal' as const]),
				// Without a configuration there may be a listener, but no routes.
				...(inForce() === 'nothing' ? ['routes' as const] : []),
				...(areServersThere() ? [] : ['servers' as const]),
				...(phase === 'serving' ? [] : ['draining' as const]),
			];
		},
		async drain(reason, skip) {
			end();
			const milliseconds = current().config.gateway.drainDelaySeconds * 1000;
			if (milliseconds > 0 && !skip.aborted) {
				publish({type: 'gateway.draining', reason, until: clock.now() + milliseconds});
				await sleep(clock, milliseconds, skip).catch(() => undefined);
			}
		},
	};
}

/** Says that the gateway has started. */
export function publishStarted(
	{publish, version, current}: ProfileContext,
	webhookUrl: string | null,
	mode: 'normal' | 'demo',
): void {
	const {servers, brokenServers, webhook} = current().config;
	publish({
		type: 'gateway.started',
		version,
		pid: process.pid,
		webhookUrl,
		configured: {
			servers: servers.length + brokenServers.length,
			routes: webhook.routes.length + webhook.brokenRoutes.length,
		},
		demo: mode === 'demo',
	});
}

/** One that the first call starts is there for whoever calls it. */
function isThere(connection: Connection): boolean {
	const {kind} = connection.state();
	return kind === 'connected' || kind === 'lazy';
}
