import {type Clock} from '../util/clock.ts';
import {type GatewayEvent, type GatewayEventBody, type Publish} from './event.ts';
import {type ViewEvent} from './view-event.ts';

/** Where the core publishes what happened, and where dashboards, logs and sockets listen. */
export type EventBus = {
	/** The publisher of one profile: stamps an event and hands it to every listener, in order of subscription. */
	readonly publishFor: (profile: string) => Publish;
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

/** Leaves out the answers to a dashboard's own questions (`view.…`): for logs and for listeners outside the process. */
export function historyOnly(listener: (event: GatewayEvent) => void): (event: GatewayEvent) => void {
	return event => {
		if (!isViewEvent(event)) {
			listener(event);
		}
	};
}

function isViewEvent(event: GatewayEvent): event is Extract<GatewayEvent, ViewEvent> {
	return event.type.startsWith('view.');
}
