import {type WebhookConfig} from '../config/webhooks/webhook-entry.ts';
import {adapterLimits, type AdapterOptions} from './pipeline/adapter-options.ts';
import {createCoalescer} from './coalesce/coalescer.ts';
import {createListener} from './http/listener.ts';
import {createLiveRoutes} from './live-routes.ts';
import {createDryRuns, type TryStored} from './pipeline/dry-run.ts';
import {wireRequestHandler} from './pipeline/wire-request-handler.ts';
import {createServer} from './http/server.ts';

/** The webhook adapter of one gateway. It tells its own state (`webhook.state`). */
export type WebhookAdapter = {
	/** Starts to listen and answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: () => Promise<string>;
	/** Takes over a new configuration. Requests under way end by the old one; the listener moves only when its address changed. Never rejects. */
	readonly apply: (config: WebhookConfig) => Promise<void>;
	/** Handles a stored event through its route again. Never rejects. */
	readonly replay: ReturnType<typeof wireRequestHandler>['replay'];
	readonly dryRun: TryStored;
	/** Refuses what comes, waits a bounded time for what was begun, gives up the rest and ends the connections. */
	readonly close: () => Promise<void>;
};

/** Builds the adapter; nothing listens before `listen`. */
export function createWebhookAdapter(options: AdapterOptions): WebhookAdapter {
	const {clock, publish} = options;
	const limits = {...adapterLimits, ...options.limits};
	const routes = createLiveRoutes(options, () => listener.reportRoutes());
	const coalescer = createCoalescer(options);
	const givingUp = new AbortController();
	let config = options.config;
	let closing: Promise<void> | undefined;

	const requestHandler = wireRequestHandler(options, {
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
		createServer: () => createServer({...requestHandler, clock, limits}),
	});

	const close = async () => {
		await requestHandler.drained(limits.drainMilliseconds);
		givingUp.abort(new Error('The gateway is shutting down'));
		// How they end is still written.
		await requestHandler.drained(limits.graceMilliseconds);
		await coalescer.close();
		await listener.close();
	};

	return {
		listen() {
			options.journal.releaseOpenDeliveries();
			coalescer.resume(route => routes.last().routes.get(route)?.config.coalesce);
			return listener.open(config);
		},
		replay: requestHandler.replay,
		dryRun: createDryRuns(options, {table: routes.current, signal: givingUp.signal}),
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
