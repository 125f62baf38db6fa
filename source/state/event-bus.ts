import {type Clock} from '../util/clock.ts';
import {type GatewayEvent, type GatewayEventBody, type Publish} from './event.ts';

/** Where the core publishes what happened, and where dashboards, logs and sockets listen. */
export type EventBus = {
	/** The publisher of one profile: stamps an event and hands it to every listener, in order of subscription. */
	readonly publishFor: (profile: string) => Publish;
	/** The same for one listener alone: nobody else gets what is published with it. */
	readonly publishTo: (listener: (event: GatewayEvent) => void, profile: string) => Publish;
	/** Calls `listener` for every later event; the returned function ends that. A listener must not throw. */
	readonly listen: (listener: (event: GatewayEvent) => void) => () => void;
};

/** Creates an event bus. `redact` removes known secrets from every event before any screen or file gets it. */
export function createEventBus(options: {
	readonly clock: Clock;
	readonly redact: (event: GatewayEventBody) => GatewayEventBody;
}): EventBus {
	const listeners = new Set<(event: GatewayEvent) => void>();
	let seq = 0;
	const stamped = (body: GatewayEventBody, profile: string): GatewayEvent => {
		seq++;
		return {seq, time: options.clock.now(), profile, ...options.redact(body)};
	};

	return {
		publishFor: profile => body => {
			const event = stamped(body, profile);
			for (const listener of listeners) {
				listener(event);
			}
		},
		publishTo: (listener, profile) => body => listener(stamped(body, profile)),
		listen(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
