import {toNumber} from './number-like.ts';
import {type ServerEntry, serverDefaults} from './server-schema.ts';
import {upkeepLimits} from './upkeep-schema.ts';

/** Every span of time of an entry, in seconds. */
export type ServerTimes = {
	readonly timeoutSeconds: number;
	readonly connectTimeoutSeconds: number;
	/** Between two liveness pings; absent: none are sent. */
	readonly keepaliveSeconds?: number;
};

/** Reads the times of an entry (spec/mcp-servers.md, Limits). */
export function parseTimes(entry: ServerEntry, kind: 'stdio' | 'remote'): ServerTimes {
	return {
		timeoutSeconds: toNumber(entry.timeout, serverDefaults.timeoutSeconds),
		connectTimeoutSeconds: toNumber(entry.connect_timeout, serverDefaults.connectTimeoutSeconds),
		...parseKeepalive(entry.keepalive_interval, kind),
	};
}

function parseKeepalive(
	written: ServerEntry['keepalive_interval'],
	kind: 'stdio' | 'remote',
): Pick<ServerTimes, 'keepaliveSeconds'> {
	const {keepaliveSeconds, shortestKeepaliveSeconds} = upkeepLimits;
	const asked = written ?? (kind === 'remote' ? keepaliveSeconds : undefined);
	return asked === undefined ? {} : {keepaliveSeconds: Math.max(Number(asked), shortestKeepaliveSeconds)};
}
