import {type ServerConfig} from '../config/server-entry.ts';
import {type Clock} from '../util/clock.ts';
import {type Problem} from '../util/problem.ts';
import {type Handshake} from './handshake.ts';
import {startKeepalive} from './keepalive.ts';
import {pingServer} from './ping-server.ts';
import {createUsage, type Usage} from './usage.ts';

export type UpkeepOptions = {
	readonly config: ServerConfig;
	readonly clock: Clock;
	/** A ping was answered. */
	readonly onProven: () => void;
	readonly onDead: (problem: Problem) => void;
};

/** What is done about a session beside its calls: it is kept alive while it is not in use. */
export type Upkeep = Usage & {readonly stop: () => void};

/** Begins the upkeep of a session; it ends with `stop`. */
export function startUpkeep(
	session: Pick<Handshake, 'client' | 'era'> & {readonly sessionId: () => string | undefined},
	options: UpkeepOptions,
): Upkeep {
	const {keepaliveSeconds: seconds} = options.config;
	const usage = createUsage(() => {});
	const ping = (signal: AbortSignal) =>
		pingServer(session.client, {era: session.era, sessionId: session.sessionId(), signal});
	const keepalive = seconds === undefined ? undefined : startKeepalive({...options, seconds, busy: usage.busy, ping});
	return {
		...usage,
		stop() {
			keepalive?.stop();
		},
	};
}
