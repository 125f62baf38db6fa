import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type StoredDocument} from '../../config/values/stored-document.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {createListFiles, type ListFiles} from '../filters/list-file.ts';
import {type KeySets} from '../signature/key-sets.ts';
import {type PreparedRoute, type PrepareOptions, prepareRoute} from './prepared-route.ts';
import {createSubscriptions} from './subscriptions.ts';

/** The routes of one configuration and their shared limits. */
export type RouteTable = {
	readonly routes: ReadonlyMap<string, PreparedRoute>;
	/** Requests per minute and route. */
	readonly rateLimit: number;
	readonly maxBodyBytes: number;
};

/** The current routes: those of the configuration and the subscriptions. */
type LiveRoutes = {
	/** A subscription is served from the first request after it was stored (docs/webhook-routes.md, Subscriptions). */
	readonly current: () => RouteTable;
	/** The routes of the last `current`, without looking for changes. */
	readonly last: () => RouteTable;
	/** False while the subscriptions could not be read once since the start. */
	readonly areRead: () => boolean;
	readonly replace: (config: WebhookConfig) => void;
};

/** Dependencies of the routes, besides their configuration. */
type LiveRoutesOptions = {
	readonly config: WebhookConfig;
	readonly clock: Clock;
	readonly publish: Publish;
	readonly subscriptions: StoredDocument<JsonObject>;
	/** The directory of relative `in_file` paths. */
	readonly directory: string;
	/** Expands the variable references of a secret, with the secrets of the profile that serves the route. */
	readonly expand: (text: string, profile?: string) => string;
	/** The dependencies of a route that another profile serves; undefined when that profile is not served. */
	readonly otherProfile: (name: string) => {readonly directory: string} | undefined;
	readonly keySets: KeySets;
	/** Receives the secrets of subscriptions, so that they are masked. */
	readonly learnSecret: (secret: string) => void;
	/** Called when the subscriptions changed the routes. */
	readonly onChange: () => void;
};

/** Creates the routes of a configuration. */
export function createLiveRoutes(options: LiveRoutesOptions): LiveRoutes {
	const {clock, expand, directory, keySets, onChange} = options;
	const lists = createListFiles(directory);
	const otherLists = new Map<string, ListFiles>();
	const listsOf = (profile: string) => {
		const other = options.otherProfile(profile);
		const known = otherLists.get(profile) ?? (other ? createListFiles(other.directory) : lists);
		otherLists.set(profile, known);
		return known;
	};

	const {publish, learnSecret} = options;
	const subscriptions = createSubscriptions({store: options.subscriptions, expand, publish, learnSecret});
	const prepare = (routes: readonly RouteConfig[]) =>
		buildRouteTable(config, [routes], {expand, lists, listsOf, keySets}).routes;
	/** Configured routes are prepared once: they keep the secrets they came with. */
	const build = (): RouteTable => {
		const subscribed = prepare(subscriptions.read(config));
		// Problems of configured routes are reported where the configuration is read.
		[...subscribed.values()].flatMap(({problems}) => problems).forEach(subscriptions.report);
		const {rateLimit, maxBodyBytes} = config;
		return {routes: new Map([...subscribed, ...configured]), rateLimit, maxBodyBytes};
	};

	let config = options.config;
	let configured = prepare(config.routes);
	let table = build();
	let check: 'due' | 'done' = 'due';
	return {
		current() {
			// Concurrent requests share one look for changes: at full load it would cost more than a signature.
			if (check === 'due') {
				check = 'done';
				clock.soon(() => {
					check = 'due';
				});
				if (subscriptions.isStale()) {
					table = build();
					onChange();
				}
			}

			return table;
		},
		last: () => table,
		areRead: subscriptions.wereRead,
		replace(next) {
			config = next;
			configured = prepare(config.routes);
			table = build();
		},
	};
}

/** Creates the table. The first source with a name wins: the configuration comes before subscriptions (docs/webhook-routes.md, Subscriptions). */
export function buildRouteTable(
	config: Pick<WebhookConfig, 'rateLimit' | 'maxBodyBytes'>,
	sources: ReadonlyArray<readonly RouteConfig[]>,
	options: PrepareOptions,
): RouteTable {
	const routes = new Map<string, PreparedRoute>();
	for (const route of sources.flat()) {
		if (!routes.has(route.name)) {
			routes.set(route.name, prepareRoute(route, options));
		}
	}

	return {routes, rateLimit: config.rateLimit, maxBodyBytes: config.maxBodyBytes};
}

/** The served profiles: the running one, and those accepted by `serves`. */
export type ServedProfiles = {readonly running: string; readonly serves: (profile: string) => boolean};

/**
The route of a path, when the profile it is bound to is served and matches the path; a path without a prefix means the running profile.
An unknown name and a foreign profile get the same response, so that bindings cannot be enumerated (docs/webhooks.md, Signatures).
*/
export function findRoute(
	table: Pick<RouteTable, 'routes'>,
	path: {readonly name: string; readonly profile: string | undefined},
	profiles: ServedProfiles,
): PreparedRoute | undefined {
	const route = findServedRoute(table, path.name, profiles);
	const {running} = profiles;
	return (path.profile ?? running) === (route?.config.profile ?? running) ? route : undefined;
}

/** The route of that name, when its profile is served. */
export function findServedRoute(
	{routes}: Pick<RouteTable, 'routes'>,
	name: string,
	{running, serves}: ServedProfiles,
): PreparedRoute | undefined {
	const route = routes.get(name);
	const profile = route?.config.profile ?? running;
	return profile === running || serves(profile) ? route : undefined;
}
