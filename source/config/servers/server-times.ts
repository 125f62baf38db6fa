import {toNumber} from '../values/number-like.ts';
import {type ServerEntry, serverDefaults} from './server-schema.ts';
import {healthLimits} from './health-schema.ts';

/** Every span of time of an entry, in seconds. */
export type ServerTimes = {
	readonly timeoutSeconds: number;
	readonly connectTimeoutSeconds: number;
	/** Between two liveness pings; absent: none are sent. */
	readonly keepaliveSeconds?: number;
	/** How long a process may go unused; absent: for ever. */
	readonly idleSeconds?: number;
	/** How old a process may become; absent: any age. */
	readonly lifetimeSeconds?: number;
};

/** Reads the times of an entry (docs/tool-servers.md, Timeouts and limits). */
export function parseTimes(entry: ServerEntry, kind: 'stdio' | 'remote'): ServerTimes {
	return {
		timeoutSeconds: toNumber(entry.timeout, serverDefaults.timeoutSeconds),
		connectTimeoutSeconds: toNumber(entry.connect_timeout, serverDefaults.connectTimeoutSeconds),
		...parseKeepalive(entry.keepalive_interval, kind),
		...(kind === 'stdio' && parseRecycling(entry)),
	};
}

/** A key of the entry itself wins over the same one under `lifecycle`; 0 disables. */
function parseRecycling(entry: ServerEntry): Pick<ServerTimes, 'idleSeconds' | 'lifetimeSeconds'> {
	const {lifecycle} = entry;
	const idleSeconds = toNumber(entry.idle_timeout_seconds ?? lifecycle?.idle_timeout_seconds, 0);
	const lifetimeSeconds = toNumber(entry.max_lifetime_seconds ?? lifecycle?.max_lifetime_seconds, 0);
	return {...(idleSeconds > 0 && {idleSeconds}), ...(lifetimeSeconds > 0 && {lifetimeSeconds})};
}

function parseKeepalive(
	written: ServerEntry['keepalive_interval'],
	kind: 'stdio' | 'remote',
): Pick<ServerTimes, 'keepaliveSeconds'> {
	const {keepaliveSeconds, shortestKeepaliveSeconds} = healthLimits;
	const asked = written ?? (kind === 'remote' ? keepaliveSeconds : undefined);
	return asked === undefined ? {} : {keepaliveSeconds: Math.max(Number(asked), shortestKeepaliveSeconds)};
}
