import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {createSubscriptionStore, readSubscription} from '../../config/webhooks/subscriptions.ts';
import {type Expand} from '../../config/webhooks/refusals.ts';
import {type Problem, toProblem} from '../../util/problem.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';
import {brokenFile} from './remedy.ts';
import {type KeyPlace} from './run-parts.ts';
import {isUnread} from './stored-documents.ts';

/** A route of config.yaml or a subscription, with where it is written. */
export type CheckedRoute = {
	readonly name: string;
	readonly source: 'config' | 'subscription';
	/** Undefined when its entry could not be read. */
	readonly route: RouteConfig | undefined;
	/** Problems of the entry itself. Problems of config.yaml are listed with that file. */
	readonly problems: readonly Problem[];
	readonly place: KeyPlace;
};

/** Every route and subscription; subscriptions that cannot be read hide no other route. */
export function readRoutes(
	profile: CheckedProfile,
	expand: Expand,
): {readonly routes: readonly CheckedRoute[]; readonly findings: readonly Finding[]} {
	const configured = configuredRoutes(profile);
	try {
		return {routes: [...configured, ...subscriptions(profile, expand)], findings: []};
	} catch (error) {
		const consequence = 'no subscription is served until then';
		const findings = isUnread(error) ? [] : [brokenFile('subscriptions', toProblem(error), consequence)];
		return {routes: configured, findings};
	}
}

function configuredRoutes({loaded, keyPlace}: CheckedProfile): readonly CheckedRoute[] {
	const {routes, brokenRoutes} = loaded.config.webhook;
	const broken = brokenRoutes.map(({name, route}) => ({name, route}));
	return [...routes.map(route => ({name: route.name, route})), ...broken].map(({name, route}) => {
		const isExtra = route?.place?.keyPath.startsWith('platforms.webhook.extra.') === true;
		const keys = ['platforms', 'webhook', ...(isExtra ? ['extra'] : []), 'routes', name];
		return {name, route, source: 'config', problems: [], place: key => keyPlace(...keys, key)};
	});
}

function subscriptions({loaded, documents}: CheckedProfile, expand: Expand): readonly CheckedRoute[] {
	const {webhook} = loaded.config;
	const store = createSubscriptionStore(documents);
	return Object.entries(store.read()).map(([name, entry]) => {
		const {route, state, problems} = readSubscription(name, entry, {webhook, expand});
		return {
			name,
			source: 'subscription',
			route: state === 'shadowed' ? undefined : route,
			// The refusals of a route that could be read are found with those of the others.
			problems: problems.filter(
				({code}) => code.startsWith('config_') || code.startsWith('unknown_') || code === 'route_shadowed',
			),
			place: key => `\`${name}.${key}\` in ${store.place}`,
		};
	});
}

/** The problems of a subscription's entry; those of config.yaml are reported with the file. */
export function entryTroubles(
	{command, documents}: CheckedProfile,
	{name, problems}: CheckedRoute,
	check: string,
): readonly Finding[] {
	const remove = command('webhook', 'remove', name);
	return problems.map(({code, level, message}) =>
		trouble(check, level, {
			message,
			remedy:
				code === 'route_shadowed'
					? `Remove the subscription: ${remove}`
					: `Correct \`${name}\` in ${createSubscriptionStore(documents).place}, or remove it: ${remove}`,
		}),
	);
}
