import {type WebhookConfig} from '../../config/webhooks/webhook-entry.ts';
import {type Journal} from '../../journal/journal.ts';
import {type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {type Coalescer} from '../coalesce/coalescer.ts';
import {type DispatchOptions} from './persist-event.ts';
import {type ProfileFiles} from '../script/script.ts';
import {type ServerLimits} from '../http/server.ts';

/** What the adapter needs from the other rooms. */
export type AdapterOptions = {
	readonly config: WebhookConfig;
	readonly clock: Clock;
	readonly publish: Publish;
	readonly journal: Pick<
		Journal,
		| 'acceptEvent'
		| 'recordEvent'
		| 'settleEvent'
		| 'endDelivery'
		| 'releaseOpenDeliveries'
		| 'takeWindow'
		| 'listWindows'
	>;
	readonly deliver: DispatchOptions['deliver'];
	/** Fires scheduled jobs. Default: there are none. */
	readonly fireJob?: DispatchOptions['fireJob'];
	/** Told that a run was queued. */
	readonly wakeRuns: () => void;
	/** How many runs may wait in the journal. */
	readonly queueLimit: () => number;
	/** The running profile. */
	readonly profile: string;
	/** The profile's directory: where the subscriptions are and relative `in_file` paths begin. */
	readonly directory: string;
	readonly scripts: ProfileFiles['scripts'];
	/** Expands the variable references of route secrets, with the secrets of the profile that serves the route. */
	readonly expand: (text: string, profile?: string) => string;
	/** What another profile has for the routes that name it; undefined when it is not served (docs/configuration.md, Profiles). Default: no other is served. */
	readonly otherProfile?: (name: string) => ProfileFiles | undefined;
	/** Told of the secrets of subscriptions, so that none is ever shown. */
	readonly learnSecret?: (secret: string) => void;
	/** Other bounds, for tests. */
	readonly limits?: Partial<AdapterLimits>;
};

/** What all requests of an adapter share. */
export type AdapterState = {
	readonly limits: AdapterLimits;
	/** Told that an event was kept in a coalescing window. */
	readonly coalesced: Coalescer['arrived'];
	readonly isStopping: () => boolean;
	/** Aborts when requests under way are given up. */
	readonly signal: AbortSignal;
};

/** Bounds that no configuration names (docs/webhooks.md, Answers). */
export type AdapterLimits = ServerLimits & {
	readonly bodyMilliseconds: number;
	/** Bodies of unverified senders that are read at once, per route. */
	readonly unverifiedBodies: number;
	/** How long a stop waits for requests under way. */
	readonly drainMilliseconds: number;
	/** How long it then waits for their connections. */
	readonly graceMilliseconds: number;
};

/** The bounds in use. */
export const adapterLimits: AdapterLimits = {
	headersMilliseconds: 10_000,
	bodyMilliseconds: 30_000,
	requestMilliseconds: 45_000,
	keepAliveMilliseconds: 15_000,
	checkMilliseconds: 1000,
	maxHeaderBytes: 16_384,
	maxConnections: 1024,
	unverifiedBodies: 64,
	drainMilliseconds: 10_000,
	graceMilliseconds: 1000,
};
