import {type JsonObject} from '../../util/json-text.ts';
import {type Place} from '../../util/problem.ts';
import {type RouteFilter} from './route-filter.ts';
import {type SignatureScheme} from './signature-scheme.ts';

/** How a burst of events about one entity becomes one run (docs/webhooks.md, Routes and profiles). */
export type CoalesceConfig = {
	/** Payload field or template that names the entity. */
	readonly key: string;
	readonly windowSeconds: number;
	readonly maxWaitSeconds: number;
};

/** One route, static or dynamic (docs/webhooks.md, Routes and profiles). Secrets still hold their variable references. */
export type RouteConfig = {
	readonly name: string;
	/** Empty: every event. */
	readonly events: readonly string[];
	/** Own secrets, else the global one; any match is enough. Empty: the route must not be served. */
	readonly secrets: readonly string[];
	readonly profile?: string;
	/** How senders sign; absent: by one of the recognised headers. */
	readonly signature?: SignatureScheme;
	/** Undefined: the whole payload as indented JSON. */
	readonly prompt?: string;
	readonly filters: readonly RouteFilter[];
	/** Path below scripts/ of what filters or changes the payload. */
	readonly script?: string;
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
	readonly deliver: string;
	readonly deliverExtra: JsonObject;
	readonly action: 'agent' | 'deliver-only';
	readonly enabled: boolean;
	/** The scheduled job that each event fires. */
	readonly cronJob?: string;
	readonly coalesce?: CoalesceConfig;
	/** Where the route stands; absent for routes that came without a file of lines. */
	readonly place?: Place;
};
