import {type Expand} from '../config/webhooks/refusals.ts';
import {createSubscriptionStore, readSubscription, type Subscription} from '../config/webhooks/subscriptions.ts';
import {type Journal} from '../journal/journal.ts';
import {type RouteState} from '../state/status-event.ts';
import {safeText} from '../util/safe-text.ts';
import {storedEvents} from './stored-events.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {findWarnings, type RouteRow, routeRows} from './route-rows.ts';

/** Publishes the state of every route (`route.state`, `route.removed`), each only when it changed. */
export type RouteStatus = {
	/** Looks again; `url` is where the receiver listens. Never throws. */
	readonly refresh: (url: string | null) => void;
	readonly close: () => void;
};

/** Opens an empty list. `expand` is that of the routes, `serves` says whether another profile is served too. */
export function createRouteStatus(
	context: ProfileContext,
	options: {
		readonly journal: Pick<Journal, 'findEvent' | 'listEvents' | 'listEventRuns' | 'listAnswers'>;
		readonly expand: Expand;
		readonly serves: (profile: string) => boolean;
	},
): RouteStatus {
	const {publish, current, paths, clock} = context;
	const shown = new Map<string, string>();
	let latest = 0;
	let phase: 'open' | 'closed' = 'open';

	const show = (states: readonly RouteState[]) => {
		const names = new Set(states.map(({route}) => route));
		for (const route of [...shown.keys()].filter(name => !names.has(name))) {
			shown.delete(route);
			publish({type: 'route.removed', route});
		}

		for (const state of states) {
			const text = JSON.stringify(state);
			if (shown.get(state.route) !== text) {
				shown.set(state.route, text);
				publish(state);
			}
		}
	};

	const statesNow = (url: string | null, warnings: ReadonlyMap<string, string>) => {
		const {webhook} = current().config;
		const {directory, profile} = paths;
		const {expand, serves} = options;
		const subscriptions = readSubscriptions(context, expand);
		const sources = {webhook, subscriptions, expand, directory, profile, serves, warnings};
		return webhook.enabled ? routeRows(sources, url ?? '').map(stateOf) : [];
	};

	const refreshNow = async (url: string | null) => {
		const turn = ++latest;
		show(statesNow(url, new Map()));
		// Stored events are read afterwards, for they are many: the rows need not wait for them.
		const subscribed = readSubscriptions(context, options.expand).flatMap(({route}) => route ?? []);
		const routes = [...current().config.webhook.routes, ...subscribed];
		const warnings = await findWarnings(routes, storedEvents(options.journal));
		if (turn === latest && phase === 'open') {
			show(statesNow(url, warnings));
		}
	};

	return {
		refresh(url) {
			// Not in the middle of what changed it, and not before the first requests are answered.
			clock.soon(() => {
				if (phase === 'open') {
					// Whoever serves from a file that cannot be read has reported it.
					refreshNow(url).catch(() => undefined);
				}
			});
		},
		close() {
			phase = 'closed';
		},
	};
}

function readSubscriptions({current, paths}: ProfileContext, expand: Expand): readonly Subscription[] {
	const {webhook} = current().config;
	const stored = createSubscriptionStore(paths.directory).read();
	return Object.entries(stored).map(([name, entry]) => readSubscription(name, entry, {webhook, expand}));
}

function stateOf(row: RouteRow): RouteState {
	const shown = (text: string) => safeText(text, {maximumCharacters: 300});
	return {
		type: 'route.state',
		route: shown(row.name),
		servedBy: shown(row.profile),
		source: row.source,
		state: stateWord(row),
		...(row.reason === null ? {} : {reason: shown(row.reason)}),
		url: shown(row.url),
		deliver: shown(row.deliver),
		events: row.events.map(shown),
	};
}

/** A subscription that is not served is skipped; of a configured route, it is refused. */
function stateWord({state, source}: RouteRow): RouteState['state'] {
	switch (state) {
		case 'served':
		case 'paused':
			return state;
		case 'shadowed':
			return 'skipped';
		case 'refused':
		case 'off':
			return source === 'config' ? 'refused' : 'skipped';
	}
}
