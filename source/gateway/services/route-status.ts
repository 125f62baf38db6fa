import {type Expand} from '../../config/webhooks/refusals.ts';
import {
	createSubscriptionStore,
	readSubscription,
	type Subscription,
	type SubscriptionContext,
} from '../../config/webhooks/subscriptions.ts';
import {type Journal} from '../../journal/journal.ts';
import {type RouteState} from '../../state/status-event.ts';
import {baseAddress} from '../../util/http-server.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {storedPayloads} from '../pages/stored-events.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {findWarnings, type FormerRoutes, type ListenFailure, type RouteRow, routeRows} from './route-rows.ts';

/** The URL of the receiver, or the failure that keeps it from listening. */
export type ReceiverState = {readonly url: string | null; readonly failure: ListenFailure | undefined};

/** Publishes the state of every route (`route.state`, `route.removed`), each only when it changed. */
export type RouteStatus = {
	/** Looks again. Never throws. */
	readonly refresh: (receiver: ReceiverState) => void;
	/** The present state of every route. Rejects when the subscriptions cannot be read. */
	readonly rows: (receiver: ReceiverState) => Promise<readonly RouteRow[]>;
	readonly close: () => void;
};

/** Opens an empty list. `expand` is that of the routes, `serves` says whether another profile is served too. */
export function createRouteStatus(
	context: OpenProfile,
	options: {
		readonly journal: Pick<Journal, 'findEvent' | 'listEvents'>;
		readonly expand: Expand;
		readonly serves: (profile: string) => boolean;
		/** The last good routes, while those of config.yaml are refused. */
		readonly kept: () => FormerRoutes | undefined;
	},
): RouteStatus {
	const {publish, current, paths, clock} = context;
	const store = createSubscriptionStore(context.documents);
	let latest = 0;
	let phase: 'open' | 'closed' = 'open';

	const show = createShow(publish);
	const rowsNow = ({url, failure}: ReceiverState, warnings: ReadonlyMap<string, string>) => {
		const {webhook} = current().config;
		const {directory, profile} = paths;
		const {expand, serves} = options;
		const kept = options.kept();
		const subscriptions = readSubscriptions(store.read(), {webhook: kept?.webhook ?? webhook, expand});
		const sources = {
			webhook,
			subscriptions,
			expand,
			directory,
			profile,
			serves,
			warnings,
			kept,
			listenFailure: failure,
		};
		return routeRows(sources, url ?? baseAddress(webhook));
	};

	const readWarnings = () => {
		const webhook = options.kept()?.webhook ?? current().config.webhook;
		const {expand} = options;
		const subscribed = readSubscriptions(store.read(), {webhook, expand}).flatMap(({route}) => route ?? []);
		return findWarnings([...webhook.routes, ...subscribed], storedPayloads(options.journal));
	};

	const showRows = (rows: readonly RouteRow[]) => show(current().config.webhook.enabled ? rows.map(stateOf) : []);

	const refreshNow = async (receiver: ReceiverState) => {
		const turn = ++latest;
		showRows(rowsNow(receiver, new Map()));
		// Stored events are read afterwards, for they are many: the rows need not wait for them.
		const warnings = await readWarnings();
		if (turn === latest && phase === 'open') {
			showRows(rowsNow(receiver, warnings));
		}
	};

	return {
		rows: async receiver => rowsNow(receiver, await readWarnings()),
		refresh(receiver) {
			// Not in the middle of what changed it, and not before the first requests are answered.
			clock.soon(() => {
				if (phase === 'open') {
					// The part that serves subscriptions reports those that it cannot read.
					refreshNow(receiver).catch(() => undefined);
				}
			});
		},
		close() {
			phase = 'closed';
		},
	};
}

/** Publishes what changed since the last call. */
function createShow(publish: ProfileContext['publish']): (states: readonly RouteState[]) => void {
	const shown = new Map<string, string>();
	return states => {
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
}

function readSubscriptions(stored: JsonObject, context: SubscriptionContext): readonly Subscription[] {
	return Object.entries(stored).map(([name, entry]) => readSubscription(name, entry, context));
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
		...(row.nextActions && row.nextActions.length > 0 && {nextActions: row.nextActions}),
		url: shown(row.url),
		deliver: shown(row.deliver),
		events: row.events.map(shown),
		...(row.maxRuns !== undefined && {maxRuns: row.maxRuns}),
	};
}

function stateWord({state}: RouteRow): RouteState['state'] {
	switch (state) {
		case 'served':
		case 'paused':
		case 'failed':
			return state;
		case 'shadowed':
		case 'off':
			return 'skipped';
	}
}
