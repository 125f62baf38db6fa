import {type Clock} from '../util/clock.ts';
import {type GatewayEvent, type GatewayEventBody, type Publish} from './event.ts';

/** Takes events of the gateway, and hands them to dashboards, logs and sockets. */
export type EventBus = {
	/** The publisher of one profile: stamps an event and hands it to every listener, in order of subscription. */
	readonly publishFor: (profile: string) => Publish;
	/** The same for what another gateway of a shared journal does: only those get it that show everything. */
	readonly publishOther: (profile: string) => Publish;
	/** The same for what another gateway did before anybody looked, at a time in milliseconds since the epoch; followers of news do not get it. */
	readonly publishPast: (profile: string) => (event: GatewayEventBody, time: number) => void;
	/** The same for one listener alone: nobody else gets what is published with it. */
	readonly publishTo: (listener: (event: GatewayEvent) => void, profile: string) => Publish;
	/** Calls `listener` for every later event of this gateway; the returned function ends that. A listener must not throw. */
	readonly listen: (listener: (event: GatewayEvent) => void) => () => void;
	/** The same for what other gateways do and did, too: what a dashboard shows. */
	readonly listenToAll: EventBus['listen'];
	/** The same for what other gateways do from now on. */
	readonly followAll: EventBus['listen'];
	/** The same as `listenToAll` for what is gathered until somebody looks: nothing is looked up for it. */
	readonly gatherAll: EventBus['listen'];
	/** True while somebody listens who is shown the work of other gateways. */
	readonly isWatched: () => boolean;
	/** Calls `listener` when somebody begins to, after nobody did; the returned function ends that. */
	readonly onWatched: (listener: () => void) => () => void;
};

/** The share of events of a listener besides those of this gateway. */
type Share = 'own' | 'all' | 'news' | 'gathered';

const watching: ReadonlySet<Share> = new Set(['all', 'news']);

/** Creates an event bus. `redact` removes known secrets from every event before any screen or file gets it. */
export function createEventBus(options: {
	readonly clock: Clock;
	readonly redact: (event: GatewayEventBody) => GatewayEventBody;
}): EventBus {
	const listeners = new Map<(event: GatewayEvent) => void, Share>();
	const onWatched = new Set<() => void>();
	const isWatched = () => [...listeners.values()].some(share => watching.has(share));
	const listenTo = (share: Share) => (listener: (event: GatewayEvent) => void) => {
		const isFirst = watching.has(share) && !isWatched();
		listeners.set(listener, share);
		if (isFirst) {
			onWatched.forEach(begin => begin());
		}

		return () => void listeners.delete(listener);
	};

	let seq = 0;
	const stamped = (body: GatewayEventBody, profile: string, time = options.clock.now()): GatewayEvent => {
		seq++;
		return {seq, time, profile, ...options.redact(body)};
	};

	const hand = (event: GatewayEvent, without: ReadonlySet<Share>) => {
		for (const [listener, share] of listeners) {
			if (!without.has(share)) {
				listener(event);
			}
		}
	};

	return {
		publishFor: profile => body => {
			const event = stamped(body, profile);
			for (const listener of listeners.keys()) {
				listener(event);
			}
		},
		publishOther: profile => body => hand(stamped(body, profile), withoutOthers),
		publishPast: profile => (body, time) => hand(stamped(body, profile, time), withoutPast),
		publishTo: (listener, profile) => body => listener(stamped(body, profile)),
		listen: listenTo('own'),
		listenToAll: listenTo('all'),
		followAll: listenTo('news'),
		gatherAll: listenTo('gathered'),
		isWatched,
		onWatched(listener) {
			onWatched.add(listener);
			return () => void onWatched.delete(listener);
		},
	};
}

/** Shares that get no present events of other gateways, and shares that get no past ones. */
const withoutOthers: ReadonlySet<Share> = new Set(['own']);
const withoutPast: ReadonlySet<Share> = new Set(['own', 'news']);
