import {type Clock} from '../util/clock.ts';
import {type GatewayEvent, type GatewayEventBody, type Publish} from './event.ts';

/** Where the core tells what happened, and where windows, logs and sockets listen. */
export type EventBus = {
	/** The publisher of one profile: stamps an event and hands it to every listener, in order of subscription. */
	readonly publishFor: (profile: string) => Publish;
	/** Calls `listener` for every later event; the returned function ends that. A listener must not throw. */
	readonly listen: (listener: (event: GatewayEvent) => void) => () => void;
};

/** Opens an event bus. `clean` removes known secrets from every text that passes, the last lock before eyes and disks. */
export function createEventBus(options: {
	readonly clock: Clock;
	readonly redact: (event: GatewayEventBody) => GatewayEventBody;
}): EventBus {
	const listeners = new Set<(event: GatewayEvent) => void>();
	let seq = 0;
	return {
		publishFor: profile => body => {
			seq++;
			const event: GatewayEvent = {seq, time: options.clock.now(), profile, ...options.redact(body)};
			for (const listener of listeners) {
				listener(event);
			}
		},
		listen(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
	};
}
