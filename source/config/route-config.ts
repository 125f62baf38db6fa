import {type JsonObject} from '../util/json-text.ts';
import {type Place} from '../util/problem.ts';
import {toBoolean} from './bool-like.ts';
import {toNumber} from './number-like.ts';
import {toJsonObject} from './plain-value.ts';
import {parseFilters, type RouteFilter} from './route-filter.ts';
import {coalesceDefaults, type RouteEntry} from './route-schema.ts';
import {toTexts} from './text-like.ts';

/** How a burst of events about one entity becomes one run (spec/webhooks.md, Route properties). */
export type CoalesceConfig = {
	/** Payload field or template that names the entity. */
	readonly key: string;
	readonly windowSeconds: number;
	readonly maxWaitSeconds: number;
};

/** One route, static or dynamic (spec/webhooks.md, Route properties). Secrets still hold their variable references. */
export type RouteConfig = {
	readonly name: string;
	/** Empty: every event. */
	readonly events: readonly string[];
	/** Own secrets, else the global one; any match is enough. Empty: the route must not be served. */
	readonly secrets: readonly string[];
	readonly profile?: string;
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

/** The secrets written at a `secret` key without the empty ones; undefined when the key is not there. */
export function toSecrets(written: RouteEntry['secret']): readonly string[] | undefined {
	return toTexts(written)?.filter(secret => secret.trim() !== '');
}

/** The route that an entry means. The global secrets are for a route without a secret of its own. */
export function toRoute(name: string, value: RouteEntry, globalSecrets: readonly string[]): RouteConfig {
	return {
		name,
		events: toTexts(value.events) ?? [],
		secrets: toSecrets(value.secret) ?? globalSecrets,
		profile: value.profile || undefined,
		prompt: value.prompt,
		filters: parseFilters(value.filters),
		script: value.script || undefined,
		skills: toTexts(value.skills) ?? [],
		toolsets: toTexts(value.toolsets),
		deliver: value.deliver || 'log',
		deliverExtra: toJsonObject(value.deliver_extra),
		action: toBoolean(value.deliver_only) ? 'deliver-only' : 'agent',
		enabled: toBoolean(value.enabled) ?? true,
		cronJob: value.cron_job || undefined,
		coalesce: toCoalesce(value.coalesce),
	};
}

function toCoalesce(written: RouteEntry['coalesce']): CoalesceConfig | undefined {
	return (
		written && {
			key: written.key,
			windowSeconds: toNumber(written.window_seconds, coalesceDefaults.windowSeconds),
			maxWaitSeconds: toNumber(written.max_wait_seconds, coalesceDefaults.maxWaitSeconds),
		}
	);
}
