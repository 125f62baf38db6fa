import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {z} from 'zod';
import {type DocumentKind, type Documents, type StoredDocument} from '../values/stored-document.ts';
import {type Expand, routeRefusals} from './refusals.ts';
import {parseRouteEntry, type RouteConfig} from './route-entry.ts';
import {sectionWithoutFile, subsection} from '../values/section.ts';
import {type WebhookConfig} from './webhook-entry.ts';

/** Route entries by name (docs/webhook-routes.md, Subscriptions). They are not checked here, so that an invalid entry does not affect the others. */
const subscriptionDocument: DocumentKind<JsonObject> = {
	name: 'webhook_subscriptions',
	schema: z.custom<JsonObject>(isJsonObject),
	fallback: {},
	largestBytes: 4 * 1_048_576,
};

/** The place that problems of an entry name, wherever the subscriptions are. */
const subscriptionsFile = `${subscriptionDocument.name}.json`;

/** Creates the store of the subscriptions of a profile. */
export function createSubscriptionStore({open}: Documents): StoredDocument<JsonObject> {
	return open(subscriptionDocument);
}

/** The context for checking a subscription. */
export type SubscriptionContext = {
	readonly webhook: Pick<WebhookConfig, 'host' | 'secrets' | 'routes' | 'brokenRoutes'>;
	readonly expand: Expand;
};

/** One checked entry. `route` is present if the entry could be parsed. */
export type Subscription = {
	readonly name: string;
	readonly route: RouteConfig | undefined;
	/** `shadowed`: a configured route has the name. */
	readonly state: 'served' | 'shadowed' | 'refused';
	/** The reasons that it is not served; for a served one, warnings. */
	readonly problems: readonly Problem[];
};

/** Checks one entry by the rules of configured routes (docs/webhook-routes.md, Subscriptions). */
export function readSubscription(name: string, entry: unknown, context: SubscriptionContext): Subscription {
	const {webhook, expand} = context;
	if (isConfigured(name, webhook)) {
		return {name, route: undefined, state: 'shadowed', problems: [shadowed(name)]};
	}

	const section = subsection(sectionWithoutFile(subscriptionsFile), [name], {kind: 'route', name});
	const parsed = parseRouteEntry(name, entry, {section, globalSecrets: webhook.secrets});
	if (parsed.kind === 'broken') {
		return {name, route: parsed.route, state: 'refused', problems: [parsed.problem]};
	}

	const {route} = parsed;
	const refusals = routeRefusals(route, webhook.host, expand);
	return refusals.length > 0
		? {name, route, state: 'refused', problems: refusals}
		: {name, route, state: 'served', problems: section.problems.all()};
}

/** True when config.yaml has a route of this name, served or not: it takes precedence either way. */
function isConfigured(name: string, {routes, brokenRoutes}: SubscriptionContext['webhook']): boolean {
	return [...routes, ...brokenRoutes].some(route => route.name === name);
}

function shadowed(name: string): Problem {
	const shown = safeText(name, {maximumCharacters: 100});
	const message = `${subscriptionsFile}: ${shown}: config.yaml has a route with this name, and that one is used`;
	return new Problem('route_shadowed', {message, level: 'warning', scope: {kind: 'route', name}});
}
