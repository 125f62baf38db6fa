import {UrlElicitationRequiredError} from '@modelcontextprotocol/client';
import {type Clock} from '../../util/clock.ts';
import {problemCodes} from '../../util/problem-codes.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type CallContent, type Connection, type RequestOptions, type ServerRequest} from '../connection.ts';
import {type OpenPages} from '../server-requests/elicitation.ts';
import {type OpenRequests} from '../server-requests/open-requests.ts';
import {type SessionManager} from '../session/session-manager.ts';
import {type Session} from '../session/session.ts';
import {withSendCheck} from '../transport/authorized-fetch.ts';
import {allowCall, type BreakerOutcome, type BreakerState, closedBreaker, settleCall} from './breaker.ts';
import {callFailure, type CallFailure, sessionExpired} from './call-failure.ts';
import {type CallDeadline} from './call-deadline.ts';
import {createCallQueue} from './call-queue.ts';

const parallelWidth = 64;

/** Builds the connection of one server. Each call has a time limit, passes breaker and queue, and may be repeated after its session was lost. */
export function openConnection(options: {
	readonly config: Connection['config'];
	readonly clock: Clock;
	readonly session: SessionManager;
	readonly requests: Pick<OpenRequests, 'enter'>;
	/** Has a person open the pages that a refused call needs; absent: nobody is asked. */
	readonly openPages?: OpenPages | undefined;
}): Omit<Connection, 'refresh'> {
	const {config, clock, session, requests, openPages} = options;
	const queue = createCallQueue(config.calls === 'parallel' ? parallelWidth : 1);
	const breaker = createGuard(clock);
	return {
		config,
		state: () => session.state(),
		async request(request, {signal, origin, onProgress, onQuestion, askCaller, claim, beforeSend}) {
			const {timeoutSeconds} = config;
			const deadline = requests.enter({clock, timeoutSeconds, signal, origin, onQuestion, askCaller});
			let stage: Stage = 'not sent';
			try {
				return await breaker.run(settle =>
					queue.run(
						() =>
							callWithRetry(request, {
								session,
								settle,
								openPages,
								claim: claim && (() => withoutLimit(deadline, claim)),
								beforeSend,
								signal: deadline.signal,
								onStage(now) {
									stage = now;
									if (now === 'sent') {
										deadline.sent();
									}
								},
								onProgress(progress) {
									deadline.extend();
									onProgress?.(progress);
								},
							}),
						deadline.signal,
					),
				);
			} catch (error) {
				throw deadline.signal.aborted
					? endedEarly(toProblem(deadline.signal.reason, 'cancelled'), {request, stage})
					: toProblem(error, 'cancelled');
			} finally {
				deadline.cancel();
			}
		},
		reconnect() {
			breaker.reset();
			session.reconnect();
		},
		stop: () => session.stop(),
	};
}

/** Passes calls through a breaker, which opens when they fail repeatedly. */
function createGuard(clock: Clock) {
	let breaker = closedBreaker;

	const run = async <Value>(work: (settle: (outcome: BreakerOutcome) => void) => Promise<Value>) => {
		const admission = allowCall(breaker, clock.elapsed());
		breaker = admission.state;
		if (!admission.admitted) {
			throw new Problem('circuit_open', {message: openText(admission.state, clock.elapsed())});
		}

		let outcome: BreakerOutcome = 'unknown';
		try {
			return await work(settled => {
				outcome = settled;
			});
		} finally {
			breaker = settleCall(breaker, outcome, clock.elapsed());
		}
	};

	return {run, reset: () => void (breaker = closedBreaker)};
}

/** The stage of a request: `sent` may have reached its server. */
type Stage = 'not sent' | 'sent';

/** The end of a request by its deadline or its caller: one that changes something and was sent may have taken effect. */
function endedEarly(
	reason: Problem,
	{request, stage}: {readonly request: ServerRequest; readonly stage: Stage},
): Problem {
	if (stage === 'not sent' || isReadOnly(request)) {
		return reason;
	}

	const {code, message, detail} = reason;
	return new Problem(code, {
		message: `${message}; ${mayHaveTakenEffect}`,
		...(detail !== undefined && {detail}),
		remedy: problemCodes.outcome_uncertain.remedy,
		isOutcomeUncertain: true,
		cause: reason,
	});
}

const mayHaveTakenEffect = 'the call may have taken effect. Check before you repeat it';

/** A journal that takes long costs the call nothing of its time. */
async function withoutLimit<Value>(
	{suspend}: Pick<CallDeadline, 'suspend'>,
	work: () => Promise<Value>,
): Promise<Value> {
	const goOn = suspend();
	return work().finally(goOn);
}

/** The reason that a call is refused, and the time until it is admitted again. */
function openText(state: BreakerState, now: number): string {
	const until =
		state.kind === 'open'
			? `in ${Math.ceil((state.until - now) / 1000)} s`
			: 'once the call that is testing it has ended';
	return `The tool server failed repeatedly and is paused; the next call is allowed ${until}`;
}

/** Sends a request, and again on a new session if the first was lost and the request is read-only. Rejects with Problem. */
async function callWithRetry(
	request: ServerRequest,
	options: RequestOptions & {
		readonly session: Pick<SessionManager, 'current' | 'disconnected' | 'loginNeeded' | 'markHealthy'>;
		/** Called with the outcome of each attempt, for the breaker. */
		readonly settle: (outcome: BreakerOutcome) => void;
		readonly onStage: (stage: Stage) => void;
		readonly openPages: OpenPages | undefined;
	},
): Promise<CallContent> {
	const {session: manager, settle, signal, onStage} = options;
	let replayed = false;
	let pageRounds = 0;
	for (;;) {
		const session = await manager.current(signal);
		let refusal: unknown;
		const check = () => {
			try {
				options.beforeSend?.();
			} catch (error) {
				refusal = error;
				throw error;
			}
		};

		// A call that was refused until a page was opened is claimed already.
		if (pageRounds === 0) {
			await options.claim?.();
		}

		check();
		const sessionId = session.sessionId();
		onStage('sent');
		try {
			const answer = await withSendCheck(check, () => session.ask(request, options));
			settle('answered');
			manager.markHealthy();
			return answer;
		} catch (error) {
			signal.throwIfAborted();
			onStage('not sent');
			if (refusal !== undefined) {
				throw refusal;
			}

			const failure = callFailure(error, sessionId);
			settle(breakerOutcome(failure));
			dropSession(manager, session, failure);
			// Such a call did nothing (docs/tool-servers.md, Elicitation).
			if (options.openPages && error instanceof UrlElicitationRequiredError && pageRounds < maxPageRounds) {
				pageRounds++;
				await options.openPages(error.elicitations, signal);
				continue;
			}

			const decision = decideRetry(failure, {readOnly: isReadOnly(request), replayed});
			if (decision.kind === 'reject') {
				throw decision.problem;
			}

			replayed = true;
		}
	}
}

/** A call is sent again so often after a person has opened the pages that it needs. */
const maxPageRounds = 3;

function isReadOnly(request: ServerRequest): boolean {
	return request.kind !== 'tool' || request.readOnly;
}

function breakerOutcome(failure: CallFailure): BreakerOutcome {
	switch (failure.kind) {
		case 'refused':
		case 'unreadable':
			return 'answered';
		case 'expired':
			return 'unknown';
		case 'lost':
		case 'never-sent':
			return 'transport-failure';
	}
}

function dropSession(
	manager: Pick<SessionManager, 'disconnected' | 'loginNeeded'>,
	session: Session,
	failure: CallFailure,
): void {
	switch (failure.kind) {
		case 'refused':
			if (failure.problem.code === 'login_required') {
				manager.loginNeeded(session, failure.problem);
			}

			return;
		case 'unreadable':
			return;
		case 'expired':
			manager.disconnected(session, sessionExpired());
			return;
		case 'lost':
		case 'never-sent':
			manager.disconnected(session, failure.problem);
	}
}

/** The next step after a failed call. */
type RetryDecision = {readonly kind: 'replay'} | {readonly kind: 'reject'; readonly problem: Problem};

/**
Decides how to handle a failed call (docs/tool-servers.md, Trust): only a read-only request is repeated, and only once;
any other call that may have taken effect is `outcome_uncertain`.
*/
export function decideRetry(
	failure: CallFailure,
	call: {readonly readOnly: boolean; readonly replayed: boolean},
): RetryDecision {
	switch (failure.kind) {
		case 'refused':
		case 'never-sent':
			return {kind: 'reject', problem: failure.problem};
		case 'unreadable':
			// The same call would get the same response.
			return {kind: 'reject', problem: call.readOnly ? failure.problem : uncertain(failure)};
		case 'expired':
		case 'lost':
			if (!call.readOnly) {
				return {kind: 'reject', problem: uncertain(failure)};
			}

			return call.replayed
				? {
						kind: 'reject',
						problem: new Problem('server_unavailable', {
							message: 'The connection was lost twice during the call',
						}),
					}
				: {kind: 'replay'};
	}
}

function uncertain(failure: Extract<CallFailure, {kind: keyof typeof happenings | 'unreadable'}>): Problem {
	return new Problem('outcome_uncertain', {
		message: `${failure.kind === 'unreadable' ? failure.problem.message : happenings[failure.kind]}; ${mayHaveTakenEffect}`,
		cause: failure.kind === 'expired' ? undefined : failure.problem,
	});
}

const happenings = {
	expired: 'The session had expired',
	lost: 'The connection was lost before the answer came',
} as const;
