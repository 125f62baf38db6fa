import {type Connections} from '../mcp/connections.ts';
import {type Clock, openDeadline} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';

/** A caller that asks once and never again should see the tools of servers that take a moment to connect. */
const settlingMilliseconds = 10_000;

/** The time after a start in which servers connect for the first time. */
export type FirstSettled = {
	/** The servers connect now. Later calls change nothing. */
	readonly begin: () => void;
	/** Resolves when each has connected or failed, or when they were given enough time. */
	readonly over: () => Promise<void>;
};

/** Watches the first connects of a profile. */
export function createFirstSettled(clock: Clock, connections: Pick<Connections, 'settled'>): FirstSettled {
	const settled = Promise.withResolvers<void>();
	let phase: 'waiting' | 'begun' = 'waiting';
	return {
		begin() {
			if (phase === 'waiting') {
				phase = 'begun';
				const reason = () => new Problem('connect_timeout');
				const deadline = openDeadline(clock, settlingMilliseconds, {reason});
				settled.resolve(connections.settled(deadline.signal).finally(deadline.cancel));
			}
		},
		over: () => settled.promise,
	};
}
