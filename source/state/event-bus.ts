import {type Clock} from '../util/clock.ts';
import {type GatewayEvent, type GatewayEventBody, type Publish} from './event.ts';

/** Where the core publishes what happened, and where dashboards, logs and sockets listen. */
export type EventBus = {
	/** The publisher of one profile: stamps an event and hands it to every listener, in order of subscription. */
	readonly publishFor: (profile: string) => Publish;
	/** The same for what another gateway of a shared journal did: only those get it that show everything. */
	readonly publishOther: (profile: string) => Publish;
	/** The same for one listener alone: nobody else gets what is published with it. */
	readonly publishTo: (listener: (event: GatewayEvent) => void, profile: string) => Publish;
	/** Calls `listener` for every later event of this gateway; the returned function ends that. A listener must not throw. */
	readonly listen: (listener: (event: GatewayEvent) => void) => () => void;
	/** The same for what other gateways did, too. */
	readonly listenToAll: EventBus['listen'];
};

/** Creates an event bus. `redact` removes known secrets from every event before any screen or file gets it. */
export function createEventBus(options: {
	readonly clock: Clock;
	readonly redact: (event: GatewayEventBody) => GatewayEventBody;
}): EventBus {
	const listeners = new Map<(event: GatewayEvent) => void, 'own' | 'all'>();
	const listenTo = (which: 'own' | 'all') => (listener: (event: GatewayEvent) => void) => {
		listeners.set(listener, which);
		return () => void listeners.delete(listener);
	};

	let seq = 0;
	const stamped = (body: GatewayEventBody, profile: string): GatewayEvent => {
		seq++;
		return {seq, time: options.clock.now(), profile, ...options.redact(body)};
	};

	return {
		publishFor: profile => body => {
			const event = stamped(body, profile);
			for (const listener of listeners.keys()) {
				listener(event);
			}
		},
		publishOther: profile => body => {
			const event = stamped(body, profile);
			for (const [listener, which] of listeners) {
				if (which === 'all') {
					listener(event);
				}
			}
		},
		publishTo: (listener, profile) => body => listener(stamped(body, profile)),
		listen: listenTo('own'),
		listenToAll: listenTo('all'),
	};
}
