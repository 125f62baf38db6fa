import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type PreparedRoute, type PrepareOptions, prepareRoute} from './prepared-route.ts';

/** The routes of one configuration and the limits that hold for all of them. */
export type RouteTable = {
	readonly routes: ReadonlyMap<string, PreparedRoute>;
	/** Requests per minute and route. */
	readonly rateLimit: number;
	readonly maxBodyBytes: number;
};

/** Builds the table. Of several sources the earlier wins a name: the configuration stands before subscriptions (docs/webhooks.md, Subscriptions). */
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

/**
The route of that name, when the profile it is bound to is served and the one the path asked for; a path without a prefix asks for the running one.
An unknown name and a foreign profile look alike, so that bindings cannot be listed (docs/webhooks.md, Signatures).
*/
export function findRoute(
	table: Pick<RouteTable, 'routes'>,
	request: {
		readonly name: string;
		readonly profile: string | undefined;
		readonly running: string;
		/** Whether another profile is served too. Default: none is. */
		readonly serves?: (profile: string) => boolean;
	},
): PreparedRoute | undefined {
	const route = table.routes.get(request.name);
	const bound = route?.config.profile ?? request.running;
	const asked = request.profile ?? request.running;
	const isServed = bound === request.running || request.serves?.(bound) === true;
	return isServed && asked === bound ? route : undefined;
}
