import {type RunScript} from '../../webhooks/script/script.ts';
import {type JsonStore} from '../../config/values/json-store.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {readSubscription, type Subscription} from '../../config/webhooks/subscriptions.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The routes of a state directory as commands see them: those of config.yaml, and the subscriptions. */
export type RouteRegistry = {
	readonly webhook: WebhookConfig;
	/** With the secrets of the named profile, where the gateway serves it; else of the running one. */
	readonly expand: (text: string, profile?: string) => string;
	/** Whether a gateway of the running profile serves another one too. */
	readonly serves: (profile: string) => boolean;
	/** How scripts of routes are run. */
	readonly openScripts: (options: {
		readonly signal: AbortSignal;
		readonly reportFault: (route: string, fault: string) => void;
	}) => RunScript;
	/** Why nothing of a route will arrive, as far as that can be known now; nothing is sent. */
	readonly checkDelivery: (
		route: Pick<RouteConfig, 'deliver' | 'deliverExtra' | 'profile'>,
	) => Promise<readonly Problem[]>;
	/** The running profile. */
	readonly profile: string;
	/** Why a reference to a scheduled job of the named profile means none; undefined when it means one. */
	readonly checkJob: (reference: string, profile: string | undefined) => Problem | undefined;
	readonly directory: string;
	readonly subscriptions: JsonStore<JsonObject>;
};

/** Every subscription, judged as the gateway judges it. */
export function listSubscriptions(registry: RouteRegistry): readonly Subscription[] {
	return Object.entries(registry.subscriptions.read()).map(([name, entry]) => readSubscription(name, entry, registry));
}

/** The route that would take events under this name. Throws `unknown_route`, or the reason why it takes none. */
export function findRoute(registry: RouteRegistry, name: string): RouteConfig {
	const configured = registry.webhook.routes.find(route => route.name === name);
	if (configured) {
		return configured;
	}

	const broken = registry.webhook.brokenRoutes.find(route => route.name === name);
	const subscription = listSubscriptions(registry).find(one => one.name === name);
	if (!broken && subscription?.state === 'served' && subscription.route) {
		return subscription.route;
	}

	const [reason] = broken ? [broken.problem] : (subscription?.problems ?? []);
	const message = `No route has the name ${safeText(name, {maximumCharacters: 100})}`;
	throw reason ?? new Problem('unknown_route', {message});
}
