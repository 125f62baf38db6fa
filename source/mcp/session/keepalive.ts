import {type Clock, openDeadline, type Timer, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';

/** The result of a ping: the session is alive, dead, or undecided. */
export type PingOutcome =
	| {readonly kind: 'alive'}
	| {readonly kind: 'dead'; readonly problem: Problem}
	| {readonly kind: 'unknown'};

export type KeepaliveOptions = {
	readonly clock: Clock;
	/** The interval between pings. */
	readonly seconds: number;
	/** A server that works on a call may not have time for pings, and the call keeps the session alive. */
	readonly busy: () => boolean;
	/** Rejects when the signal aborts. */
	readonly ping: (signal: AbortSignal) => Promise<PingOutcome>;
	readonly onHealthy: () => void;
	readonly onDead: (problem: Problem) => void;
};

const longestAnswerSeconds = 30;

/** Pings a session at fixed intervals until it is dead or `stop` is called (docs/connections.md, Keepalive and recycling). */
export function startKeepalive(options: KeepaliveOptions): {readonly stop: () => void} {
	const {clock, seconds, busy, onHealthy, onDead} = options;
	const stopped = new AbortController();
	let timer: Timer | undefined;

	const beat = async () => {
		const outcome: PingOutcome = busy() ? {kind: 'unknown'} : await pingOnce(options, stopped.signal);
		if (stopped.signal.aborted) {
			return;
		}

		if (outcome.kind === 'dead' && !busy()) {
			onDead(outcome.problem);
			return;
		}

		if (outcome.kind === 'alive') {
			onHealthy();
		}

		schedule();
	};

	const schedule = () => {
		timer = clock.after(seconds * 1000, () => void beat());
	};

	schedule();
	return {
		stop() {
			timer?.cancel();
			stopped.abort();
		},
	};
}

/** Never rejects: a ping without a response means a dead session. */
async function pingOnce({clock, seconds, ping}: KeepaliveOptions, signal: AbortSignal): Promise<PingOutcome> {
	const patience = Math.min(seconds, longestAnswerSeconds);
	const problem = new Problem('server_unavailable', {
		message: `The server did not answer the keepalive ping within ${patience} s`,
	});
	const limit = openDeadline(clock, patience * 1000, {signal, reason: () => problem});
	try {
		return await untilAborted(ping(limit.signal), limit.signal);
	} catch {
		return {kind: 'dead', problem};
	} finally {
		limit.cancel();
	}
}
