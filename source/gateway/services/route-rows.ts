import {type RouteRowJson} from '../../state/json/event.ts';
import {webhookRefusals, type Expand} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type Subscription} from '../../config/webhooks/subscriptions.ts';
import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {actionCommands, type NextAction, problemActions} from '../../state/next-action.ts';
import {targetNames} from '../../util/destinations.ts';
import {type Problem} from '../../util/problem.ts';
import {createListFiles} from '../../webhooks/filters/list-file.ts';
import {webhookPath} from '../../webhooks/http/incoming-request.ts';
import {type PreparedRoute, prepareRoute} from '../../webhooks/routes/prepared-route.ts';
import {readRecentEvents, type StoredEvents, warnOfUnresolved} from '../../webhooks/template/unresolved-variables.ts';

/**
State of a route. `failed`: it should take events and does not, for the given reason; `shadowed`: a configured route has the name; `off`: webhooks are
off, or its profile is not served.
*/
type RouteRowState = 'served' | 'paused' | 'failed' | 'shadowed' | 'off';

/** The state of a route; without `nextActions` one row of `webhook list --json` (docs/json.md, Log lines). */
export type RouteRow = {
	readonly name: string;
	readonly url: string;
	readonly profile: string;
	readonly events: readonly string[];
	/** The targets, separated by commas. */
	readonly deliver: string;
	readonly targets: readonly string[];
	readonly source: 'config' | 'subscription';
	readonly state: RouteRowState;
	/** Undefined: no limit of its own. */
	readonly maxRuns?: number;
	readonly reason: string | null;
	/** Remedies for the reason. */
	readonly nextActions?: readonly NextAction[];
};

/** The row as it leaves the gateway: what to do next is a text. */
export function routeRowToJson({nextActions, maxRuns, ...row}: RouteRow): RouteRowJson {
	return {...row, max_runs: maxRuns, next_action: actionCommands(nextActions, {profile: row.profile}) ?? null};
}

/** The reason that the receiver does not listen, and the remedies. */
export type ListenFailure = {readonly reason: string; readonly nextActions?: readonly NextAction[] | undefined};

/** The routes of a state directory. */
type RouteSources = {
	readonly webhook: WebhookConfig;
	readonly subscriptions: readonly Subscription[];
	readonly expand: Expand;
	readonly directory: string;
	/** The running profile. */
	readonly profile: string;
	/** True if the gateway serves another profile besides the running one. Default: none. */
	readonly serves?: (profile: string) => boolean;
	/** Warnings about served routes, by name. */
	readonly warnings?: ReadonlyMap<string, string>;
	/** The reason that the receiver does not listen, although it should. */
	readonly listenFailure?: ListenFailure | undefined;
	/** The last good routes, which are served while one of config.yaml is invalid. */
	readonly kept?: FormerRoutes;
};

/** Routes that stay in force although config.yaml has others by now. */
export type FormerRoutes = {readonly webhook: WebhookConfig; readonly prepared: ReadonlyMap<string, PreparedRoute>};

/** A route as its source describes it, before the receiver is asked. */
type SourcedRoute = {
	readonly name: string;
	readonly route: RouteConfig | undefined;
	readonly state: RouteRowState;
	readonly problems: readonly Problem[];
};

/** Every route: first those of config.yaml in their order, then the subscriptions. Kept ones come first. `base` is the address of the receiver. */
export function routeRows({kept, ...sources}: RouteSources, base: string): readonly RouteRow[] {
	const refusals = webhookRefusals(sources.webhook, sources.expand);
	const written = rowsOf(sources, {base, refusals});
	if (!kept) {
		return written;
	}

	const served = rowsOf({...sources, webhook: kept.webhook}, {base, refusals: [], prepared: kept.prepared});
	const names = new Set(served.map(({name}) => name));
	const withReason = (row: RouteRow): RouteRow => {
		const own = refusals.filter(({scope}) => scope?.kind === 'route' && scope.name === row.name);
		return own.length > 0
			? {
					...row,
					reason: `unchanged, because its entry in config.yaml is now invalid: ${reasonOf(own)}`,
					nextActions: problemActions(own),
				}
			: row;
	};

	return [...served.map(withReason), ...written.filter(({name}) => !names.has(name))];
}

type RowOptions = {
	readonly base: string;
	readonly refusals: readonly Problem[];
	readonly prepared?: FormerRoutes['prepared'];
};

function rowsOf(sources: RouteSources, options: RowOptions): readonly RouteRow[] {
	const {routes, brokenRoutes} = sources.webhook;
	const {base} = options;
	const check = createRouteCheck(sources, options);
	const row =
		(source: RouteRow['source']) =>
		(status: SourcedRoute): RouteRow => {
			const {name, route} = status;
			const deliver = route?.deliver ?? [{target: 'log'}];
			return {
				name,
				url: `${base}${webhookPath({name, profile: route?.profile})}`,
				profile: route?.profile ?? sources.profile,
				events: route?.events ?? [],
				deliver: targetNames(deliver),
				targets: deliver.map(({target}) => target),
				source,
				maxRuns: route?.maxRuns,
				...check(status),
			};
		};

	const configured: readonly SourcedRoute[] = [
		...routes.map(route => ({name: route.name, route, state: 'served' as const, problems: []})),
		...brokenRoutes.map(({name, route, problem}) => ({name, route, state: 'failed' as const, problems: [problem]})),
	];
	const subscribed = sources.subscriptions.map(subscription => ({
		...subscription,
		state: subscription.state === 'refused' ? ('failed' as const) : subscription.state,
	}));
	return [...configured.map(row('config')), ...subscribed.map(row('subscription'))];
}

/** Puts the state of the receiver over that of a route: one refused route of config.yaml keeps the others from being served. */
function createRouteCheck(sources: RouteSources, {refusals, prepared}: RowOptions) {
	const {webhook, expand, directory, profile, warnings, serves = () => false} = sources;
	const lists = createListFiles(directory);
	const receiver = receiverFault(sources, refusals);

	return (status: SourcedRoute): Pick<RouteRow, 'state' | 'reason' | 'nextActions'> => {
		const {route} = status;
		if (status.state !== 'served' || !route) {
			return {state: status.state, ...explained(status.problems)};
		}

		const own = refusals.filter(({scope}) => scope?.kind === 'route' && scope.name === route.name);
		if (own.length > 0) {
			return {state: 'failed', ...explained(own)};
		}

		if (!webhook.enabled) {
			return {state: 'off', reason: 'webhooks are off'};
		}

		if (route.profile !== undefined && route.profile !== profile && !serves(route.profile)) {
			return {state: 'off', reason: `profile ${route.profile} is not served`};
		}

		const {service, problems} = prepared?.get(route.name) ?? prepareRoute(route, {expand, lists});
		const all = [...status.problems, ...problems];
		const reasons = [reasonOf(all), warnings?.get(route.name), receiver].filter(Boolean);
		const state = service.kind === 'failed' || receiver !== undefined ? 'failed' : stateOf(service);
		// Actions: of the route, of the refusals, and of the listener. A refusal also explains why nothing listens.
		const listening = refusals.length > 0 ? [] : (sources.listenFailure?.nextActions ?? []);
		const nextActions = [...problemActions([...all, ...refusals]), ...listening];
		return {state, reason: reasons.join('; ') || null, nextActions};
	};
}

function stateOf({kind}: {readonly kind: 'open' | 'paused'}): RouteRowState {
	return kind === 'open' ? 'served' : 'paused';
}

/** The reason that the receiver takes no event for any route; undefined if it does, or is switched off. */
function receiverFault({listenFailure}: RouteSources, refusals: readonly Problem[]): string | undefined {
	const refused = refusals.flatMap(({scope}) => (scope?.kind === 'route' ? [scope.name] : []));
	return refusals.length > 0
		? `not served while a route of config.yaml is invalid: ${[...new Set(refused)].join(', ')}`
		: listenFailure && `nothing arrives: ${listenFailure.reason}`;
}

function explained(problems: readonly Problem[]): Pick<RouteRow, 'reason' | 'nextActions'> {
	return {reason: reasonOf(problems), nextActions: problemActions(problems)};
}

function reasonOf(problems: readonly Problem[]): string | null {
	return problems.map(({message}) => message).join('; ') || null;
}

/** Warnings by route name: template variables that no stored event has. */
export async function findWarnings(
	routes: readonly RouteConfig[],
	stored: StoredEvents,
): Promise<ReadonlyMap<string, string>> {
	const warnings = new Map<string, string>();
	for (const route of routes) {
		const warning = await warnOfUnresolved(route, await readRecentEvents(stored, route.name));
		if (warning !== undefined) {
			warnings.set(route.name, warning);
		}
	}

	return warnings;
}
