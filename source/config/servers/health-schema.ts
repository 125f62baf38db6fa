import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {boolLike} from '../values/bool-like.ts';
import {field} from '../values/field-rule.ts';
import {numberLike} from '../values/number-like.ts';

/** Defaults and bounds of the health watch keys (docs/tool-servers.md, Timeouts and limits). */
export const healthLimits = {keepaliveSeconds: 180, shortestKeepaliveSeconds: 5} as const;

const recycling = lazy(() => ({
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
export const healthShape = lazy(() => ({
	skip_preflight: boolLike('Leave out the probe of the content type before the first handshake.', false),
	keepalive_interval: numberLike(
		`Seconds between liveness pings, at least ${healthLimits.shortestKeepaliveSeconds}. Without it ${healthLimits.keepaliveSeconds} for remote servers and none for subprocesses.`,
		{fallback: undefined, minimum: 0, unit: 'seconds'},
	),
	lazy: boolLike('Register the tools from the cache at the start and connect at the first call.', false),
	...recycling(),
	lifecycle: field(z.strictObject(recycling()), {
		description: 'Where the two recycling keys may also stand.',
		allowed: `a mapping with ${Object.keys(recycling()).join(', ')}`,
	}).optional(),
}));
