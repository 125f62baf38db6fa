import {type Clock} from '../util/clock.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {askWithRescue} from './ask-with-rescue.ts';
import {admitCall, type BreakerOutcome, closedBreaker, settleCall} from './breaker.ts';
import {type Connection} from './connection.ts';
import {createLane} from './lane.ts';
import {type OpenRequests} from './open-requests.ts';
import {type SessionKeeper} from './session-keeper.ts';

const parallelWidth = 64;

/** Makes a connection of a kept session: time limit, breaker, lane, and the rescue of calls whose session was lost. */
export function openConnection(options: {
	readonly config: Connection['config'];
	readonly clock: Clock;
	readonly keeper: SessionKeeper;
	readonly requests: Pick<OpenRequests, 'enter'>;
}): Omit<Connection, 'refresh'> {
	const {config, clock, keeper, requests} = options;
	const lane = createLane(config.calls === 'parallel' ? parallelWidth : 1);
	let breaker = closedBreaker;

	const throughBreaker = async <Value>(work: (settle: (outcome: BreakerOutcome) => void) => Promise<Value>) => {
		const door = admitCall(breaker, clock.elapsed());
		breaker = door.state;
		if (!door.admitted) {
			throw new Problem('circuit_open');
		}

		let outcome: BreakerOutcome = 'unknown';
		try {
			return await work(told => {
				outcome = told;
			});
		} finally {
			breaker = settleCall(breaker, outcome, clock.elapsed());
		}
	};

	return {
		config,
		state: () => keeper.state(),
		async request(request, {signal, origin, onProgress, beforeSend}) {
			const deadline = requests.enter({clock, timeoutSeconds: config.timeoutSeconds, signal, origin});
			try {
				return await throughBreaker(settle =>
					lane.run(
						() =>
							askWithRescue(request, {
								keeper,
								settle,
								beforeSend,
								signal: deadline.signal,
								onProgress(progress) {
									deadline.extend();
									onProgress?.(progress);
								},
							}),
						deadline.signal,
					),
				);
			} catch (error) {
				throw toProblem(deadline.signal.aborted ? deadline.signal.reason : error, 'cancelled');
			} finally {
				deadline.cancel();
			}
		},
		reconnect() {
			breaker = closedBreaker;
			keeper.reconnect();
		},
		stop: () => keeper.stop(),
	};
}
