import {check, type Expand} from '../config/refusals.ts';
import {type RouteConfig} from '../config/route-entry.ts';
import {type Subscription} from '../config/subscriptions.ts';
import {type WebhookConfig} from '../config/webhook-entry.ts';
import {type Problem} from '../util/problem.ts';
import {createListFiles} from '../webhooks/list-file.ts';
import {prepareRoute} from '../webhooks/prepared-route.ts';
import {webhookPath} from '../webhooks/request-path.ts';

/** Whether events of a route would be taken; `shadowed`: a configured route has the name, `off`: nobody listens for it. */
export type RouteRowState = 'served' | 'paused' | 'refused' | 'shadowed' | 'off';

/** One row of `webhook list --json` (spec/decisions.md, D14). */
export type RouteRow = {
	readonly name: string;
	readonly url: string;
	readonly profile: string;
	readonly events: readonly string[];
	readonly deliver: string;
	readonly source: 'config' | 'subscription';
	readonly state: RouteRowState;
	readonly reason: string | null;
};

/** The routes of a state directory. */
export type RouteSources = {
	readonly webhook: WebhookConfig;
	readonly subscriptions: readonly Subscription[];
	readonly expand: Expand;
	readonly directory: string;
	/** The running profile. */
	readonly profile: string;
	/** Whether the gateway serves another profile beside the running one. Default: none. */
	readonly serves?: (profile: string) => boolean;
	/** What is doubtful about a route that is served, by its name. */
	readonly warnings?: ReadonlyMap<string, string>;
};

/** A route as its source stands to it, before the receiver is asked. */
type Standing = {
	readonly name: string;
	readonly route: RouteConfig | undefined;
	readonly state: RouteRowState;
	readonly problems: readonly Problem[];
};

/** Every route: those of config.yaml as they stand there, then the subscriptions. `base` is the address of the receiver. */
export function routeRows(sources: RouteSources, base: string): readonly RouteRow[] {
	const {routes, brokenRoutes} = sources.webhook;
	const judge = createJudge(sources);
	const row =
		(source: RouteRow['source']) =>
		(standing: Standing): RouteRow => {
			const {name, route} = standing;
			return {
				name,
				url: `${base}${webhookPath({name, profile: route?.profile})}`,
				profile: route?.profile ?? sources.profile,
				events: route?.events ?? [],
				deliver: route?.deliver ?? 'log',
				source,
				...judge(standing),
			};
		};

	const configured: readonly Standing[] = [
		...routes.map(route => ({name: route.name, route, state: 'served' as const, problems: []})),
		...brokenRoutes.map(({name, route, problem}) => ({name, route, state: 'refused' as const, problems: [problem]})),
	];
	return [...configured.map(row('config')), ...sources.subscriptions.map(row('subscription'))];
}

/** Puts the state of the receiver over that of a route: one refused route of config.yaml keeps the receiver from starting. */
function createJudge({webhook, expand, directory, profile, warnings, serves = () => false}: RouteSources) {
	const lists = createListFiles(directory);
	const refusals = check(webhook, expand);
	const refused = refusals.flatMap(({scope}) => (scope?.kind === 'route' ? [scope.name] : []));
	const receiver = webhook.enabled
		? refusals.length > 0 && `the receiver does not start while a route is refused: ${[...new Set(refused)].join(', ')}`
		: 'webhooks are off';

	return (standing: Standing): Pick<RouteRow, 'state' | 'reason'> => {
		const {route} = standing;
		if (standing.state !== 'served' || !route) {
			return {state: standing.state, reason: reasonOf(standing.problems)};
		}

		const own = refusals.filter(({scope}) => scope?.kind === 'route' && scope.name === route.name);
		if (own.length > 0) {
			return {state: 'refused', reason: reasonOf(own)};
		}

		if (receiver) {
			return {state: 'off', reason: receiver};
		}

		if (route.profile !== undefined && route.profile !== profile && !serves(route.profile)) {
			return {state: 'off', reason: `profile ${route.profile} is not served`};
		}

		const {service, problems} = prepareRoute(route, {expand, lists});
		const state = service.kind === 'paused' ? 'paused' : 'served';
		const reasons = [reasonOf([...standing.problems, ...problems]), warnings?.get(route.name)].filter(Boolean);
		return {state, reason: reasons.join('; ') || null};
	};
}

function reasonOf(problems: readonly Problem[]): string | null {
	return problems.map(({message}) => message).join('; ') || null;
}
