import {z} from 'zod';
import {late} from '../util/late.ts';
import {boolLike} from './bool-like.ts';
import {field} from './field-rule.ts';
import {numberLike} from './number-like.ts';

/** Defaults and bounds of the upkeep keys (spec/mcp-servers.md, Limits). */
export const upkeepLimits = {keepaliveSeconds: 180, shortestKeepaliveSeconds: 5} as const;

const recycling = late(() => ({
	idle_timeout_seconds: numberLike('End the subprocess after this idle time; the next call starts it. 0: never.', {
		fallback: 0,
		minimum: 0,
		unit: 'seconds',
	}),
	max_lifetime_seconds: numberLike(
		'End the subprocess at this age, once no call is under way; the next call starts it. 0: never.',
		{
			fallback: 0,
			minimum: 0,
			unit: 'seconds',
		},
	),
}));

/** Keys of a server entry about its session: how it is probed, begun, kept alive and ended. */
export const upkeepShape = late(() => ({
	skip_preflight: boolLike('Leave out the probe of the content type before the first handshake.', false),
	keepalive_interval: numberLike(
		`Seconds between liveness pings, at least ${upkeepLimits.shortestKeepaliveSeconds}. Without it ${upkeepLimits.keepaliveSeconds} for remote servers and none for subprocesses.`,
		{fallback: undefined, minimum: 0, unit: 'seconds'},
	),
	lazy: boolLike('Register the tools from the cache at the start and connect at the first call.', false),
	...recycling(),
	lifecycle: field(z.strictObject(recycling()), {
		description: 'Where the two recycling keys may also stand.',
		allowed: `a mapping with ${Object.keys(recycling()).join(', ')}`,
	}).optional(),
}));
