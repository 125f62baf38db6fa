import {
	CLIENT_INFO_META_KEY,
	ProtocolError,
	ProtocolErrorCode,
	ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {type EndpointTools, watchResources} from './endpoint-tools.ts';
import {type FeatureCaller} from './feature-lists.ts';
import {endpointLimits} from './limits.ts';
import {type OwnUri, ownUri, servedUri} from './served-uri.ts';
import {type ServerFeatures} from './server-features.ts';

/** The resources of whose changes one client is notified. */
export type ResourceSubscriptions = {
	/** Rejects with a `ProtocolError`. */
	readonly subscribe: (uri: string, caller: FeatureCaller) => Promise<void>;
	/** The server no longer announces changes when no other client waits for them. */
	readonly unsubscribe: (uri: string) => Promise<void>;
	/** Ends all subscriptions. */
	readonly close: () => void;
};

type Subscription = {
	readonly own: OwnUri;
	readonly leave: () => 'last' | 'others';
	readonly client: string | undefined;
};

/** Opens a set of subscriptions of one client; `updated` is called with the address of a changed resource. */
export function openResourceSubscriptions(
	{tools, features}: {readonly tools: EndpointTools; readonly features: Pick<ServerFeatures, 'callRead'>},
	updated: (uri: string) => void,
): ResourceSubscriptions {
	const subscriptions = new Map<string, Subscription>();
	let phase: 'open' | 'closed' = 'open';
	const endWatch = watchResources(tools, ({server, uri}) => {
		// A server may name a part of what was subscribed to.
		const isWanted = [...subscriptions.values()].some(({own}) => own.server === server && uri.startsWith(own.uri));
		if (isWanted) {
			updated(servedUri({server, uri}));
		}
	});

	const unsubscribe = async (uri: string) => {
		const subscription = subscriptions.get(uri);
		subscriptions.delete(uri);
		if (subscription?.leave() === 'last') {
			const {client} = subscription;
			const caller = {client, ...unattended()};
			// A server that is away has forgotten it.
			await features.callRead(uri, {subscribe: false}, caller).catch(() => undefined);
		}
	};

	return {
		async subscribe(uri, caller) {
			const own = ownUri(uri);
			if (!own) {
				throw new ResourceNotFoundError(uri);
			}

			if (subscriptions.size >= endpointLimits.watchedResources && !subscriptions.has(uri)) {
				const message = `At most ${endpointLimits.watchedResources} resources can be subscribed to`;
				throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
			}

			await features.callRead(uri, {subscribe: true}, caller);
			if (!subscriptions.has(uri)) {
				subscriptions.set(uri, {own, leave: tools.notices.enter(own.server, own.uri), client: caller.client});
			}

			if (phase === 'closed') {
				await unsubscribe(uri);
			}
		},
		unsubscribe,
		close() {
			phase = 'closed';
			endWatch();
			for (const uri of subscriptions.keys()) {
				void unsubscribe(uri);
			}
		},
	};
}

/** The options of a call whose client waits for nothing. */
function unattended() {
	return {
		flaw: undefined,
		progressToken: undefined,
		signal: new AbortController().signal,
		notifyProgress: () => undefined,
	};
}

/** True for a request that waits for changes of single resources. */
export function isResourceListen(message: unknown): boolean {
	return resourcesOf(message).length > 0;
}

const listenSchema = z.object({
	params: z.object({_meta: z.object({[CLIENT_INFO_META_KEY]: z.object({name: z.string()})})}),
});

/**
Subscribes to the resources that a listen request names, at their servers; the SDK routes the notifications. Resolves with the request without the
resources that cannot be subscribed to, so that its acknowledgement says which are. Never rejects.
*/
export async function subscribeListen(
	message: unknown,
	{subscribe}: Pick<ResourceSubscriptions, 'subscribe'>,
	signal: AbortSignal,
): Promise<unknown> {
	const {_meta: meta} = listenSchema.safeParse(message).data?.params ?? {};
	const caller = {client: meta?.[CLIENT_INFO_META_KEY].name, ...unattended(), signal};
	const opened: string[] = [];
	for (const uri of resourcesOf(message)) {
		await subscribe(uri, caller).then(
			() => opened.push(uri),
			() => undefined,
		);
	}

	return withResources(message, opened);
}

function resourcesOf(message: unknown): readonly string[] {
	const notifications = notificationsOf(message);
	const uris = notifications?.['resourceSubscriptions'];
	return Array.isArray(uris) ? [...new Set(uris.filter(uri => typeof uri === 'string'))] : [];
}

function notificationsOf(message: unknown) {
	const isListen = isJsonObject(message) && message['method'] === 'subscriptions/listen';
	const params = isListen ? message['params'] : undefined;
	const notifications = isJsonObject(params) ? params['notifications'] : undefined;
	return isJsonObject(notifications) ? notifications : undefined;
}

function withResources(message: unknown, resourceSubscriptions: readonly string[]): unknown {
	const params = isJsonObject(message) ? message['params'] : undefined;
	const notifications = notificationsOf(message);
	return isJsonObject(message) && isJsonObject(params) && notifications
		? {...message, params: {...params, notifications: {...notifications, resourceSubscriptions}}}
		: message;
}
