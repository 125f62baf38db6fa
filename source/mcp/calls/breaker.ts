/** The circuit breaker of one server (docs/connections.md, States). Times are milliseconds of a clock that never goes back. */
export type BreakerState =
	| {readonly kind: 'closed'; readonly failures: number}
	| {readonly kind: 'open'; readonly until: number}
	/** One call was let through to test whether the server is back. */
	| {readonly kind: 'probing'};

/** The end of an admitted call: with any response, with a failure of the transport, or without a conclusion about the server. */
export type BreakerOutcome = 'answered' | 'transport-failure' | 'unknown';

/** A breaker that lets calls pass. */
export const closedBreaker: BreakerState = {kind: 'closed', failures: 0};

const failuresToOpen = 3;
const restMilliseconds = 60_000;

/** The admission of a call, with the breaker's next state. */
export function allowCall(
	state: BreakerState,
	now: number,
): {readonly admitted: boolean; readonly state: BreakerState} {
	switch (state.kind) {
		case 'closed':
			return {admitted: true, state};
		case 'open':
			return now < state.until ? {admitted: false, state} : {admitted: true, state: {kind: 'probing'}};
		case 'probing':
			return {admitted: false, state};
	}
}

/** The state after an admitted call has ended. */
export function settleCall(state: BreakerState, outcome: BreakerOutcome, now: number): BreakerState {
	switch (outcome) {
		case 'answered':
			return closedBreaker;
		case 'transport-failure':
			return afterTransportFailure(state, now);
		case 'unknown':
			// The probe was inconclusive; the next call may be the probe.
			return state.kind === 'probing' ? {kind: 'open', until: now} : state;
	}
}

function afterTransportFailure(state: BreakerState, now: number): BreakerState {
	switch (state.kind) {
		case 'closed':
			return state.failures + 1 < failuresToOpen
				? {kind: 'closed', failures: state.failures + 1}
				: {kind: 'open', until: now + restMilliseconds};
		case 'open':
			return state;
		case 'probing':
			return {kind: 'open', until: now + restMilliseconds};
	}
}
