import {type Client, ProtocolError, ProtocolErrorCode, type RequestOptions} from '@modelcontextprotocol/client';
import {type Clock} from '../../util/clock.ts';
import {createBoundedMap} from '../../util/limits/bounded-map.ts';
import {type ServerNotice} from '../connection.ts';
import {noSdkTimeout} from '../protocol/handshake.ts';
import {type Era} from './connection-state.ts';
import {createGathered, type Gathered} from './gathered.ts';
import {openListening} from './listening.ts';

/** The subscriptions to single resources on one session. */
export type ResourceFeed = {
	/** The server announces changes of this resource from now on, also on later sessions. Rejects with the errors of the SDK. */
	readonly subscribe: (uri: string, options: RequestOptions) => Promise<void>;
	readonly unsubscribe: (uri: string, options: RequestOptions) => Promise<void>;
	readonly close: () => void;
};

const maxSubscriptions = 1000;

/** Subscribes again to what former sessions were subscribed to: those resources may have changed meanwhile. */
export function openResourceFeed(options: {
	readonly client: Client;
	readonly era: Era;
	readonly clock: Clock;
	readonly subscribed: Set<string>;
	readonly onNotice: (notice: ServerNotice) => void;
}): ResourceFeed {
	const {client, era, clock, subscribed, onNotice} = options;
	const controller = new AbortController();
	const listenings = new Map<string, {readonly close: () => void}>();
	const {changed, cancel} = createUpdates(clock, uri => onNotice({kind: 'resource-updated', uri}));
	client.setNotificationHandler('notifications/resources/updated', ({params: {uri}}) => {
		// A server may name a part of what was subscribed to.
		if ([...subscribed].some(wanted => uri.startsWith(wanted))) {
			changed(uri);
		}
	});

	const listen = async (uri: string) => {
		const listening = openListening({
			client,
			clock,
			filter: {resourceSubscriptions: [uri]},
			onMissed: () => changed(uri),
		});
		listenings.get(uri)?.close();
		listenings.set(uri, listening);
		const {resourceSubscriptions: honored = []} = await listening.opened.catch(endListening(listening));
		if (!honored.includes(uri)) {
			endListening(listening)(notAnnounced());
		}
	};

	const request = async (method: 'resources/subscribe' | 'resources/unsubscribe', uri: string, sdk: RequestOptions) => {
		await client.request({method, params: {uri}}, sdk);
	};

	const subscribe: ResourceFeed['subscribe'] = async (uri, sdk) => {
		if (!client.getServerCapabilities()?.resources?.subscribe) {
			throw notAnnounced();
		}

		await (era === 'stateless' ? listen(uri) : request('resources/subscribe', uri, sdk));
	};

	for (const uri of subscribed) {
		subscribe(uri, {signal: controller.signal, timeout: noSdkTimeout}).then(
			() => changed(uri),
			// Its reader is not cut off: the next session tries again.
			() => undefined,
		);
	}

	return {
		async subscribe(uri, sdk) {
			if (subscribed.size >= maxSubscriptions && !subscribed.has(uri)) {
				throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${maxSubscriptions} resources of a server`);
			}

			await subscribe(uri, sdk);
			subscribed.add(uri);
		},
		async unsubscribe(uri, sdk) {
			subscribed.delete(uri);
			listenings.get(uri)?.close();
			listenings.delete(uri);
			if (era === 'legacy') {
				await request('resources/unsubscribe', uri, sdk);
			}
		},
		close() {
			controller.abort();
			listenings.forEach(listening => listening.close());
			cancel();
		},
	};
}

/** Collects the updates of each resource. Bounded: the server names the resources. */
function createUpdates(clock: Clock, run: (uri: string) => void) {
	const bursts = createBoundedMap<string, Gathered>({max: maxSubscriptions, onEvict: gathered => gathered.cancel()});
	return {
		changed(this: void, uri: string) {
			const gathered =
				bursts.get(uri) ??
				createGathered(clock, () => {
					bursts.delete(uri);
					run(uri);
				});
			bursts.set(uri, gathered);
			gathered.changed();
		},
		cancel: () => bursts.entries().forEach(([, gathered]) => gathered.cancel()),
	};
}

function notAnnounced(): ProtocolError {
	return new ProtocolError(ProtocolErrorCode.MethodNotFound, 'The server does not announce changes of this resource');
}

/** Ends a subscription that cannot be used. */
function endListening(listening: {readonly close: () => void}): (error: unknown) => never {
	return error => {
		listening.close();
		throw error;
	};
}
