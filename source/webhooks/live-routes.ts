import {type WebhookConfig} from '../config/webhooks/webhook-entry.ts';
import {type AdapterOptions} from './pipeline/adapter-options.ts';
import {createListFiles, type ListFiles} from './filters/list-file.ts';
import {buildRouteTable, type RouteTable} from './routes/route-table.ts';
import {createSubscriptions} from './routes/subscriptions.ts';

/** The routes in force: those of the configuration, and beside them the subscriptions of the file. */
export type LiveRoutes = {
	/** A subscription is served from the request after its file was written (docs/webhooks.md, Subscriptions). */
	readonly current: () => RouteTable;
	/** The routes as they were looked at last. */
	readonly last: () => RouteTable;
	readonly replace: (config: WebhookConfig) => void;
};

/** Builds the routes of a configuration; `onChange` is told when the file of subscriptions changed them. */
export function createLiveRoutes(options: AdapterOptions, onChange: () => void): LiveRoutes {
	const lists = createListFiles(options.directory);
	const otherLists = new Map<string, ListFiles>();
	const listsOf = (profile: string) => {
		const place = options.otherProfile?.(profile);
		const known = otherLists.get(profile) ?? (place ? createListFiles(place.directory) : lists);
		otherLists.set(profile, known);
		return known;
	};

	const subscriptions = createSubscriptions({...options, learnSecret: options.learnSecret ?? (() => undefined)});
	const build = (config: WebhookConfig) => {
		const subscribed = subscriptions.read(config);
		const built = buildRouteTable(config, [config.routes, subscribed], {expand: options.expand, lists, listsOf});
		// Those of configured routes are told where the configuration is read.
		subscribed.flatMap(({name}) => built.routes.get(name)?.problems ?? []).forEach(subscriptions.report);
		return built;
	};

	let config = options.config;
	let table = build(config);
	let look: 'due' | 'done' = 'due';
	return {
		current() {
			// Requests that came together share one look: at full load it would cost more than a signature.
			if (look === 'due') {
				look = 'done';
				options.clock.soon(() => {
					look = 'due';
				});
				if (subscriptions.isStale()) {
					table = build(config);
					onChange();
				}
			}

			return table;
		},
		last: () => table,
		replace(next) {
			config = next;
			table = build(next);
		},
	};
}
