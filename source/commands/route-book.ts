import {type RunScript} from '../webhooks/script.ts';
import {type JsonStore} from '../config/json-store.ts';
import {type RouteConfig} from '../config/route-entry.ts';
import {readSubscription, type Subscription} from '../config/subscriptions.ts';
import {type WebhookConfig} from '../config/webhook-entry.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The routes of a state directory as commands see them: those of config.yaml, and the subscriptions. */
export type RouteBook = {
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
export function listSubscriptions(book: RouteBook): readonly Subscription[] {
	return Object.entries(book.subscriptions.read()).map(([name, entry]) => readSubscription(name, entry, book));
}

/** The route that would take events under this name. Throws `unknown_route`, or the reason why it takes none. */
export function findRoute(book: RouteBook, name: string): RouteConfig {
	const configured = book.webhook.routes.find(route => route.name === name);
	if (configured) {
		return configured;
	}

	const broken = book.webhook.brokenRoutes.find(route => route.name === name);
	const subscription = listSubscriptions(book).find(one => one.name === name);
	if (!broken && subscription?.state === 'served' && subscription.route) {
		return subscription.route;
	}

	const [reason] = broken ? [broken.problem] : (subscription?.problems ?? []);
	const message = `No route has the name ${safeText(name, {maximumCharacters: 100})}`;
	throw reason ?? new Problem('unknown_route', {message});
}
