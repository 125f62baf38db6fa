import {type WebhookConfig} from '../config/webhook-entry.ts';
import {adapterLimits, type AdapterOptions} from './adapter-options.ts';
import {createListFiles} from './list-file.ts';
import {createListener} from './listener.ts';
import {openReception} from './open-reception.ts';
import {buildRouteTable} from './route-table.ts';
import {createServer} from './server.ts';
import {openSubscriptions} from './subscriptions.ts';

/** The webhook adapter of one gateway. It tells its own state (`webhook.state`). */
export type WebhookAdapter = {
	/** Starts to listen and answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: () => Promise<string>;
	/** Takes over a new configuration. Requests under way end by the old one; the listener moves only when its address changed. Never rejects. */
	readonly apply: (config: WebhookConfig) => Promise<void>;
	/** Walks a stored event through its route again. Never rejects. */
	readonly replay: ReturnType<typeof openReception>['replay'];
	/** Refuses what comes, waits a bounded time for what was begun, gives up the rest and ends the connections. */
	readonly close: () => Promise<void>;
};

/** Builds the adapter; nothing listens before `listen`. */
export function createWebhookAdapter(options: AdapterOptions): WebhookAdapter {
	const {clock, publish, expand, directory} = options;
	const limits = {...adapterLimits, ...options.limits};
	const lists = createListFiles(directory);
	const subscriptions = openSubscriptions({...options, learnSecret: options.learnSecret ?? (() => undefined)});
	const tableOf = (config: WebhookConfig) => {
		const subscribed = subscriptions.read(config);
		const built = buildRouteTable(config, [config.routes, subscribed], {expand, lists});
		// Those of configured routes are told where the configuration is read.
		subscribed.flatMap(({name}) => built.routes.get(name)?.problems ?? []).forEach(subscriptions.tell);
		return built;
	};

	const givingUp = new AbortController();
	let config = options.config;
	let table = tableOf(config);
	let closing: Promise<void> | undefined;

	/** The routes in force now: a subscription is served from the request after its file was written. */
	const currentTable = () => {
		if (subscriptions.isStale()) {
			table = tableOf(config);
			listener.tellRoutes();
		}

		return table;
	};

	const reception = openReception(options, {
		limits,
		table: currentTable,
		isStopping: () => closing !== undefined,
		signal: givingUp.signal,
	});
	const listener = createListener({
		publish,
		graceMilliseconds: limits.graceMilliseconds,
		countRoutes: () => table.routes.size,
		createServer: () => createServer({...reception, clock, limits}),
	});

	const close = async () => {
		await reception.drained(limits.drainMilliseconds);
		givingUp.abort(new Error('The gateway is shutting down'));
		await listener.close();
	};

	return {
		listen: () => listener.open(config),
		replay: reception.replay,
		async apply(next) {
			config = next;
			table = tableOf(next);
			await listener.follow(next);
		},
		close() {
			closing ??= close();
			return closing;
		},
	};
}
