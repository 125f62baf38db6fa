import {type GatewayClient} from './gateway-call.ts';

type Subscribe = GatewayClient['subscribe'];

/** The subscriptions of one client, and the receiver of all that is for them. */
export type Subscriptions = {
	readonly subscribe: Subscribe;
	readonly onEvent: Parameters<Subscribe>[0];
	readonly onSnapshot: NonNullable<Parameters<Subscribe>[1]>;
};

/** Creates the subscriptions of a client; there are none before `subscribe`. */
export function createSubscriptions(): Subscriptions {
	const subscriptions = new Set<Parameters<Subscribe>>();
	return {
		subscribe(...callbacks) {
			subscriptions.add(callbacks);
			return () => void subscriptions.delete(callbacks);
		},
		onEvent: event => subscriptions.forEach(([onEvent]) => onEvent(event)),
		onSnapshot: snapshot => subscriptions.forEach(([, onSnapshot]) => onSnapshot?.(snapshot)),
	};
}
