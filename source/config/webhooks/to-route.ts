import {toBoolean} from '../values/bool-like.ts';
import {toNumber} from '../values/number-like.ts';
import {toJsonObject} from '../values/plain-value.ts';
import {type CoalesceConfig, type RouteConfig} from './route-config.ts';
import {parseFilters} from './route-filter.ts';
import {coalesceDefaults, type RouteEntry} from './route-schema.ts';
import {toSignatureScheme} from './signature-scheme.ts';
import {toTexts} from '../values/text-like.ts';

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
		signature: value.signature && toSignatureScheme(value.signature),
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
