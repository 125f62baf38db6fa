import {type Problem} from '../../util/problem.ts';
import {type RecycleReason} from './recycling.ts';

/** Negotiated protocol era (docs/connections.md, Transports). */
export type Era = 'legacy' | 'stateless';

/** The states of a connection (docs/connections.md, States). Times are milliseconds since the epoch. */
export type ConnectionState =
	| {readonly kind: 'disabled'}
	/** Its tools are registered; the first call connects. Its process may have been stopped for idle time or age. */
	| {readonly kind: 'lazy'; readonly why: 'unused' | RecycleReason}
	| {
			readonly kind: 'connecting';
			/** 1 for the first attempt. */
			readonly attempt: number;
			readonly step:
				| {readonly kind: 'trying'}
				| {readonly kind: 'pausing'; readonly until: number; readonly problem: Problem};
			readonly reconnectsLeft: number;
	  }
	| {
			readonly kind: 'connected';
			readonly era: Era;
			readonly protocolVersion: string;
			readonly latencyMs: number;
			readonly reconnectsLeft: number;
	  }
	| {readonly kind: 'needs-login'; readonly problem: Problem}
	| {readonly kind: 'waiting'; readonly until: number; readonly problem: Problem; readonly reconnectsLeft: number}
	| {readonly kind: 'failed'; readonly problem: Problem}
	| {readonly kind: 'stopped'};

/** The kind of a failed attempt: it may be retried, a retry is pointless, or a person must log in. */
export type ConnectFailure = {readonly kind: 'transient' | 'permanent' | 'login'; readonly problem: Problem};

/** The first attempts for a server: with retries as a gateway does, or once, because somebody waits for the answer. */
export type Attempts = 'several' | 'one';

export type ConnectionEvent =
	| {readonly kind: 'start'; readonly attempts: Attempts}
	| {readonly kind: 'connected'; readonly era: Era; readonly protocolVersion: string; readonly latencyMs: number}
	| {
			readonly kind: 'attempt-failed';
			readonly failure: ConnectFailure;
			readonly now: number;
			/** 0 to 1, for the jitter. */
			readonly random: number;
	  }
	/** The delay has passed. */
	| {readonly kind: 'time-up'}
	| {readonly kind: 'lost'; readonly problem: Problem; readonly now: number}
	/** The server refuses the tokens of the session, and only a login can replace them. */
	| {readonly kind: 'login-needed'; readonly problem: Problem}
	/** A call succeeded or a ping was answered: the session is worth reconnecting. */
	| {readonly kind: 'proven'}
	/** The idle limit of the process has passed. */
	| {readonly kind: 'recycle'; readonly why: RecycleReason}
	/** A call wants the server. */
	| {readonly kind: 'wanted'; readonly now: number}
	/** A person requested it. */
	| {readonly kind: 'reconnect'}
	| {readonly kind: 'stop'};

/** Reconnects of a lost session before it must prove healthy. */
export const reconnectBudget = 5;

const firstRetries = 3;
const firstPauseMilliseconds = 1000;
const jitter = 0.2;
const probeMilliseconds = 300_000;
/** A call does not start the next attempt sooner after a failed one. */
const leastPauseMilliseconds = 1000;

/** The next state. An event without meaning in a state returns the same object. */
export function nextConnectionState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
	switch (event.kind) {
		case 'start':
			return state.kind === 'lazy' || state.kind === 'stopped' ? afterStart(event.attempts) : state;
		case 'wanted':
			return afterCall(state, event.now);
		case 'connected':
			return state.kind === 'connecting'
				? {
						kind: 'connected',
						era: event.era,
						protocolVersion: event.protocolVersion,
						latencyMs: event.latencyMs,
						reconnectsLeft: state.reconnectsLeft,
					}
				: state;
		case 'attempt-failed':
			return state.kind === 'connecting' ? afterFailure(state, event) : state;
		case 'time-up':
			return afterTime(state);
		case 'lost':
			return state.kind === 'connected' ? afterLoss(state, event) : state;
		case 'login-needed':
			return state.kind === 'connected' ? {kind: 'needs-login', problem: event.problem} : state;
		case 'proven':
			return state.kind === 'connected' && state.reconnectsLeft < reconnectBudget
				? {...state, reconnectsLeft: reconnectBudget}
				: state;
		case 'recycle':
			return state.kind === 'connected' ? {kind: 'lazy', why: event.why} : state;
		case 'reconnect':
			return state.kind === 'disabled' || state.kind === 'stopped' ? state : trying(1, reconnectBudget);
		case 'stop':
			return state.kind === 'disabled' || state.kind === 'stopped' ? state : {kind: 'stopped'};
	}
}

type Connecting = Extract<ConnectionState, {kind: 'connecting'}>;

function trying(attempt: number, reconnectsLeft: number): Connecting {
	return {kind: 'connecting', attempt, step: {kind: 'trying'}, reconnectsLeft};
}

/** One attempt is the last one. */
function afterStart(attempts: Attempts): Connecting {
	return trying(attempts === 'one' ? firstRetries + 1 : 1, reconnectBudget);
}

function afterFailure(state: Connecting, event: Extract<ConnectionEvent, {kind: 'attempt-failed'}>): ConnectionState {
	const {kind, problem} = event.failure;
	switch (kind) {
		case 'permanent':
			return {kind: 'failed', problem};
		case 'login':
			return {kind: 'needs-login', problem};
		case 'transient':
			return state.attempt > firstRetries
				? {kind: 'waiting', until: event.now + probeMilliseconds, problem, reconnectsLeft: state.reconnectsLeft}
				: {
						...state,
						step: {kind: 'pausing', until: event.now + pauseMilliseconds(state.attempt, event.random), problem},
					};
	}
}

/** 1 s, 2 s, 4 s, each ±20 %. */
function pauseMilliseconds(attempt: number, random: number): number {
	return Math.round(firstPauseMilliseconds * 2 ** (attempt - 1) * (1 + jitter * (2 * random - 1)));
}

/** A call starts a sleeping server, and the next attempt of one that waits for it. */
function afterCall(state: ConnectionState, now: number): ConnectionState {
	if (state.kind === 'lazy') {
		return trying(1, reconnectBudget);
	}

	const failedAt = state.kind === 'waiting' ? state.until - probeMilliseconds : now;
	return now - failedAt >= leastPauseMilliseconds ? afterTime(state) : state;
}

function afterTime(state: ConnectionState): ConnectionState {
	if (state.kind === 'waiting') {
		// A probe is one attempt, the last one, so that a failure leads straight back to waiting.
		return trying(firstRetries + 1, state.reconnectsLeft);
	}

	return state.kind === 'connecting' && state.step.kind === 'pausing'
		? trying(state.attempt + 1, state.reconnectsLeft)
		: state;
}

function afterLoss(
	state: Extract<ConnectionState, {kind: 'connected'}>,
	event: Extract<ConnectionEvent, {kind: 'lost'}>,
): ConnectionState {
	return state.reconnectsLeft > 0
		? trying(1, state.reconnectsLeft - 1)
		: {kind: 'waiting', until: event.now + probeMilliseconds, problem: event.problem, reconnectsLeft: 0};
}
