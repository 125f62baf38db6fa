import {type Clock} from '../../util/clock.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {callWithRetry} from './call-with-retry.ts';
import {allowCall, type BreakerOutcome, closedBreaker, settleCall} from './breaker.ts';
import {type Connection} from '../connection.ts';
import {createCallQueue} from './call-queue.ts';
import {type OpenRequests} from '../server-requests/open-requests.ts';
import {type SessionManager} from '../session/session-manager.ts';

const parallelWidth = 64;

/** Makes a connection of a kept session: time limit, breaker, queue, and the retried of calls whose session was lost. */
export function openConnection(options: {
	readonly config: Connection['config'];
	readonly clock: Clock;
	readonly session: SessionManager;
	readonly requests: Pick<OpenRequests, 'enter'>;
}): Omit<Connection, 'refresh'> {
	const {config, clock, session, requests} = options;
	const queue = createCallQueue(config.calls === 'parallel' ? parallelWidth : 1);
	let breaker = closedBreaker;

	const throughBreaker = async <Value>(work: (settle: (outcome: BreakerOutcome) => void) => Promise<Value>) => {
		const admission = allowCall(breaker, clock.elapsed());
		breaker = admission.state;
		if (!admission.admitted) {
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
		state: () => session.state(),
		async request(request, {signal, origin, onProgress, beforeSend}) {
			const deadline = requests.enter({clock, timeoutSeconds: config.timeoutSeconds, signal, origin});
			try {
				return await throughBreaker(settle =>
					queue.run(
						() =>
							callWithRetry(request, {
								session,
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
			session.reconnect();
		},
		stop: () => session.stop(),
	};
}
