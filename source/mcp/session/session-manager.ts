import {type Clock, type Timer} from '../../util/clock.ts';
import {createInFlight} from '../../util/in-flight.ts';
import {Problem} from '../../util/problem.ts';
import {createChangeSignal} from './change-signal.ts';
import {connectFailure} from './connect-failure.ts';
import {type Attempts, type ConnectionEvent, type ConnectionState, nextConnectionState} from './connection-state.ts';
import {connectionText} from './server-row.ts';
import {type Session, type SessionOptions, type TransportKind} from './session.ts';

type Listing = Awaited<ReturnType<Session['list']>>;

/** Input and callbacks of a connect attempt. */
export type Attempt = {
	/** The transport that worked before. */
	readonly remembered: TransportKind | undefined;
} & Pick<SessionOptions, 'onHealthy' | 'onDue' | 'onDisconnect' | 'onToolsChanged'>;

export type SessionManagerOptions = {
	readonly initial: 'stopped' | 'disabled' | 'lazy';
	readonly transport: TransportKind;
	readonly clock: Clock;
	/** 0 to 1, for the jitter of pauses. */
	readonly random: () => number;
	/** Nothing is opened before this resolves: the previous connection may still hold a resource of the server. */
	readonly after: Promise<void>;
	readonly connect: (attempt: Attempt, signal: AbortSignal) => Promise<Session>;
	readonly onState: () => void;
	readonly onListing: (listing: Listing) => void;
	/** The live session was lost. */
	readonly onLost: (problem: Problem) => void;
	readonly onWarning: (text: string) => void;
};

/** Owns at most one session with a server and runs the effects of `nextConnectionState`. */
export class SessionManager {
	readonly #options: SessionManagerOptions;
	readonly #changes = createChangeSignal();
	/** Running attempts and sessions being closed. */
	readonly #work = createInFlight();
	#state: ConnectionState;
	#session: Session | undefined;
	#remembered: TransportKind | undefined;
	#timer: Timer | undefined;
	#attempt = new AbortController();

	constructor(options: SessionManagerOptions) {
		this.#options = options;
		const {initial} = options;
		this.#state = initial === 'lazy' ? {kind: initial, why: 'unused'} : {kind: initial};
	}

	state(): ConnectionState {
		return this.#state;
	}

	/** The transport in use: SSE when Streamable HTTP did not work. */
	transport(): TransportKind {
		return this.#remembered ?? this.#options.transport;
	}

	start(attempts: Attempts): void {
		this.#dispatch({kind: 'start', attempts});
	}

	/** The live session; wakes a lazy server, starts the next attempt of one that waits for it, and waits for one that is connecting. Rejects with Problem `server_unavailable`. */
	async current(signal: AbortSignal): Promise<Session> {
		this.#dispatch({kind: 'wanted', now: this.#options.clock.now()});

		while (this.#state.kind === 'connecting') {
			await this.#changes.next(signal);
		}

		if (this.#state.kind === 'needs-login') {
			throw this.#state.problem;
		}

		if (!this.#session) {
			const {reason, state} = connectionText(this.#state);
			throw new Problem('server_unavailable', {message: `The tool server is ${state}${reason ? `: ${reason}` : ''}`});
		}

		return this.#session;
	}

	/** A session was lost; ignored when it is not the live one. */
	disconnected(session: Session | undefined, problem: Problem): void {
		if (session !== undefined && session === this.#session) {
			this.#options.onLost(problem);
			this.#dispatch({kind: 'lost', problem, now: this.#options.clock.now()});
		}
	}

	/** The server refuses the session until a person logs in; ignored when it is not the live one. */
	loginNeeded(session: Session, problem: Problem): void {
		if (session === this.#session) {
			this.#dispatch({kind: 'login-needed', problem});
		}
	}

	/** A call succeeded, or a ping was answered. */
	markHealthy(): void {
		this.#dispatch({kind: 'proven'});
	}

	reconnect(): void {
		this.#dispatch({kind: 'reconnect'});
	}

	async stop(): Promise<void> {
		this.#dispatch({kind: 'stop'});
		await this.#work.whenEmpty();
	}

	#dispatch(event: ConnectionEvent): void {
		const before = this.#state;
		const next = nextConnectionState(before, event);
		this.#state = next;
		if (next === before || (before.kind === 'connected' && next.kind === 'connected')) {
			return;
		}

		this.#timer?.cancel();
		if (next.kind !== 'connected') {
			this.#attempt.abort(new Problem('cancelled'));
			// Calls on a lost session may still get their responses; a person who reconnects wants all of it closed.
			this.#close(this.#session, event.kind === 'lost' || event.kind === 'login-needed' ? 'finish' : 'cut');
			this.#session = undefined;
		}

		this.#enter(next);
		this.#options.onState();
		this.#changes.report();
	}

	#enter(state: ConnectionState): void {
		if (state.kind === 'waiting') {
			this.#wakeAt(state.until);
		} else if (state.kind === 'connecting' && state.step.kind === 'pausing') {
			this.#wakeAt(state.step.until);
		} else if (state.kind === 'connecting') {
			this.#attempt = new AbortController();
			// A process must have exited before its successor starts; remote sessions are independent.
			const predecessors = this.#options.transport === 'stdio' ? this.#work.whenSettled() : undefined;
			void this.#work.track(this.#connect(this.#attempt.signal, predecessors));
		}
	}

	/** The session is to be recycled; the next call opens a new one. */
	#recycle(session: Session | undefined, why: Parameters<Attempt['onDue']>[0]): void {
		if (session !== undefined && session === this.#session) {
			this.#dispatch({kind: 'recycle', why});
		}
	}

	#wakeAt(time: number): void {
		const {clock} = this.#options;
		this.#timer = clock.after(time - clock.now(), () => this.#dispatch({kind: 'time-up'}));
	}

	#close(session: Session | undefined, calls: 'finish' | 'cut'): void {
		if (session) {
			void this.#work.track(session.close(calls));
		}
	}

	/** Never rejects: an attempt ends in an event, or without one when it was cancelled. */
	async #connect(signal: AbortSignal, predecessors: Promise<void> | undefined): Promise<void> {
		const {after, connect, clock, random, onListing} = this.#options;
		let opened: Session | undefined;
		let changedEarly = false;
		try {
			await Promise.all([after, predecessors]);
			signal.throwIfAborted();
			const onToolsChanged = () => {
				changedEarly = this.#session === undefined;
				void this.#listAgain();
			};
			opened = await connect(
				{
					remembered: this.#remembered,
					onHealthy: () => this.markHealthy(),
					onDue: reason => this.#recycle(opened, reason),
					onDisconnect: problem => this.disconnected(opened, problem),
					onToolsChanged,
				},
				signal,
			);
			const listing = await opened.list(signal);
			signal.throwIfAborted();
			this.#session = opened;
			this.#remembered = opened.transport;
			onListing(listing);
			const {era, protocolVersion, latencyMs} = opened;
			this.#dispatch({kind: 'connected', era, protocolVersion, latencyMs});
			if (changedEarly) {
				void this.#listAgain();
			}
		} catch (error) {
			this.#close(opened, 'cut');
			if (!signal.aborted) {
				this.#dispatch({kind: 'attempt-failed', failure: connectFailure(error), now: clock.now(), random: random()});
			}
		}
	}

	/** Never rejects: when the list cannot be read, the previous one stays. */
	async #listAgain(): Promise<void> {
		const session = this.#session;
		try {
			const listing = await session?.list(this.#attempt.signal);
			if (listing && session === this.#session) {
				this.#options.onListing(listing);
				this.#options.onState();
			}
		} catch (error) {
			this.#options.onWarning(`its tools could not be listed again: ${connectFailure(error).problem.message}`);
		}
	}
}
