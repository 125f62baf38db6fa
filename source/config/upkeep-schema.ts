import {boolLike} from './bool-like.ts';
import {numberLike} from './number-like.ts';

/** Defaults and bounds of the upkeep keys (spec/mcp-servers.md, Limits). */
export const upkeepLimits = {keepaliveSeconds: 180, shortestKeepaliveSeconds: 5} as const;

/** Keys of a server entry about its session: how it is probed, kept alive and ended. */
export const upkeepShape = {
	skip_preflight: boolLike('Leave out the probe of the content type before the first handshake.', false),
	keepalive_interval: numberLike(
		`Seconds between liveness pings, at least ${upkeepLimits.shortestKeepaliveSeconds}. Without it ${upkeepLimits.keepaliveSeconds} for remote servers and none for subprocesses.`,
		{fallback: undefined, minimum: 0, unit: 'seconds'},
	),
};
