import {type WebhookConfig} from '../config/webhook-entry.ts';
import {adapterLimits, type AdapterOptions} from './adapter-options.ts';
import {createCoalescer} from './coalescer.ts';
import {createListener} from './listener.ts';
import {openLiveRoutes} from './live-routes.ts';
import {openDryRuns, type TryStored} from './open-dry-runs.ts';
import {openReception} from './open-reception.ts';
import {createServer} from './server.ts';

/** The webhook adapter of one gateway. It tells its own state (`webhook.state`). */
export type WebhookAdapter = {
	/** Starts to listen and answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: () => Promise<string>;
	/** Takes over a new configuration. Requests under way end by the old one; the listener moves only when its address changed. Never rejects. */
	readonly apply: (config: WebhookConfig) => Promise<void>;
	/** Walks a stored event through its route again. Never rejects. */
	readonly replay: ReturnType<typeof openReception>['replay'];
	readonly dryRun: TryStored;
	/** Refuses what comes, waits a bounded time for what was begun, gives up the rest and ends the connections. */
	readonly close: () => Promise<void>;
};

/** Builds the adapter; nothing listens before `listen`. */
export function createWebhookAdapter(options: AdapterOptions): WebhookAdapter {
	const {clock, publish} = options;
	const limits = {...adapterLimits, ...options.limits};
	const routes = openLiveRoutes(options, () => listener.tellRoutes());
	const coalescer = createCoalescer(options);
	const givingUp = new AbortController();
	let config = options.config;
	let closing: Promise<void> | undefined;

	const reception = openReception(options, {
		limits,
		table: routes.current,
		coalesced: coalescer.arrived,
		isStopping: () => closing !== undefined,
		signal: givingUp.signal,
	});
	const listener = createListener({
		publish,
		graceMilliseconds: limits.graceMilliseconds,
		countRoutes: () => routes.last().routes.size,
		createServer: () => createServer({...reception, clock, limits}),
	});

	const close = async () => {
		await reception.drained(limits.drainMilliseconds);
		givingUp.abort(new Error('The gateway is shutting down'));
		await coalescer.close();
		await listener.close();
	};

	return {
		listen() {
			options.journal.releaseOpenDeliveries();
			coalescer.resume(route => routes.last().routes.get(route)?.config.coalesce);
			return listener.open(config);
		},
		replay: reception.replay,
		dryRun: openDryRuns(options, {table: routes.current, signal: givingUp.signal}),
		async apply(next) {
			const disconnects = !next.enabled || next.host !== config.host || next.port !== config.port;
			config = next;
			routes.replace(next);
			await listener.follow(next);
			if (disconnects) {
				await coalescer.flush();
			}
		},
		close() {
			closing ??= close();
			return closing;
		},
	};
}
