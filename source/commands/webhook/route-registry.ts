import {existsSync} from 'node:fs';
import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {createExpand, readSecretScope} from '../../config/secrets/variables.ts';
import {type StoredDocument} from '../../config/values/stored-document.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {createSubscriptionStore, readSubscription, type Subscription} from '../../config/webhooks/subscriptions.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type ProfileContext} from '../../gateway/profiles/profile-context.ts';
import {otherProfileNames, profileDirectories} from '../../gateway/profiles/other-profiles.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type RunScript} from '../../webhooks/script/script.ts';
import {createRuntime, type Session} from '../cli/session.ts';

/** The routes of a state directory as commands see them: those of config.yaml, and the subscriptions. */
export type RouteRegistry = {
	readonly webhook: WebhookConfig;
	/** With the secrets of the named profile, where the gateway serves it; else of the running one. */
	readonly expand: (text: string, profile?: string) => string;
	/** True if a gateway of the running profile serves another one, too. */
	readonly serves: (profile: string) => boolean;
	/** True for the name of a profile, served or not. */
	readonly hasProfile: (profile: string) => boolean;
	/** Opens the runner of route scripts. */
	readonly openScripts: (options: {
		readonly signal: AbortSignal;
		readonly reportFault: (route: string, fault: string) => void;
	}) => RunScript;
	/** The problems, known in advance, that keep a route from delivering; sends nothing. */
	readonly checkDelivery: (route: Pick<RouteConfig, 'deliver' | 'profile'>) => Promise<readonly Problem[]>;
	/** The running profile. */
	readonly profile: string;
	/** The id of the scheduled job of the named profile that a reference means, or why it means none. */
	readonly findJobId: (reference: string, profile: string | undefined) => string | Problem;
	/** The problem of a reference that matches no scheduled job of the named profile; undefined if it matches one. */
	readonly checkJob: (reference: string, profile: string | undefined) => Problem | undefined;
	readonly directory: string;
	readonly subscriptions: StoredDocument<JsonObject>;
};

/** Loads the routes of the state directory. */
export type OpenRoutes = () => Promise<RouteRegistry>;

/** Reads the configuration of the state directory. */
export async function loadRoutes(session: Session): Promise<RouteRegistry> {
	const {loadProfile} = await import('../../gateway/profiles/profile-context.ts');
	const {readDocuments} = await import('../../gateway/documents/open-profile.ts');
	const {scriptSettings} = await import('../../gateway/profiles/profile-scripts.ts');
	const {createScripts} = await import('../../webhooks/script/script.ts');
	const {createCronStore, findJob} = await import('../../runs/cron-store.ts');
	const context = await loadProfile(createRuntime(session));
	const documentsOf = await readDocuments(context);
	// A command ends its scripts itself.
	const settings = scriptSettings(context, () => () => () => undefined);
	const {paths, current} = context;
	const others = await readOtherSecrets(context);
	const {directory, profile} = paths;
	const findJobId = (reference: string, other = profile) => {
		const documents = documentsOf(other === profile ? paths : statePaths({root: paths.root, profile: other}));
		const found = findJob(createCronStore(documents, session.clock).list(), reference);
		return found instanceof Problem ? found : found.id;
	};

	const {openProfilePlatforms} = await import('../../gateway/services/delivery-service.ts');
	const {checkDeliveries} = await import('../../delivery/check-delivery.ts');
	return {
		webhook: current().config.webhook,
		...others,
		hasProfile: other => other === profile || existsSync(statePaths({root: paths.root, profile: other}).directory),
		openScripts: options => createScripts({settings, clock: session.clock, ...options}),
		// The secrets of another profile are not at hand here; the gateway that serves it checks with them.
		checkDelivery: async ({deliver, profile: served = profile}) =>
			served === profile ? checkDeliveries(deliver, openProfilePlatforms(context)) : [],
		profile,
		findJobId,
		checkJob(reference, other) {
			const found = findJobId(reference, other);
			return found instanceof Problem ? found : undefined;
		},
		directory,
		subscriptions: createSubscriptionStore(documentsOf(paths)),
	};
}

/** Every subscription, checked as the gateway checks it. */
export function listSubscriptions(registry: RouteRegistry): readonly Subscription[] {
	return Object.entries(registry.subscriptions.read()).map(([name, entry]) => readSubscription(name, entry, registry));
}

/** The names of all routes, configured or subscribed, served or not. */
export function routeNames({webhook, subscriptions}: RouteRegistry): readonly string[] {
	const configured = [...webhook.routes, ...webhook.brokenRoutes].map(({name}) => name);
	return [...configured, ...Object.keys(subscriptions.read())];
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
	const message = `There is no route named "${safeText(name, {maximumCharacters: 100})}"`;
	throw reason ?? new Problem('unknown_route', {message});
}

/** Reads the `.env` of every profile that a gateway serves beside its own (docs/configuration.md, Profiles). An unreadable one is empty. */
async function readOtherSecrets(
	context: Pick<ProfileContext, 'paths' | 'environment' | 'current' | 'expand' | 'redactor'>,
): Promise<Pick<RouteRegistry, 'expand' | 'serves'>> {
	const {paths, environment, current, expand, redactor} = context;
	const names =
		paths.profile === defaultProfile
			? otherProfileNames(current().config.gateway.profiles, await profileDirectories(paths.root))
			: [];
	const read = async (profile: string) => {
		const {scope} = await readSecretScope(statePaths({root: paths.root, profile}).env, environment);
		scope.values.forEach(redactor.learn);
		return [profile, createExpand(scope, environment)] as const;
	};

	const others = new Map(await Promise.all(names.map(read)));
	return {
		serves: profile => others.has(profile),
		expand: (text, profile) => (others.get(profile ?? '') ?? expand)(text),
	};
}
